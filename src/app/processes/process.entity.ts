import { Column, Entity, PrimaryColumn } from 'typeorm'

import type { Settings } from '../../settings.js'

/** A process of the service, which updates its row while it runs. Its worker has the same ID. */
@Entity('processes')
export class ServiceProcess {
  @PrimaryColumn({ type: 'uuid' })
  id!: string

  @Column({ type: 'text' })
  role!: Settings['role']

  @Column({ type: 'text' })
  version!: string

  @Column({ type: 'text' })
  host!: string

  @Column({ type: 'integer' })
  pid!: number

  @Column({ name: 'started_at', type: 'timestamptz', precision: 3 })
  startedAt!: Date

  @Column({ name: 'seen_at', type: 'timestamptz', precision: 3 })
  seenAt!: Date

  /** Age of the oldest click in the journal of the process. Null for processes without a journal. */
  @Column({ name: 'lag_seconds', type: 'real', nullable: true })
  lagSeconds!: number | null
}

import { Column, Entity, PrimaryColumn } from 'typeorm'

/** A process that holds lanes. When it has not said so for a while, its lanes are free. */
@Entity('workers')
export class Worker {
  @PrimaryColumn({ type: 'uuid' })
  id!: string

  @Column({ name: 'alive_until', type: 'timestamptz', precision: 3 })
  aliveUntil!: Date
}

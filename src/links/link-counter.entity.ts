import { Column, Entity, Index, JoinColumn, OneToOne, PrimaryColumn } from 'typeorm'
import type { Relation } from 'typeorm'

import { Link } from './link.entity.js'

@Entity('link_counters')
@Index('link_counters_by_total', ['workspaceId', 'total', 'linkId'])
export class LinkCounter {
  @PrimaryColumn({ name: 'link_id', type: 'uuid' })
  linkId!: string

  @OneToOne(() => Link)
  @JoinColumn({ name: 'link_id', foreignKeyConstraintName: 'link_counters_link_id_fkey' })
  link?: Relation<Link>

  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string

  @Column({ type: 'bigint' })
  total!: string

  @Column({ type: 'bigint' })
  human!: string

  @Column({ name: 'last_clicked_at', type: 'timestamptz', precision: 3, nullable: true })
  lastClickedAt!: Date | null
}

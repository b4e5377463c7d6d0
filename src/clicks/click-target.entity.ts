/** What clicks have in common, kept once. */
import { Column, Entity, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm'

/** What a link led to at some time. Its clicks refer to it, also after the link was changed or deleted. */
@Entity('click_targets')
@Index('click_targets_key', { synchronize: false })
export class ClickTarget {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'ALWAYS' })
  id!: number

  @Column({ name: 'link_id', type: 'uuid' })
  linkId!: string

  @Column({ type: 'text' })
  slug!: string

  @Column({ type: 'text' })
  url!: string
}

/** One row. Clicks are written in the compact form only where no process runs that cannot read it. */
@Entity('click_form')
export class ClickForm {
  @PrimaryColumn({ name: 'is_compact', type: 'boolean' })
  isCompact!: boolean
}

import { Column, Entity, Index, JoinColumn, OneToOne, PrimaryColumn, type Relation, Unique } from 'typeorm'

/** Properties, columns and API fields have the same names. */
@Entity('links')
@Unique('links_slug_key', ['slug'])
@Index('links_external_id_key', ['workspace_id', 'external_id'], {
  unique: true,
  where: 'deleted_at IS NULL AND external_id IS NOT NULL',
})
@Index('links_by_workspace', ['workspace_id', 'id'], { where: 'deleted_at IS NULL' })
@Index('links_disabled', ['workspace_id', 'id'], { where: 'deleted_at IS NULL AND NOT enabled' })
// Defined in the migrations, because TypeORM does not support GIN indexes.
@Index('links_by_words', { synchronize: false })
export class Link {
  @PrimaryColumn({ type: 'uuid' })
  id!: string

  @Column({ type: 'uuid' })
  workspace_id!: string

  @Column({ type: 'text', collation: 'C' })
  slug!: string

  @Column({ type: 'text' })
  url!: string

  @Column({ type: 'text', nullable: true })
  title!: string | null

  @Column({ type: 'text', nullable: true })
  note!: string | null

  @Column({ type: 'text', array: true })
  tags!: string[]

  @Column({ type: 'text', nullable: true })
  external_id!: string | null

  @Column({ type: 'smallint' })
  redirect_status!: number

  @Column({ type: 'boolean' })
  forward_query!: boolean

  @Column({ type: 'boolean' })
  enabled!: boolean

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  expires_at!: Date | null

  @Column({ type: 'timestamptz', precision: 3 })
  created_at!: Date

  @Column({ type: 'timestamptz', precision: 3 })
  updated_at!: Date

  /** The row of a deleted link stays, so that the slug is never reused. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  deleted_at!: Date | null
}

@Entity('link_counters')
@Index('link_counters_by_total', ['workspace_id', 'total', 'link_id'])
export class LinkCounter {
  @PrimaryColumn({ type: 'uuid' })
  link_id!: string

  @OneToOne(() => Link)
  @JoinColumn({ name: 'link_id', foreignKeyConstraintName: 'link_counters_link_id_fkey' })
  link?: Relation<Link>

  @Column({ type: 'uuid' })
  workspace_id!: string

  @Column({ type: 'bigint' })
  total!: string

  @Column({ type: 'bigint' })
  human!: string

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  last_clicked_at!: Date | null
}

/** A link with its counters. */
export type LinkRow = Omit<Link, 'workspace_id'> & Pick<LinkCounter, 'total' | 'human' | 'last_clicked_at'>

/** Columns of a `LinkRow`. Select them from `linksWithCounters`. */
export const linkColumns = `link.id, link.slug, link.url, link.title, link.note, link.tags, link.external_id,
  link.redirect_status, link.forward_query, link.enabled, link.expires_at, link.created_at, link.updated_at, link.deleted_at,
  counter.total, counter.human, counter.last_clicked_at`

export const linksWithCounters = 'links link JOIN link_counters counter ON counter.link_id = link.id'

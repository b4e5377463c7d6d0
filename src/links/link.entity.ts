import { Column, Entity, Index, JoinColumn, OneToOne, PrimaryColumn, type Relation, Unique } from 'typeorm'

declare module '../platform/database/change-feed.js' {
  interface Topics {
    link: true
  }
}
declare module '../platform/database/ids.js' {
  interface IdPrefixes {
    lnk: 'link'
  }
}

@Entity('links')
@Unique('links_slug_key', ['slug'])
@Index('links_external_id_key', ['workspaceId', 'externalId'], {
  unique: true,
  where: 'deleted_at IS NULL AND external_id IS NOT NULL',
})
@Index('links_by_workspace', ['workspaceId', 'id'], { where: 'deleted_at IS NULL' })
@Index('links_disabled', ['workspaceId', 'id'], { where: 'deleted_at IS NULL AND NOT enabled' })
// Belongs to the migrations, because TypeORM does not know GIN.
@Index('links_by_words', { synchronize: false })
export class Link {
  @PrimaryColumn({ type: 'uuid' })
  id!: string

  @Column({ name: 'workspace_id', type: 'uuid' })
  workspaceId!: string

  @Column({ type: 'text', collation: 'C' })
  slug!: string

  @Column({ type: 'text' })
  url!: string

  @Column({ type: 'text', nullable: true })
  title!: string | null

  @Column({ type: 'text', array: true })
  tags!: string[]

  @Column({ name: 'external_id', type: 'text', nullable: true })
  externalId!: string | null

  @Column({ name: 'redirect_status', type: 'smallint' })
  redirectStatus!: number

  @Column({ name: 'forward_query', type: 'boolean' })
  forwardQuery!: boolean

  @Column({ type: 'boolean' })
  enabled!: boolean

  @Column({ name: 'expires_at', type: 'timestamptz', precision: 3, nullable: true })
  expiresAt!: Date | null

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date

  @Column({ name: 'updated_at', type: 'timestamptz', precision: 3 })
  updatedAt!: Date

  /** The row stays as the tombstone of its slug. */
  @Column({ name: 'deleted_at', type: 'timestamptz', precision: 3, nullable: true })
  deletedAt!: Date | null
}

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

/** A link as hot statements read and write it: its columns by their names, with its counters. */
export interface LinkRow {
  id: string
  slug: string
  url: string
  title: string | null
  tags: string[]
  external_id: string | null
  redirect_status: number
  forward_query: boolean
  enabled: boolean
  expires_at: Date | null
  created_at: Date
  updated_at: Date
  total: string
  human: string
  last_clicked_at: Date | null
}

export const linkColumns = `link.id, link.slug, link.url, link.title, link.tags, link.external_id, link.redirect_status,
  link.forward_query, link.enabled, link.expires_at, link.created_at, link.updated_at,
  counter.total, counter.human, counter.last_clicked_at`

export const linksWithCounters = 'links link JOIN link_counters counter ON counter.link_id = link.id'

/** A part of the statement that creates links. `change` has the new links. */
export const counterPart = `counter AS (
    INSERT INTO link_counters (link_id, workspace_id, total, human) SELECT id, workspace_id, 0, 0 FROM change
  )`

/**
 * Adds clicks to the counters of their links, as a part of the statement that writes the clicks. `counted` has a row
 * for each link, with link_id, workspace_id, total, human and last. A link's counters begin with its first click.
 * Clicks of a link that does not exist are not counted. The link is looked up in a subquery, so that PostgreSQL uses
 * its key however many links there are. All writers take the counters in the order of their links, so that they cannot
 * deadlock.
 */
export const addToLinkCounters = `
    INSERT INTO link_counters AS counter (link_id, workspace_id, total, human, last_clicked_at)
    SELECT link_id, workspace_id, total, human, last FROM counted
    WHERE (SELECT true FROM links WHERE links.id = counted.link_id)
    ORDER BY link_id
    ON CONFLICT (link_id) DO UPDATE
    SET total = counter.total + EXCLUDED.total,
        human = counter.human + EXCLUDED.human,
        last_clicked_at = GREATEST(counter.last_clicked_at, EXCLUDED.last_clicked_at)`

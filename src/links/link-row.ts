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
  /** Null for a link that was never clicked: its counter begins with the first click. */
  total: string | null
  human: string | null
  last_clicked_at: Date | null
}

export const linkColumns = `link.id, link.slug, link.url, link.title, link.tags, link.external_id, link.redirect_status,
  link.forward_query, link.enabled, link.expires_at, link.created_at, link.updated_at,
  counter.total, counter.human, counter.last_clicked_at`

export const linksWithCounters = 'links link LEFT JOIN link_counters counter ON counter.link_id = link.id'

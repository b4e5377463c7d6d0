/** The first lines that a dry run accepted, as an import would store them. */
import { newRow } from '../link-values.js'
import type { CreateLink } from '../link.dto.js'

export const previewOutcomes = ['created', 'updated', 'skipped'] as const

export interface PreviewRow {
  line: number
  outcome: (typeof previewOutcomes)[number]
  /** Null if the line has no slug. */
  slug: string | null
  url: string
  title: string | null
  tags: string[]
  expires_at: string | null
}

export function previewOf(line: number, fields: CreateLink, outcome: PreviewRow['outcome']): PreviewRow {
  const { url, title, tags, expires_at } = newRow(fields, fields.slug ?? '')
  return {
    line,
    outcome,
    slug: fields.slug ?? null,
    url,
    title,
    tags,
    expires_at: expires_at?.toISOString() ?? null,
  }
}

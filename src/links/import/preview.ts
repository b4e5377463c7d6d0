/** The first lines that a dry run accepted, as an import would store them. */
import { newRow } from '../link-values.js'
import type { CreateLink, LinkDto } from '../link.dto.js'

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

/** `updated` is the existing link after the update, or null if the line does not update a link. */
export function createPreviewRow(
  line: number,
  fields: CreateLink,
  outcome: PreviewRow['outcome'],
  updated: LinkDto | null,
): PreviewRow {
  const { url, title, tags, expires_at } = updated ?? newRow(fields, fields.slug ?? '')
  return {
    line,
    outcome,
    slug: fields.slug ?? null,
    url,
    title,
    tags,
    expires_at: expires_at instanceof Date ? expires_at.toISOString() : expires_at,
  }
}

/** Calls for bulk changes, imports, exports and tags. */
import type { BodyOf, BulkReport, Import, ItemOf, QueryOf, Tag } from '@link-service/client'

import { apiUrl } from './api-url.js'
import { service } from './client.js'

export type { BulkReport, Import }
export type BulkUpdate = BodyOf<'updateLinks'>
export type OnConflict = NonNullable<QueryOf<'createImport'>['on_conflict']>
export type HistoryEntry = ItemOf<'listLinkHistory'>

export function updateMany(update: BulkUpdate): Promise<BulkReport> {
  return service.links.updateMany(update)
}

export function deleteMany(ids: string[]): Promise<BulkReport> {
  return service.links.deleteMany({ ids })
}

export function startImport(
  format: 'csv' | 'ndjson',
  content: string,
  onConflict: OnConflict,
  isDryRun: boolean,
): Promise<Import> {
  const type = format === 'csv' ? 'text/csv' : 'application/x-ndjson'
  return service.imports.create(content, { on_conflict: onConflict, dry_run: isDryRun }, { type })
}

export function getImport(id: string, signal: AbortSignal): Promise<Import> {
  return service.imports.get(id, { signal })
}

export function importReportUrl(id: string): string {
  return apiUrl(`/v1/imports/${encodeURIComponent(id)}/report`)
}

export function exportUrl(format: 'csv' | 'ndjson', filters: Record<string, string | undefined>): string {
  return apiUrl('/v1/links/export', { ...filters, format })
}

export async function listTags(signal: AbortSignal): Promise<Tag[]> {
  const { data } = await service.tags.list({ limit: 100 }, { signal }).page()
  return data
}

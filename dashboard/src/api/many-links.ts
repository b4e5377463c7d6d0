/** Calls about many links at once, and about the tags, history and QR code of a link. */
import type { BodyOf, BulkReport, Import, ItemOf, QueryOf, Tag } from '@link-service/client'

import { addressOf } from './address-of.js'
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

export function reportAddress(id: string): string {
  return addressOf(`/v1/imports/${encodeURIComponent(id)}/report`)
}

export function exportAddress(format: 'csv' | 'ndjson', filters: Record<string, string | undefined>): string {
  return addressOf('/v1/links/export', { ...filters, format })
}

export async function listTags(signal: AbortSignal): Promise<Tag[]> {
  const { data } = await service.tags.list({ limit: 100 }, { signal }).page()
  return data
}

export async function getHistory(id: string, signal: AbortSignal): Promise<HistoryEntry[]> {
  const { data } = await service.links.history(id, {}, { signal }).page()
  return data
}

export function qrAddress(id: string, format: 'svg' | 'png', size: number): string {
  return addressOf(`/v1/links/${encodeURIComponent(id)}/qr`, { format, size })
}

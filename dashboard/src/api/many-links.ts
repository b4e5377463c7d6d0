/** Calls about many links at once, and what stands beside a link. */
import type { Link } from '@link-service/client'

import { addressOf, rawCall } from './raw-call.js'

export interface BulkReport {
  created: number
  updated: number
  deleted: number
  skipped: number
  failed: number
  results: {
    index: number
    status: string
    link: Link | null
    error: { code: string; detail: string } | null
  }[]
}

export interface BulkUpdate {
  ids: string[]
  patch?: Record<string, unknown>
  add_tags?: string[]
  remove_tags?: string[]
}

export function updateMany(update: BulkUpdate): Promise<BulkReport> {
  return rawCall('/v1/links/bulk/update', { method: 'POST', body: update })
}

export function deleteMany(ids: string[]): Promise<BulkReport> {
  return rawCall('/v1/links/bulk/delete', { method: 'POST', body: { ids } })
}

export type OnConflict = 'fail' | 'skip' | 'update'

export interface Import {
  id: string
  status: 'waiting' | 'running' | 'finished' | 'canceled' | 'failed'
  lines: number
  created: number
  updated: number
  skipped: number
  failed: number
  error?: string | null
}

export function startImport(
  format: 'csv' | 'ndjson',
  content: string,
  onConflict: OnConflict,
  isDryRun: boolean,
): Promise<Import> {
  const type = format === 'csv' ? 'text/csv' : 'application/x-ndjson'
  return rawCall('/v1/imports', {
    method: 'POST',
    query: { on_conflict: onConflict, dry_run: isDryRun },
    text: { type, content },
  })
}

export function getImport(id: string, signal: AbortSignal): Promise<Import> {
  return rawCall(`/v1/imports/${id}`, { signal })
}

export function reportAddress(id: string): string {
  return addressOf(`/v1/imports/${id}/report`)
}

export function exportAddress(format: 'csv' | 'ndjson', filters: Record<string, string | undefined>): string {
  return addressOf('/v1/links/export', { ...filters, format })
}

export interface Tag {
  name: string
  links: number
}

export async function listTags(signal: AbortSignal): Promise<Tag[]> {
  const { data } = await rawCall<{ data: { tag: string; links: number }[] }>('/v1/tags', {
    query: { limit: 100 },
    signal,
  })
  return data.map((each) => ({ name: each.tag, links: each.links }))
}

export interface HistoryEntry {
  id: string
  action: string
  actor: { type: string; id: string | null }
  fields: string[]
  request_id: string | null
  occurred_at: string
}

export async function getHistory(id: string, signal: AbortSignal): Promise<HistoryEntry[]> {
  const page = await rawCall<{ data: HistoryEntry[] }>(`/v1/links/${id}/history`, { signal })
  return page.data
}

export function qrAddress(id: string, format: 'svg' | 'png', size: number): string {
  return addressOf(`/v1/links/${id}/qr`, { format, size })
}

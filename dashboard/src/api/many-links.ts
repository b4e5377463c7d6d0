/** Calls for imports, exports and tags. */
import { LinkService } from '@link-service/client'
import type { Import, ItemOf, QueryOf, Tag } from '@link-service/client'

import { apiUrl } from './api-url.js'
import { fetchOrSignOut, service, serviceOptions } from './client.js'

export type { Import }
export type OnConflict = NonNullable<QueryOf<'createImport'>['on_conflict']>
export type HistoryEntry = ItemOf<'listLinkHistory'>

export function startImport(
  format: 'csv' | 'ndjson',
  content: string,
  onConflict: OnConflict,
  isDryRun: boolean,
): Promise<Import> {
  const type = format === 'csv' ? 'text/csv' : 'application/x-ndjson'
  return service.imports.create(content, { on_conflict: onConflict, dry_run: isDryRun }, { type })
}

/**
 * Retries temporary failures without a limit, because the import continues while its status cannot be read. Calls
 * `onRetry` before each retry.
 */
export function getImport(id: string, onRetry: () => void, signal?: AbortSignal): Promise<Import> {
  const { imports } = new LinkService({ ...serviceOptions, fetch: fetchOrSignOut, onRetry })
  return imports.get(id, { signal, maxRetries: Infinity })
}

/** A line that was not imported, with its errors. */
export interface FailedLine {
  line: number
  errors: { field: string | null; detail: string }[]
}

/** Reads the first lines of the report of an import, which can be long. */
export async function listFailedLines(id: string, limit: number, signal: AbortSignal): Promise<FailedLine[]> {
  const report = await service.imports.report(id, { signal })
  const reader = report.getReader()
  const decoder = new TextDecoder()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    text += decoder.decode(value, { stream: !done })
    const lines = text.split('\n').slice(0, -1)
    if (!done && lines.length < limit) continue
    void reader.cancel()
    return lines.slice(0, limit).map((line) => JSON.parse(line) as FailedLine)
  }
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

/** Streams the audit log as CSV, page by page, so that an export of any size takes little memory. */
import { Readable } from 'node:stream'

import { csvLine } from '../platform/util/csv.js'
import type { AuditEntryDto } from './audit.dto.js'

export const auditColumns = [
  'occurred_at',
  'action',
  'object_type',
  'object_id',
  'object_name',
  'actor_type',
  'actor_id',
  'actor_name',
  'address',
  'request_id',
  'details',
  'id',
] as const

/** Reads the entries before an ID, newest first. Null starts at the newest entry. */
type ReadEntries = (before: string | null) => Promise<{ entries: AuditEntryDto[]; last: string | null }>

const timeoutMs = 10 * 60_000

/** The stream fails after ten minutes, or when the signal aborts. */
export function auditCsv(read: ReadEntries, stopping: AbortSignal): Readable {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(timeoutMs)])
  return Readable.from(pages(read), { objectMode: false, signal })
}

async function* pages(read: ReadEntries): AsyncGenerator<string> {
  yield csvLine(auditColumns)
  for (let before: string | null = null; ;) {
    const { entries, last }: Awaited<ReturnType<ReadEntries>> = await read(before)
    if (last === null) return
    yield entries.map(formatAuditLine).join('')
    before = last
  }
}

function formatAuditLine(entry: AuditEntryDto): string {
  const { id, occurred_at, action, object, actor, address, request_id, details } = entry
  const cells = {
    occurred_at,
    action,
    object_type: object.type,
    object_id: object.id,
    object_name: object.name,
    actor_type: actor.type,
    actor_id: actor.id,
    actor_name: actor.name,
    address,
    request_id,
    details: JSON.stringify(details),
    id,
  }
  return csvLine(auditColumns.map((name) => cells[name]))
}

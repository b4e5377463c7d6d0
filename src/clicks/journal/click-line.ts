/**
 * One click, one line of printable ASCII: fields between tabs, a checksum at the end.
 *
 *     1 ⇥ id ⇥ link ⇥ workspace ⇥ slug ⇥ url ⇥ user agent ⇥ referer ⇥ language ⇥ address ⇥ country ⇥ crc32 ⏎
 *
 * A visit with a query is a line of version 2, which has the query behind the country.
 *
 * Whatever is not printable ASCII is escaped, so no text of a visitor can end a field or a line, and a line has as
 * many bytes as characters. A line whose checksum is wrong was torn or damaged; the next one starts after its newline.
 */
import { crc32 } from 'node:zlib'

import { timeOf } from '../../platform/database/ids.js'
import type { Visit } from '../../links/redirect/visit.js'
import { visitLimits } from './click.js'
import type { Click } from './click.js'

/** How many hexadecimal digits the checksum takes. */
export const checksumDigits = 8
export const tab = 9
/** How many fields a line of each version has. Lines of all of them are read, whoever wrote them. */
const fieldCounts: Readonly<Record<string, number>> = { 1: 11, 2: 12 }

// Everything but printable ASCII, and the backslash that begins an escape.
const unsafe = /[^\x20-\x5b\x5d-\x7e]/
const everyUnsafe = /[^\x20-\x5b\x5d-\x7e]/g
const everyEscape = /\\u([0-9a-f]{4})/g

/** All of a line before its checksum. */
export function fieldsOf(id: string, visit: Visit): string {
  return (
    `${visit.query === '' ? '1' : '2'}\t${id}\t${visit.linkId}\t${visit.workspaceId}\t${safe(visit.slug, visitLimits.slug)}` +
    `\t${safe(visit.url, visitLimits.url)}\t${safe(visit.userAgent, visitLimits.userAgent)}` +
    `\t${safe(visit.referer, visitLimits.referer)}\t${safe(visit.acceptLanguage, visitLimits.acceptLanguage)}` +
    `\t${safe(visit.address, visitLimits.address)}\t${safe(visit.country, visitLimits.country)}` +
    (visit.query === '' ? '' : `\t${safe(visit.query, visitLimits.query)}`)
  )
}

/** The click of a line (without its newline), or null when the line is not whole. */
export function decodeClick(line: Buffer): Click | null {
  const checksumAt = line.length - checksumDigits - 1
  if (line[checksumAt] !== tab) return null
  const checksum = checksumOf(line.subarray(0, checksumAt)).toString(16).padStart(checksumDigits, '0')
  if (checksum !== line.toString('latin1', checksumAt + 1)) return null
  const text = line.toString('latin1', 0, checksumAt)
  const fields = text.split('\t')
  if (fields.length !== fieldCounts[fields[0]!]) return null
  const [
    ,
    id,
    linkId,
    workspaceId,
    slug,
    url,
    userAgent,
    referer,
    acceptLanguage,
    address,
    country,
    query = '',
  ] = text.includes('\\') ? fields.map(restored) : fields
  return {
    id,
    linkId,
    workspaceId,
    slug,
    url,
    userAgent,
    referer,
    acceptLanguage,
    address,
    country,
    query,
    time: timeOf(id!).getTime(),
  } as Click
}

export function checksumOf(fields: Uint8Array): number {
  return crc32(fields)
}

function safe(text: string, limit: number): string {
  const cut = text.length > limit ? text.slice(0, limit) : text
  return unsafe.test(cut) ? cut.replace(everyUnsafe, escaped) : cut
}

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function restored(field: string): string {
  return field.replace(everyEscape, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
}

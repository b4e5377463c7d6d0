/**
 * One click, one line of printable ASCII: fields between tabs, a checksum at the end.
 *
 *     1 ⇥ id ⇥ link ⇥ workspace ⇥ slug ⇥ url ⇥ user agent ⇥ referer ⇥ language ⇥ address ⇥ country ⇥ crc32 ⏎
 *
 * Whatever is not printable ASCII is escaped, so no text of a visitor can end a field or a line, and a line has as
 * many bytes as characters. A line whose checksum is wrong was torn or damaged; the next one starts after its newline.
 */
import { crc32 } from 'node:zlib'

import { timeOfClick } from './click-id.js'
import { visitLimits } from './click.js'
import type { Click, Visit } from './click.js'

const version = '1'
const fieldCount = 11

// Everything but printable ASCII, and the backslash that begins an escape.
const unsafe = /[^\x20-\x5b\x5d-\x7e]/
const everyUnsafe = /[^\x20-\x5b\x5d-\x7e]/g
const hex3 = Array.from({ length: 4096 }, (_, i) => i.toString(16).padStart(3, '0'))
const hex2 = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0'))
const everyEscape = /\\u([0-9a-f]{4})/g

export function encodeClick(id: string, visit: Visit): string {
  const fields =
    `${version}\t${id}\t${visit.linkId}\t${visit.workspaceId}\t${safe(visit.slug, visitLimits.slug)}` +
    `\t${safe(visit.url, visitLimits.url)}\t${safe(visit.userAgent, visitLimits.userAgent)}` +
    `\t${safe(visit.referer, visitLimits.referer)}\t${safe(visit.acceptLanguage, visitLimits.acceptLanguage)}` +
    `\t${safe(visit.address, visitLimits.address)}\t${safe(visit.country, visitLimits.country)}`
  return `${fields}\t${checksum(fields)}\n`
}

/** The click of a line (without its newline), or null when the line is not whole. */
export function decodeClick(line: string): Click | null {
  const checksumAt = line.lastIndexOf('\t')
  if (checksumAt < 0) return null
  const text = line.slice(0, checksumAt)
  if (checksum(text) !== line.slice(checksumAt + 1)) return null
  const fields = text.split('\t')
  if (fields.length !== fieldCount || fields[0] !== version) return null
  const [, id, linkId, workspaceId, slug, url, userAgent, referer, acceptLanguage, address, country] =
    text.includes('\\') ? fields.map(restored) : fields
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
    time: timeOfClick(id!),
  } as Click
}

/** Eight hex digits out of tables: `toString(16)` costs as much as the checksum itself. */
function checksum(text: string): string {
  const value = crc32(text)
  return `${hex3[value >>> 20]}${hex3[(value >>> 8) & 0xfff]}${hex2[value & 0xff]}`
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

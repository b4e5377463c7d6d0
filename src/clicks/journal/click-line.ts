/**
 * One click, one line of printable ASCII: fields between tabs, a checksum at the end.
 *
 *     1 ⇥ id ⇥ link ⇥ workspace ⇥ slug ⇥ url ⇥ user agent ⇥ referer ⇥ language ⇥ address ⇥ country ⇥ query ⇥ crc32 ⏎
 *
 * Whatever is not printable ASCII is escaped, so no text of a visitor can end a field or a line, and a line has as
 * many bytes as characters. A line whose checksum is wrong was torn or damaged; the next one starts after its newline.
 */
import { crc32 } from 'node:zlib'

import type { Visit } from '../../links/redirect/redirect-handler.js'
import { timeOf } from '../../platform/database/ids.js'

/** A visit read back from the journal. */
export interface Click extends Visit {
  id: string
  /** Unix time in milliseconds, taken from the id so that both always agree. */
  time: number
}

/** How many characters of each field are kept. Longer texts are cut, never refused. */
export const visitLimits = {
  slug: 64,
  url: 16_384,
  userAgent: 512,
  referer: 2_048,
  acceptLanguage: 128,
  address: 64,
  country: 16,
  query: 4_096,
} as const

/** How many hexadecimal digits the checksum takes. */
const checksumDigits = 8
const tab = 9
const version = '1'
const fieldCount = 12

// Everything but printable ASCII, and the backslash that begins an escape.
const unsafe = /[^\x20-\x5b\x5d-\x7e]/
const everyUnsafe = /[^\x20-\x5b\x5d-\x7e]/g
const everyEscape = /\\u([0-9a-f]{4})/g

/** The part of a line before its checksum. */
export function fieldsOf(id: string, visit: Visit): string {
  return (
    `${version}\t${id}\t${visit.linkId}\t${visit.workspaceId}\t${safe(visit.slug, visitLimits.slug)}` +
    `\t${safe(visit.url, visitLimits.url)}\t${safe(visit.userAgent, visitLimits.userAgent)}` +
    `\t${safe(visit.referer, visitLimits.referer)}\t${safe(visit.acceptLanguage, visitLimits.acceptLanguage)}` +
    `\t${safe(visit.address, visitLimits.address)}\t${safe(visit.country, visitLimits.country)}` +
    `\t${safe(visit.query, visitLimits.query)}`
  )
}

/** The click of a line (without its newline), or null when the line is not whole. */
export function decodeClick(line: string): Click | null {
  const checksumAt = line.length - checksumDigits
  if (line[checksumAt - 1] !== '\t') return null
  const text = line.slice(0, checksumAt - 1)
  if (crc32(text).toString(16).padStart(checksumDigits, '0') !== line.slice(checksumAt)) return null
  const fields = text.split('\t')
  if (fields[0] !== version || fields.length !== fieldCount) return null
  const [, id, linkId, workspaceId, slug, url, userAgent, referer, acceptLanguage, address, country, query] =
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
    query,
    time: timeOf(id!).getTime(),
  } as Click
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

const newline = 10
const hexDigits = Buffer.from('0123456789abcdef', 'latin1')

/**
 * The lines of a group, as the bytes that go to the file. Each line is encoded, with its checksum, while its text is
 * still at hand: joining strings first and encoding them at the end costs twice as much.
 */
export class LineBuffer {
  lineCount = 0
  length = 0
  private buffer = Buffer.allocUnsafe(256 * 1024)

  /** How many bytes a line with these fields takes. */
  static lengthOf(fields: string): number {
    return fields.length + 2 + checksumDigits
  }

  /** Adds a line. The fields are ASCII, so they have as many bytes as characters. */
  add(fields: string): void {
    const start = this.length
    if (start + LineBuffer.lengthOf(fields) > this.buffer.length) this.grow(LineBuffer.lengthOf(fields))
    const { buffer } = this
    const end = start + buffer.write(fields, start, 'latin1')
    const checksum = crc32(buffer.subarray(start, end))
    let at = end
    buffer[at++] = tab
    for (let shift = 28; shift >= 0; shift -= 4) buffer[at++] = hexDigits[(checksum >>> shift) & 15]!
    buffer[at++] = newline
    this.length = at
    this.lineCount++
  }

  /** The lines so far. Use them before `clear`, because the bytes are used again. */
  bytes(): Buffer {
    return this.buffer.subarray(0, this.length)
  }

  clear(): void {
    this.length = 0
    this.lineCount = 0
  }

  private grow(room: number): void {
    const larger = Buffer.allocUnsafe(2 * this.buffer.length + room)
    this.buffer.copy(larger, 0, 0, this.length)
    this.buffer = larger
  }
}

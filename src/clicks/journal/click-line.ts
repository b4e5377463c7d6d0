/**
 * The format of the journal: one line of printable ASCII for each click, with tab-separated fields and a checksum.
 *
 *     1 ⇥ id ⇥ link ⇥ workspace ⇥ slug ⇥ url ⇥ user agent ⇥ referer ⇥ language ⇥ address ⇥ country ⇥ query ⇥ crc32 ⏎
 *
 * A traced redirect adds `& ` and its traceparent to the query. No request can contain `& `, because a space ends the
 * URL of a request. Processes of 0.1.0 can adopt a journal: they treat the addition as an unknown parameter.
 *
 * All other characters are escaped, so a visitor's headers cannot end a field or a line. A line with a wrong checksum
 * is torn or damaged. The next line starts after its newline.
 */
import { crc32 } from 'node:zlib'

import type { Visit } from '../../links/redirect/redirect-handler.js'
import { getIdTime } from '../../platform/database/ids.js'
import { parseTraceparent, traceparentLength } from '../../platform/util/tracer.js'

/** A visit read back from the journal. */
export interface Click extends Visit {
  id: string
  /** Unix time in milliseconds, taken from the ID. */
  time: number
}

export interface DecodedLines {
  clicks: Click[]
  /** Number of lines that a crash or a disk fault made unreadable. */
  torn: number
}

/** Maximum length of each field, in characters. Longer values are truncated. */
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

/** Length of the checksum in hexadecimal digits. */
const checksumDigits = 8
const tab = 9
const version = '1'
const fieldCount = 12
/** Precedes a traceparent at the end of the query. */
const traceMark = '& '

// All characters except printable ASCII, and the backslash that starts an escape.
const unsafe = /[^\x20-\x5b\x5d-\x7e]/
const everyUnsafe = /[^\x20-\x5b\x5d-\x7e]/g
const everyEscape = /\\u([0-9a-f]{4})/g

/** Returns the part of a line before its checksum. */
export function encodeFields(id: string, visit: Visit): string {
  return (
    `${version}\t${id}\t${visit.linkId}\t${visit.workspaceId}\t${escapeField(visit.slug, visitLimits.slug)}` +
    `\t${escapeField(visit.url, visitLimits.url)}\t${escapeField(visit.userAgent, visitLimits.userAgent)}` +
    `\t${escapeField(visit.referer, visitLimits.referer)}\t${escapeField(visit.acceptLanguage, visitLimits.acceptLanguage)}` +
    `\t${escapeField(visit.address, visitLimits.address)}\t${escapeField(visit.country, visitLimits.country)}` +
    `\t${escapeField(visit.query, visitLimits.query)}` +
    (visit.traceparent === '' ? '' : traceMark + visit.traceparent)
  )
}

/** Decodes all lines of a segment, and counts the lines that are damaged. */
export function decodeLines(bytes: Uint8Array): DecodedLines {
  const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1').split('\n')
  const clicks: Click[] = []
  let torn = 0
  for (const line of lines) {
    if (line === '') continue
    const click = decodeClick(line)
    if (click) clicks.push(click)
    else torn++
  }
  return { clicks, torn }
}

/** Decodes a line without its newline. Returns null if the line is damaged. */
export function decodeClick(line: string): Click | null {
  const checksumAt = line.length - checksumDigits
  if (line[checksumAt - 1] !== '\t') return null
  const text = line.slice(0, checksumAt - 1)
  if (crc32(text).toString(16).padStart(checksumDigits, '0') !== line.slice(checksumAt)) return null
  const fields = text.split('\t')
  if (fields[0] !== version || fields.length !== fieldCount) return null
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
    lastField,
  ] = text.includes('\\') ? fields.map(unescapeField) : fields
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
    ...splitTrace(lastField!),
    time: getIdTime(id!).getTime(),
  } as Click
}

/** Splits the last field of a line into the query and the traceparent. */
function splitTrace(field: string): Pick<Visit, 'query' | 'traceparent'> {
  const markAt = field.length - traceparentLength - traceMark.length
  if (markAt < 0 || !field.startsWith(traceMark, markAt)) return { query: field, traceparent: '' }
  const traceparent = field.slice(markAt + traceMark.length)
  return parseTraceparent(traceparent)
    ? { query: field.slice(0, markAt), traceparent }
    : { query: field, traceparent: '' }
}

function escapeField(text: string, limit: number): string {
  const truncated = text.length > limit ? text.slice(0, limit) : text
  return unsafe.test(truncated) ? truncated.replace(everyUnsafe, escapeCharacter) : truncated
}

function escapeCharacter(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function unescapeField(field: string): string {
  return field.replace(everyEscape, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
}

const newline = 10
const hexDigits = Buffer.from('0123456789abcdef', 'latin1')

/** The lines of a group as bytes. Encoding each line as it is added is twice as fast as encoding joined strings. */
export class LineBuffer {
  lineCount = 0
  length = 0
  private buffer = Buffer.allocUnsafe(256 * 1024)

  /** Returns the length in bytes of a line with these fields. */
  static getByteLength(fields: string): number {
    return fields.length + 2 + checksumDigits
  }

  /** Adds a line. The fields are ASCII: one byte for each character. */
  appendLine(fields: string): void {
    const start = this.length
    if (start + LineBuffer.getByteLength(fields) > this.buffer.length)
      this.grow(LineBuffer.getByteLength(fields))
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

  /** Returns the lines so far. The buffer is reused after `clear`. */
  getBytes(): Buffer {
    return this.buffer.subarray(0, this.length)
  }

  clear(): void {
    this.length = 0
    this.lineCount = 0
  }

  private grow(extraBytes: number): void {
    const larger = Buffer.allocUnsafe(2 * this.buffer.length + extraBytes)
    this.buffer.copy(larger, 0, 0, this.length)
    this.buffer = larger
  }
}

/**
 * Splits a window of a file into records. Positions are byte offsets, so a character can span two windows. If an error
 * makes the end of a record unknown, only its first line is skipped.
 */
import { isUtf8 } from 'node:buffer'

import type { FieldErrorCode } from '../../../field-errors.js'
import { maxRecordBytes } from '../limits.js'

const newline = 0x0a
const carriageReturn = 0x0d
const quote = 0x22

export interface Window {
  bytes: Buffer
  /** Whether the file ends with this window. */
  isLast: boolean
}

interface Extent {
  /** Offset in the window after the record and its newline. */
  end: number
  /** Number of newlines in the record. */
  lines: number
}

export type RecordRead<T> = Extent & {
  /** Whether an invalid line continues after the window, where it must be skipped. */
  isCut: boolean
  value: T | null
  fault: LineFault | null
}

/** Returns null if the window ends before the record. */
export type ReadRecord<T> = (window: Window, from: number) => RecordRead<T> | null

/** Reads one line as text. */
export const readTextRecord: ReadRecord<string> = (window, from) => {
  const { bytes, isLast } = window
  const stop = bytes.indexOf(newline, from)
  const end = stop === -1 ? bytes.length : stop
  if (end - from > maxRecordBytes) return tooLong(window, from)
  if (stop === -1 && !isLast) return null
  const extent = { end: stop === -1 ? end : stop + 1, lines: stop === -1 ? 0 : 1 }
  return createTextRecord(bytes, from, end, extent, () => bytes.toString('utf8', from, end))
}

/** Reads the cells of one CSV record by RFC 4180, but with any separator. */
export function csvRecordReader(separator: string): ReadRecord<string[]> {
  const between = separator.charCodeAt(0)
  return (window, from) => {
    const { bytes, isLast } = window
    const cells: { from: number; to: number; isQuoted: boolean }[] = []
    let at = from
    for (;;) {
      const isQuoted = bytes[at] === quote
      const to = isQuoted ? closingQuote(bytes, at + 1) : at
      if (to === -1) return isLast || bytes.length - from > maxRecordBytes ? notClosed(window, from) : null
      let next = isQuoted ? to + 1 : to
      const begin = next
      while (next < bytes.length && bytes[next] !== between && bytes[next] !== newline) next++
      const isEnd = next === bytes.length || bytes[next] === newline
      const stop = isEnd && next > begin && bytes[next - 1] === carriageReturn ? next - 1 : next
      if (next === bytes.length && !isLast) return next - from > maxRecordBytes ? tooLong(window, from) : null
      if (next - from > maxRecordBytes) return isQuoted ? notClosed(window, from) : tooLong(window, from)
      if (isQuoted && stop > begin)
        return skipLine(
          window,
          from,
          lineFault('bad_quotes', 'Text follows a closing quote. Double each quote inside a quoted cell.'),
        )
      cells.push(isQuoted ? { from: at + 1, to, isQuoted } : { from: at, to: stop, isQuoted })
      if (!isEnd) {
        at = next + 1
        continue
      }
      const end = next === bytes.length ? next : next + 1
      const last = cells.at(-1)!
      return createTextRecord(bytes, from, last.to, { end, lines: count(bytes, newline, from, end) }, () =>
        cells.map((cell) => decodeCell(bytes, cell)),
      )
    }
  }
}

/** Finds the end of a line that must be skipped. */
export function findLineEnd({ bytes }: Window, from: number): Extent & { isCut: boolean } {
  const stop = bytes.indexOf(newline, from)
  return stop === -1
    ? { end: bytes.length, lines: 0, isCut: true }
    : { end: stop + 1, lines: 1, isCut: false }
}

/** Decodes bytes for display. Replaces invalid UTF-8 and NUL, which PostgreSQL cannot store. */
export function printableText(bytes: Buffer): string {
  return bytes
    .toString('utf8')
    .replace(/\r?\n$/, '')
    .replaceAll('\0', '\ufffd')
}

function createTextRecord<T>(
  bytes: Buffer,
  from: number,
  to: number,
  extent: Extent,
  read: () => T,
): RecordRead<T> {
  const record = bytes.subarray(from, to)
  const fault = !isUtf8(record)
    ? lineFault('invalid_utf8', 'The line is not valid UTF-8. Save the file as UTF-8.')
    : record.includes(0)
      ? lineFault('nul_byte', 'The line contains a NUL byte. Remove the byte.')
      : null
  return fault
    ? { ...extent, isCut: false, value: null, fault }
    : { ...extent, isCut: false, value: read(), fault: null }
}

function closingQuote(bytes: Buffer, from: number): number {
  for (let at = from; ; at += 2) {
    at = bytes.indexOf(quote, at)
    if (at === -1 || bytes[at + 1] !== quote) return at
  }
}

function decodeCell(
  bytes: Buffer,
  { from, to, isQuoted }: { from: number; to: number; isQuoted: boolean },
): string {
  const text = bytes.toString('utf8', from, to)
  return isQuoted && text.includes('""') ? text.replaceAll('""', '"') : text
}

function tooLong(window: Window, from: number): RecordRead<never> {
  return skipLine(
    window,
    from,
    lineFault('line_too_long', 'The line is longer than 64 KiB. Shorten the line.'),
  )
}

function notClosed(window: Window, from: number): RecordRead<never> {
  const { end } = findLineEnd(window, from)
  if (end - from > maxRecordBytes) return tooLong(window, from)
  return skipLine(
    window,
    from,
    lineFault(
      'open_quote',
      'A quote that opens here is not closed within 64 KiB. Close the quote, or double it if it is part of the text.',
    ),
  )
}

function skipLine(window: Window, from: number, fault: LineFault): RecordRead<never> {
  const extent = findLineEnd(window, from)
  return { ...extent, isCut: extent.isCut && !window.isLast, value: null, fault }
}

function count(bytes: Buffer, byte: number, from: number, to: number): number {
  let total = 0
  for (let at = bytes.indexOf(byte, from); at !== -1 && at < to; at = bytes.indexOf(byte, at + 1)) total++
  return total
}

/** An error of a line. `field` is null if the error concerns the whole line. */
export interface LineFault {
  field: string | null
  code: FieldErrorCode
  detail: string
}

/** Unvalidated fields of a link. */
export type LineFields = Record<string, unknown>

export type Line = {
  /** Number of the first line of the record, starting at 1. */
  number: number
  /** Text of the record, for the report. */
  content: string
} & ({ fields: LineFields; fault: null } | { fields: null; fault: LineFault })

export function lineFault(code: FieldErrorCode, detail: string): LineFault {
  return { field: null, code, detail }
}

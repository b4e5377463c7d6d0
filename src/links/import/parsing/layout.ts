/** Detects the format, the separator and the columns from the beginning of a file. */
import type { FieldErrorCode } from '../../../field-errors.js'
import { parseJsonObject } from '../../../platform/http/input/strict-json.js'
import { containers, formatNames } from '../../link-fields.js'
import { formats, hasFormat, normalizedName, recognizeFormat } from './formats.js'
import type { Container, FormatName } from '../../link-fields.js'
import { csvRecordReader, readTextRecord } from './records.js'
import type { Window } from './records.js'
import { unprotected } from '../../../platform/util/csv.js'

export interface Layout {
  container: Container
  format: FormatName
  /** Separator of CSV. Empty for NDJSON. */
  separator: string
  /** Header row of CSV. Empty for NDJSON. */
  columns: string[]
  /** Offset and number of the first line to import. */
  offset: number
  line: number
}

/** Thrown for a file that cannot be imported at all. */
export class UnreadableFile extends Error {
  constructor(
    readonly code: FieldErrorCode,
    detail: string,
  ) {
    super(detail)
  }
}

const separators = [',', ';', '\t'] as const
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])
const utf16Marks = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])]
const maxColumns = 200
const loneCarriageReturn = /\r(?!\n)/
const columnsInError = 20

/** Detects the layout. `window` has at least the first record. */
export function detectLayout(window: Window, container: Container, requested?: FormatName): Layout {
  const { bytes } = window
  if (utf16Marks.some((mark) => startsWith(bytes, mark)))
    throw new UnreadableFile('not_utf8', 'The file is UTF-16. Save it as UTF-8 and send it again.')
  const from = startsWith(bytes, byteOrderMark) ? byteOrderMark.length : 0
  return container === 'csv' ? csvLayout(window, from, requested) : jsonLayout(window, from, requested)
}

function csvLayout(window: Window, from: number, requested?: FormatName): Layout {
  const start = withoutEmptyLines(window, from)
  const separator = detectSeparator(window, start.offset)
  const header = csvRecordReader(separator)(window, start.offset)
  if (header?.fault)
    throw new UnreadableFile(header.fault.code, `The header row cannot be read. ${header.fault.detail}`)
  const columns = header?.value?.map((name) => unprotected(name).trim()) ?? []
  if (columns.length > maxColumns)
    throw new UnreadableFile(
      'too_many_columns',
      `The header row has ${columns.length} columns. At most ${maxColumns} are allowed.`,
    )
  const duplicate = columns.find((name, at) => name !== '' && columns.indexOf(name) !== at)
  if (duplicate !== undefined)
    throw new UnreadableFile(
      'duplicate_column',
      `The header row has the column ${JSON.stringify(shortened(duplicate))} twice. Remove one of them.`,
    )
  if (columns.some((name) => loneCarriageReturn.test(name)))
    throw new UnreadableFile(
      'unsupported_line_endings',
      'The lines end with a carriage return (CR) only. Save the file with LF or CRLF line endings.',
    )
  const format = detectFormat(columns, 'csv', requested)
  return {
    container: 'csv',
    format,
    separator,
    columns,
    offset: header?.end ?? start.offset,
    line: start.line + (header?.lines ?? 0),
  }
}

function jsonLayout(window: Window, from: number, requested?: FormatName): Layout {
  const start = withoutEmptyLines(window, from)
  const columns = parseJsonKeys(readTextRecord(window, start.offset)?.value)
  const format = columns === null ? (requested ?? 'ndjson') : detectFormat(columns, 'ndjson', requested)
  return { container: 'ndjson', format, separator: '', columns: [], offset: from, line: 1 }
}

/** Returns null if the first line is not a JSON object. The line reader reports that error. */
function parseJsonKeys(text: string | null | undefined): string[] | null {
  const object = parseJsonObject(text ?? '')
  return object && Object.keys(object)
}

function withoutEmptyLines({ bytes }: Window, from: number): { offset: number; line: number } {
  let offset = from
  let line = 1
  for (let at = from; at < bytes.length; at++) {
    if (bytes[at] === 0x0a) {
      offset = at + 1
      line++
    } else if (bytes[at] !== 0x0d && bytes[at] !== 0x20) return { offset, line }
  }
  throw new UnreadableFile(
    'empty',
    'The file is empty. Send CSV with a header row, or one JSON object per line.',
  )
}

/** Prefers a separator with which the header row is known, then the most frequent one in its first line. */
function detectSeparator(window: Window, from: number): string {
  const { bytes } = window
  const stop = bytes.indexOf(0x0a, from)
  const line = bytes.toString('latin1', from, stop === -1 ? bytes.length : stop)
  const ranked = separators.map((separator) => {
    const names = csvRecordReader(separator)(window, from)?.value ?? []
    const isKnown = recognizeFormat(names, 'csv') !== null
    return { separator, rank: (isKnown ? bytes.length : 0) + line.split(separator).length }
  })
  return ranked.reduce((best, each) => (each.rank > best.rank ? each : best)).separator
}

function detectFormat(columns: readonly string[], container: Container, requested?: FormatName): FormatName {
  const shownColumns = columns.slice(0, columnsInError).map((name) => JSON.stringify(shortened(name)))
  if (requested === undefined) {
    const format = recognizeFormat(columns, container)
    if (format) return format
    throw new UnreadableFile(
      'unknown_columns',
      `The columns do not match a supported export: ${shownColumns.join(', ')}. Your own file needs at least the column "url". For an export, set format to one of ${formatNames.join(', ')}.`,
    )
  }
  if (containers.some((name) => name === requested && name !== container))
    throw new UnreadableFile(
      'format_mismatch',
      `The file is ${container}, but the parameter format is ${requested}. Fix or omit the parameter.`,
    )
  const { recognizedBy } = formats[requested]
  if (hasFormat(new Set(columns.map(normalizedName)), formats[requested])) return requested
  throw new UnreadableFile(
    'other_columns',
    `An export of ${requested} has the columns ${recognizedBy.map((names) => names.join(' and ')).join(', or ')}. This file has ${shownColumns.join(', ')}. Omit the parameter format to detect the format.`,
  )
}

function shortened(name: string): string {
  return name.slice(0, 64)
}

function startsWith(bytes: Buffer, mark: Buffer): boolean {
  return bytes.subarray(0, mark.length).equals(mark)
}

/** What the beginning of a body tells about the rest: the format, the separator and the columns. */
import type { FieldErrorCode } from '../../../field-errors.js'
import { jsonObjectIn } from '../../../platform/http/input/strict-json.js'
import { containers, formatNames } from '../../link-fields.js'
import { formats, isOf, plainName, recognise } from './formats.js'
import type { Container, FormatName } from '../../link-fields.js'
import { csvRecordReader, readTextRecord } from './records.js'
import type { Window } from './records.js'
import { unprotected } from '../../../platform/util/csv.js'

export interface Layout {
  container: Container
  format: FormatName
  /** The separator of CSV; empty for NDJSON. */
  separator: string
  /** The header of CSV; empty for NDJSON, where each line has its own. */
  columns: string[]
  /** Where the first line to import begins, and the number of that line. */
  offset: number
  line: number
}

/** Why a body cannot be imported at all. */
export class UnreadableBody extends Error {
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
const mostColumns = 200
const loneCarriageReturn = /\r(?!\n)/
const namedInError = 20

/** `window` holds at least the first record, or the whole body. */
export function layoutOf(window: Window, container: Container, wanted?: FormatName): Layout {
  const { bytes } = window
  if (utf16Marks.some((mark) => startsWith(bytes, mark)))
    throw new UnreadableBody('not_utf8', 'The file is UTF-16. Save it as UTF-8 and send it again.')
  const from = startsWith(bytes, byteOrderMark) ? byteOrderMark.length : 0
  return container === 'csv' ? csvLayout(window, from, wanted) : jsonLayout(window, from, wanted)
}

function csvLayout(window: Window, from: number, wanted?: FormatName): Layout {
  const start = withoutEmptyLines(window, from)
  const separator = separatorOf(window, start.offset)
  const header = csvRecordReader(separator)(window, start.offset)
  if (header?.fault)
    throw new UnreadableBody(header.fault.code, `The header cannot be read. ${header.fault.detail}`)
  const columns = header?.value?.map((name) => unprotected(name).trim()) ?? []
  if (columns.length > mostColumns)
    throw new UnreadableBody(
      'too_many_columns',
      `The header has ${columns.length} columns, and ${mostColumns} are the most.`,
    )
  const twice = columns.find((name, at) => name !== '' && columns.indexOf(name) !== at)
  if (twice !== undefined)
    throw new UnreadableBody(
      'column_twice',
      `The column ${JSON.stringify(shortened(twice))} stands twice in the header. Remove one.`,
    )
  if (columns.some((name) => loneCarriageReturn.test(name)))
    throw new UnreadableBody(
      'line_ends',
      'The lines end with CR alone. Save the file with LF or CRLF at the end of each line.',
    )
  const format = formatOf(columns, 'csv', wanted)
  return {
    container: 'csv',
    format,
    separator,
    columns,
    offset: header?.end ?? start.offset,
    line: start.line + (header?.lines ?? 0),
  }
}

function jsonLayout(window: Window, from: number, wanted?: FormatName): Layout {
  const start = withoutEmptyLines(window, from)
  const columns = keysOf(readTextRecord(window, start.offset)?.value)
  const format = columns === null ? (wanted ?? 'ndjson') : formatOf(columns, 'ndjson', wanted)
  return { container: 'ndjson', format, separator: '', columns: [], offset: from, line: 1 }
}

/** Null where the first line is no JSON object: it is reported like any other bad line. */
function keysOf(text: string | null | undefined): string[] | null {
  const object = jsonObjectIn(text ?? '')
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
  throw new UnreadableBody(
    'empty',
    'The file is empty. Send a header and at least one line, or JSON objects, one a line.',
  )
}

/** The separator that makes the header a known one, otherwise the most frequent separator in its first line. */
function separatorOf(window: Window, from: number): string {
  const { bytes } = window
  const stop = bytes.indexOf(0x0a, from)
  const line = bytes.toString('latin1', from, stop === -1 ? bytes.length : stop)
  const judged = separators.map((separator) => {
    const names = csvRecordReader(separator)(window, from)?.value ?? []
    const isKnown = recognise(names, 'csv') !== null
    return { separator, rank: (isKnown ? bytes.length : 0) + line.split(separator).length }
  })
  return judged.reduce((best, each) => (each.rank > best.rank ? each : best)).separator
}

function formatOf(columns: readonly string[], container: Container, wanted?: FormatName): FormatName {
  const found = columns.slice(0, namedInError).map((name) => JSON.stringify(shortened(name)))
  if (wanted === undefined) {
    const format = recognise(columns, container)
    if (format) return format
    throw new UnreadableBody(
      'unknown_columns',
      `The columns are of no known export: ${found.join(', ')}. A file of your own needs at least the column "url"; say format=${formatNames.join('|')} for an export.`,
    )
  }
  if (containers.some((name) => name === wanted && name !== container))
    throw new UnreadableBody(
      'other_format',
      `The body is ${container}, and format says ${wanted}. Let them agree, or leave format out.`,
    )
  const { recognisedBy } = formats[wanted]
  if (isOf(new Set(columns.map(plainName)), formats[wanted])) return wanted
  throw new UnreadableBody(
    'other_columns',
    `An export of ${wanted} has ${recognisedBy.map((names) => names.join(' and ')).join(', or ')}; this has ${found.join(', ')}. Leave format out to have it recognised.`,
  )
}

function shortened(name: string): string {
  return name.slice(0, 64)
}

function startsWith(bytes: Buffer, mark: Buffer): boolean {
  return bytes.subarray(0, mark.length).equals(mark)
}

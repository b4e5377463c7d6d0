/** Parses the lines of a window of a file. */
import { firstRepeatedKey, parseJsonObject } from '../../../platform/http/input/strict-json.js'
import { maxIgnoredColumns, maxRecordBytes } from '../limits.js'
import { formats, normalizedName } from './formats.js'
import type { LinkColumn } from './formats.js'
import type { Layout } from './layout.js'
import { csvRecordReader, findLineEnd, lineFault, printableText, readTextRecord } from './records.js'
import type { Line, LineFault, LineFields, RecordRead, Window } from './records.js'
import { unprotected } from '../../../platform/util/csv.js'

/** Position of the next line in a file. */
export interface LinePlace {
  offset: number
  line: number
  /** Whether the position is inside a line that is being skipped and whose error was already reported. */
  isInLongLine: boolean
}

type LineRead = RecordRead<LineFields>

export class LineReader {
  /** Names of the columns that are not imported. */
  readonly ignored: Set<string>
  private readonly read: (window: Window, from: number) => LineRead | null

  constructor(layout: Layout, ignored: readonly string[] = []) {
    this.ignored = new Set(ignored)
    this.read = layout.container === 'csv' ? this.csv(layout) : this.ndjson(layout)
  }

  /**
   * Parses up to `limit` lines, returns those that are not empty, and advances `place`. `start` is the offset of the
   * window in the file.
   */
  readLines(window: Window, start: number, place: LinePlace, limit: number): Line[] {
    const lines: Line[] = []
    for (let count = 0; count < limit && place.offset - start < window.bytes.length; count++) {
      const from = place.offset - start
      if (place.isInLongLine) {
        const { end, lines: skipped, isCut } = findLineEnd(window, from)
        advance(place, start + end, skipped, isCut)
        continue
      }
      const record = this.read(window, from)
      if (!record) break
      const number = place.line
      advance(place, start + record.end, record.lines, record.isCut)
      if (!record.fault && !record.value) continue
      const content = printableText(window.bytes.subarray(from, Math.min(record.end, from + maxRecordBytes)))
      lines.push(
        record.fault
          ? { number, content, fields: null, fault: record.fault }
          : { number, content, fields: record.value!, fault: null },
      )
    }
    return lines
  }

  private csv({ format, separator, columns }: Layout): (window: Window, from: number) => LineRead | null {
    const readCells = csvRecordReader(separator)
    const used = columns.map((name) => this.findLinkColumn(format, name))
    return (window, from) => {
      const record = readCells(window, from)
      if (!record?.value) return record as LineRead | null
      const cells = record.value
      if (cells.every((cell) => cell.trim() === '')) return { ...record, value: null }
      if (cells.length > columns.length && cells.slice(columns.length).some((cell) => cell.trim() !== ''))
        return {
          ...record,
          value: null,
          fault: lineFault(
            'too_many_cells',
            `The line has ${cells.length} cells, but the header row has ${columns.length}. Quote cells that contain a separator.`,
          ),
        }
      const fields: LineFields = {}
      used.forEach((column, at) => {
        if (column) setField(fields, column, unprotected(cells[at] ?? ''))
      })
      return withoutPassword(record, fields)
    }
  }

  private ndjson({ format }: Layout): (window: Window, from: number) => LineRead | null {
    const used = new Map<string, LinkColumn | null>()
    return (window, from) => {
      const record = readTextRecord(window, from)
      if (record?.value == null) return record as LineRead | null
      if (record.value.trim() === '') return { ...record, value: null }
      const object = parseJsonObject(record.value)
      if (!object)
        return {
          ...record,
          value: null,
          fault: lineFault('invalid_json', 'The line is not a JSON object. Write one object per line.'),
        }
      const repeated = firstRepeatedKey(record.value)
      if (repeated !== null)
        return { ...record, value: null, fault: lineFault('invalid_json', repeatedKey(repeated)) }
      const fields: LineFields = {}
      for (const [name, value] of Object.entries(object)) {
        let column = used.get(name)
        if (column === undefined) {
          column = this.findLinkColumn(format, name)
          if (used.size < maxIgnoredColumns * 2) used.set(name, column)
        }
        if (column) setField(fields, column, value)
      }
      return withoutPassword(record, fields)
    }
  }

  private findLinkColumn(format: Layout['format'], name: string): LinkColumn | null {
    const { columns } = formats[format]
    const key = normalizedName(name)
    if (Object.hasOwn(columns, key)) return columns[key] ?? null
    if (name !== '' && this.ignored.size < maxIgnoredColumns)
      this.ignored.add(printableText(Buffer.from(name)).slice(0, 64))
    return null
  }
}

function advance(place: LinePlace, offset: number, lines: number, isCut: boolean): void {
  place.offset = offset
  place.line += lines
  place.isInLongLine = isCut
}

function setField(fields: LineFields, { field, read }: LinkColumn, cell: unknown): void {
  if (fields[field] !== undefined) return
  const value = read(cell)
  if (value !== undefined) fields[field] = value
}

function withoutPassword(record: RecordRead<unknown>, fields: LineFields): LineRead {
  const { password, ...linkFields } = fields
  const fault: LineFault | null =
    password === undefined
      ? null
      : lineFault(
          'has_password',
          'The link is password-protected, which this service does not support. Remove the password to import it as a public link.',
        )
  return { ...record, value: fault ? null : linkFields, fault }
}

function repeatedKey(name: string): string {
  return `The object has the key ${JSON.stringify(name.slice(0, 64))} twice. Write each key once.`
}

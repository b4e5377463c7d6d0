/** Reads the lines of a body from a place on, as far as a window goes. */
import { firstRepeatedKey, jsonObjectIn } from '../../../platform/http/input/strict-json.js'
import { longestRecord, mostIgnoredColumns } from '../limits.js'
import { formats, plainName } from './formats.js'
import type { LinkColumn } from './formats.js'
import type { Layout } from './layout.js'
import { lineFault } from './line.js'
import type { Line, LineFault, LineFields } from './line.js'
import { csvRecordReader, readTextRecord, restOfLine, showable } from './records.js'
import type { RecordRead, Window } from './records.js'
import { unprotected } from '../../../platform/util/csv.js'

/** Where in a body the next line begins. */
export interface LinePlace {
  offset: number
  line: number
  /** Whether the place is in the rest of a line that was cut. The fault of that line has been reported. */
  isInLongLine: boolean
}

type LineRead = RecordRead<LineFields>

export class LineReader {
  /** The names of columns that are not imported, in the order in which they were found. */
  readonly ignored: Set<string>
  private readonly read: (window: Window, from: number) => LineRead | null

  constructor(layout: Layout, ignored: readonly string[] = []) {
    this.ignored = new Set(ignored)
    this.read = layout.container === 'csv' ? this.csv(layout) : this.ndjson(layout)
  }

  /** Reads at most `most` lines, fewer when the window or the body ends. `start` is the place of the window. */
  next(window: Window, start: number, place: LinePlace, most: number): Line[] {
    const lines: Line[] = []
    while (lines.length < most && place.offset - start < window.bytes.length) {
      const from = place.offset - start
      if (place.isInLongLine) {
        const { end, lines: passed, isCut } = restOfLine(window, from)
        move(place, start + end, passed, isCut)
        continue
      }
      const record = this.read(window, from)
      if (!record) break
      const number = place.line
      move(place, start + record.end, record.lines, record.isCut)
      if (!record.fault && !record.value) continue
      const content = showable(window.bytes.subarray(from, Math.min(record.end, from + longestRecord)))
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
    const used = columns.map((name) => this.columnOf(format, name))
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
            `The line has ${cells.length} cells, the header ${columns.length}. Put a cell with a separator in it in quotes.`,
          ),
        }
      const fields: LineFields = {}
      used.forEach((column, at) => {
        if (column) take(fields, column, unprotected(cells[at] ?? ''))
      })
      return finished(record, fields)
    }
  }

  private ndjson({ format }: Layout): (window: Window, from: number) => LineRead | null {
    const used = new Map<string, LinkColumn | null>()
    return (window, from) => {
      const record = readTextRecord(window, from)
      if (record?.value == null) return record as LineRead | null
      if (record.value.trim() === '') return { ...record, value: null }
      const object = jsonObjectIn(record.value)
      if (!object)
        return {
          ...record,
          value: null,
          fault: lineFault('invalid_json', 'The line is not a JSON object. Write one object on each line.'),
        }
      const repeated = firstRepeatedKey(record.value)
      if (repeated !== null)
        return { ...record, value: null, fault: lineFault('invalid_json', repeatedKey(repeated)) }
      const fields: LineFields = {}
      for (const [name, value] of Object.entries(object)) {
        let column = used.get(name)
        if (column === undefined) {
          column = this.columnOf(format, name)
          if (used.size < mostIgnoredColumns * 2) used.set(name, column)
        }
        if (column) take(fields, column, value)
      }
      return finished(record, fields)
    }
  }

  private columnOf(format: Layout['format'], name: string): LinkColumn | null {
    const { columns } = formats[format]
    const plain = plainName(name)
    if (Object.hasOwn(columns, plain)) return columns[plain] ?? null
    if (name !== '' && this.ignored.size < mostIgnoredColumns)
      this.ignored.add(showable(Buffer.from(name)).slice(0, 64))
    return null
  }
}

function move(place: LinePlace, offset: number, lines: number, isCut: boolean): void {
  place.offset = offset
  place.line += lines
  place.isInLongLine = isCut
}

function take(fields: LineFields, { field, read }: LinkColumn, given: unknown): void {
  if (fields[field] !== undefined) return
  const value = read(given)
  if (value !== undefined) fields[field] = value
}

function finished(record: RecordRead<unknown>, fields: LineFields): LineRead {
  const { password, ...rest } = fields
  const fault: LineFault | null =
    password === undefined
      ? null
      : lineFault(
          'has_password',
          'The link has a password there, and here everybody could open it. Remove the password to import it.',
        )
  return { ...record, value: fault ? null : rest, fault }
}

function repeatedKey(name: string): string {
  return `The key ${JSON.stringify(name.slice(0, 64))} stands twice in one object. Write each key once.`
}

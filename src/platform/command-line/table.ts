/** Formats tables and fields. Control characters are removed, because texts may come from untrusted users. */
import { csvLine } from '../util/csv.js'
import { plainLine } from '../util/plain-text.js'
import { paint } from './screen.js'
import type { Screen, Tone } from './screen.js'

export interface TableColumn<Row> {
  title: string
  value: (row: Row) => unknown
  /** A narrow terminal shortens a `text` or `url`. A table shows only the date of a `day`. CSV has full values. */
  kind?: 'text' | 'url' | 'day'
  /** The color of a state on a terminal. */
  tone?: (row: Row) => Tone
  /** Order in which columns are dropped on a narrow terminal: 1 is dropped first. Columns without it are never dropped. */
  dropOrder?: number
}

/** A word for the state of a resource, and its color. */
export interface State {
  word: string
  tone: Tone
}

interface ColumnLayout<Row> {
  column: TableColumn<Row>
  title: string
  cells: readonly string[]
  width: number
  minWidth: number
}

const gap = '  '
const dayLength = '2026-01-31'.length

export function formatTable<Row>(
  columns: readonly TableColumn<Row>[],
  rows: readonly Row[],
  screen: Screen,
): string[] {
  const layouts = fitColumns(
    columns.map((column) => layOutColumn(column, rows)),
    screen.width,
  )
  const titles = layouts
    .map(({ title, width }) => title.padEnd(width))
    .join(gap)
    .trimEnd()
  return [
    paint(titles, 'dim', screen),
    ...rows.map((row, index) => formatTableLine(layouts, row, index, screen)),
  ]
}

function layOutColumn<Row>(column: TableColumn<Row>, rows: readonly Row[]): ColumnLayout<Row> {
  const title = column.title.toUpperCase()
  const values = rows.map((row) => formatTableCell(column.value(row)))
  const cells = column.kind === 'day' ? values.map((value) => value.slice(0, dayLength)) : values
  const getMinWidth =
    column.kind === 'text' ? getMinTextWidth : column.kind === 'url' ? getMinUrlWidth : getLength
  return {
    column,
    title,
    cells,
    width: longest(title.length, cells, getLength),
    minWidth: longest(title.length, cells, getMinWidth),
  }
}

/** Keeps the most important columns that fit with shortened texts, then gives the remaining width to these texts. */
function fitColumns<Row>(
  columns: readonly ColumnLayout<Row>[],
  width: number | null,
): readonly ColumnLayout<Row>[] {
  if (width === null) return columns
  const byImportance = columns
    .filter(({ column }) => column.dropOrder !== undefined)
    .sort((a, b) => b.column.dropOrder! - a.column.dropOrder!)
  const fitting = new Set(columns.filter(({ column }) => column.dropOrder === undefined))
  for (const each of byImportance)
    if (totalWidth([...fitting, each].map(({ minWidth }) => minWidth)) <= width) fitting.add(each)
  const kept = columns.filter((each) => fitting.has(each)).map((each) => ({ ...each }))
  while (totalWidth(kept.map((each) => each.width)) > width) {
    const [widest] = kept.filter((each) => each.width > each.minWidth).sort((a, b) => b.width - a.width)
    // The table is wider than the terminal, because IDs are not shortened.
    if (!widest) break
    widest.width -= 1
  }
  return kept
}

function formatTableLine<Row>(
  columns: readonly ColumnLayout<Row>[],
  row: Row,
  index: number,
  screen: Screen,
): string {
  const texts = columns.map(({ column, cells, width }, position) => {
    const cell = cells[index]!
    const shown =
      column.kind === 'url'
        ? shortenUrl(cell, width)
        : column.kind === 'text'
          ? shortenText(cell, width)
          : cell
    const padding = position === columns.length - 1 ? '' : ' '.repeat(Math.max(0, width - shown.length))
    return paint(shown, column.tone?.(row) ?? 'plain', screen) + padding
  })
  return texts.join(gap).trimEnd()
}

function getLength(text: string): number {
  return text.length
}

function longest(least: number, cells: readonly string[], getWidth: (cell: string) => number): number {
  return cells.reduce((most, cell) => Math.max(most, getWidth(cell)), least)
}

function totalWidth(widths: readonly number[]): number {
  return widths.reduce((sum, each) => sum + each, gap.length * (widths.length - 1))
}

/** Formats all columns as CSV with a header row, without shortening. */
export function formatCsv<Row>(columns: readonly TableColumn<Row>[], rows: readonly Row[]): string {
  const header = columns.map(({ title }) => title.replaceAll(' ', '_'))
  const lines = rows.map((row) => columns.map(({ value }) => plainCell(value(row))))
  return [header, ...lines].map(csvLine).join('')
}

/** Formats an object, one field per line. Nested fields are named by their path, as in `size.width`. */
export function formatFields(
  object: object,
  tones: Readonly<Record<string, Tone>>,
  screen: Screen,
): string[] {
  const fields = flatten(object)
  const width = longest(
    0,
    fields.map(([name]) => name),
    getLength,
  )
  return fields.map(
    ([name, value]) =>
      `${name.padEnd(width)}  ${paint(formatTableCell(value), tones[name] ?? 'plain', screen)}`,
  )
}

/** Formats an object as CSV: a header row and one row. */
export function formatFieldsAsCsv(object: object): string {
  const fields = flatten(object)
  return csvLine(fields.map(([name]) => name)) + csvLine(fields.map(([, value]) => plainCell(value)))
}

function flatten(object: object, path = ''): [name: string, value: unknown][] {
  return Object.entries(object).flatMap(([name, value]: [string, unknown]): [string, unknown][] =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? flatten(value, `${path}${name}.`)
      : [[path + name, value]],
  )
}

function formatTableCell(value: unknown): string {
  return plainCell(value) || '-'
}

function plainCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return plainCell(value.join(','))
  return plainLine(typeof value === 'string' ? value : JSON.stringify(value), Infinity)
}

/** Characters at the end of a URL's path that are always shown. */
const minPathEnd = 12
const minTextWidth = 12

/** Returns the minimum width for shortened text. */
function getMinTextWidth(text: string): number {
  return Math.min(text.length, minTextWidth)
}

function shortenText(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1).toWellFormed()}…` : text
}

/** Returns the minimum width for a shortened URL: its host, and the end of its path. */
function getMinUrlWidth(text: string): number {
  return Math.min(text.length, shortenUrl(text, 0).length)
}

/** Shortens the query and the middle of the path. Never shortens the host or the end of the path. */
function shortenUrl(text: string, width: number): string {
  if (text.length <= width || !URL.canParse(text)) return text
  const [, origin = text, path = '', query = ''] = /^([^/]*\/\/[^/?#]*)([^?#]*)(.*)$/s.exec(text) ?? []
  const end = query.length > 2 ? '?…' : query
  const available = width - origin.length - end.length
  if (path.length <= Math.max(available, minPathEnd + '/…'.length)) return origin + path + end
  const kept = Math.max(minPathEnd, available - '/…'.length)
  return `${origin}/…${path.slice(-kept).toWellFormed()}${end}`
}

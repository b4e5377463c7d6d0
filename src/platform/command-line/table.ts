/** Tables for people. Strangers chose the texts in them, so nothing in a text may act on the terminal. */
import { plainLine } from '../util/plain-text.js'

export interface TableColumn<Row> {
  title: string
  of: (row: Row) => unknown
}

interface Screen {
  /** Null where lines are not cut, as in a file or a pipe. */
  width: number | null
  hasColor: boolean
}

const longestCell = 500
const shortestCell = 8
const gap = '  '

export function screenOf(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): Screen {
  if (!stream.isTTY) return { width: null, hasColor: false }
  return { width: stream.columns || null, hasColor: !env['NO_COLOR'] && env['TERM'] !== 'dumb' }
}

export function tableOf<Row>(
  columns: readonly TableColumn<Row>[],
  rows: readonly Row[],
  { width, hasColor }: Screen,
): string[] {
  const cells = rows.map((row) => columns.map(({ of }) => cellOf(of(row))))
  const titles = columns.map(({ title }) => title.toUpperCase())
  const widths = fitted(
    titles.map((title, index) => Math.max(title.length, ...cells.map((row) => row[index]!.length))),
    width,
  )
  const line = (texts: readonly string[]) =>
    texts
      .map((text, index) => cut(text, widths[index]!).padEnd(widths[index]!))
      .join(gap)
      .trimEnd()
  return [hasColor ? `\u001b[2m${line(titles)}\u001b[0m` : line(titles), ...cells.map(line)]
}

/** Shows one thing, one field per line. A field of a nested object has both names, as in `size.width`. */
export function fieldsOf(thing: object): string[] {
  const fields = flattened(thing)
  const width = Math.max(...fields.map(([name]) => name.length))
  return fields.map(([name, value]) => `${name.padEnd(width)}  ${cellOf(value)}`)
}

function flattened(thing: object, before = ''): [name: string, value: unknown][] {
  return Object.entries(thing).flatMap(([name, value]: [string, unknown]): [string, unknown][] =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? flattened(value, `${before}${name}.`)
      : [[before + name, value]],
  )
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-'
  if (Array.isArray(value)) return cellOf(value.join(','))
  return plainLine(typeof value === 'string' ? value : JSON.stringify(value), longestCell)
}

/** Narrows the widest column until all of them fit. */
function fitted(wanted: readonly number[], width: number | null): number[] {
  const widths = [...wanted]
  const total = () => widths.reduce((sum, each) => sum + each, gap.length * (widths.length - 1))
  while (width !== null && total() > width) {
    const widest = widths.indexOf(Math.max(...widths))
    if (widths[widest]! <= shortestCell) break
    widths[widest]! -= 1
  }
  return widths
}

function cut(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1).toWellFormed()}…` : text
}

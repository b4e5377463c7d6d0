/** Formats tables for the terminal. Control characters are removed, because texts may come from untrusted users. */
import { plainLine } from '../util/plain-text.js'

export interface TableColumn<Row> {
  title: string
  of: (row: Row) => unknown
}

interface Screen {
  /** Null for a file or a pipe, where lines are not cut. */
  width: number | null
  hasColor: boolean
}

const maxCellLength = 500
const minCellWidth = 8
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
  const widths = fitWidths(
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

/** Formats an object, one field per line. Nested fields are named by their path, as in `size.width`. */
export function fieldsOf(object: object): string[] {
  const fields = flatten(object)
  const width = Math.max(...fields.map(([name]) => name.length))
  return fields.map(([name, value]) => `${name.padEnd(width)}  ${cellOf(value)}`)
}

function flatten(object: object, path = ''): [name: string, value: unknown][] {
  return Object.entries(object).flatMap(([name, value]: [string, unknown]): [string, unknown][] =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? flatten(value, `${path}${name}.`)
      : [[path + name, value]],
  )
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-'
  if (Array.isArray(value)) return cellOf(value.join(','))
  return plainLine(typeof value === 'string' ? value : JSON.stringify(value), maxCellLength)
}

/** Narrows the widest column until the table fits. */
function fitWidths(fullWidths: readonly number[], width: number | null): number[] {
  const widths = [...fullWidths]
  const total = () => widths.reduce((sum, each) => sum + each, gap.length * (widths.length - 1))
  while (width !== null && total() > width) {
    const widest = widths.indexOf(Math.max(...widths))
    if (widths[widest]! <= minCellWidth) break
    widths[widest]! -= 1
  }
  return widths
}

function cut(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1).toWellFormed()}…` : text
}

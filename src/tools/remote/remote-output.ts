/** Prints the results of API commands. */
import { InvalidArgumentError, Option } from '@commander-js/extra-typings'
import type { List } from '@link-service/client'

import {
  getOutputFormat,
  jsonText,
  listText,
  outputScreen,
  print,
  printJson,
  resourceText,
} from '../../platform/command-line/output.js'
import type { OutputOptions } from '../../platform/command-line/output.js'
import { formatFields, formatTable } from '../../platform/command-line/table.js'
import type { State, TableColumn } from '../../platform/command-line/table.js'
import { plainText } from '../../platform/util/plain-text.js'

const defaultRows = 20

export const limitOption = new Option(
  '--limit <n>',
  `maximum number of rows, or all (default: ${defaultRows})`,
).argParser(readLimit)

/** Text for standard output, and a notice for standard error. */
export interface Output {
  text: string
  notice?: string
}

export function printOutput({ text, notice }: Output): void {
  process.stdout.write(text)
  if (notice) process.stderr.write(`${notice}\n`)
}

/** Formats up to `limit` rows of a list. */
export async function pagedOutput<T extends { id: string }>(
  list: List<T>,
  columns: readonly TableColumn<T>[],
  { limit = defaultRows, ...options }: OutputOptions & { limit?: number | undefined },
): Promise<Output> {
  // One additional row shows whether there are more.
  const found = await list.toArray(limit + 1)
  const rows = found.slice(0, limit)
  const hasMore = found.length > limit
  const document = { data: rows, has_more: hasMore }
  const text = listText({ rows, columns, document, ifEmpty: 'No results.' }, options)
  if (!hasMore || getOutputFormat(options) === 'json') return { text }
  return { text, notice: `There are more results. Use --limit ${limit * 5} or --limit all.` }
}

/** Prints a resource. Notes are printed only below a table. */
export function printResource(
  resource: { id: string },
  options: OutputOptions,
  { state, notes = [] }: { state?: State; notes?: readonly string[] } = {},
): void {
  process.stdout.write(resourceText(resource, options, state))
  if (!options.quiet && getOutputFormat(options) === 'table' && notes.length > 0) print(...notes)
}

interface Rows<Row> {
  /** Names of the fields that are shown in the table. */
  fields: readonly string[]
  rows: readonly Row[]
  columns: readonly TableColumn<Row>[]
  state?: State
}

/** Formats a resource that contains a list: the list as a table below the other fields. */
export function textWithRows<Row>(
  resource: object,
  { fields, rows, columns, state }: Rows<Row>,
  { json }: Pick<OutputOptions, 'json'>,
): string {
  if (json) return jsonText(resource)
  const others = Object.fromEntries(Object.entries(resource).filter(([name]) => !fields.includes(name)))
  const screen = outputScreen()
  const table = rows.length > 0 ? ['', ...formatTable(columns, rows, screen)] : []
  return `${[...formatFields(others, state ? { status: state.tone } : {}, screen), ...table].join('\n')}\n`
}

/** Prints text, or the document with `--json`. */
export function printText(text: string, document: object, { json }: Pick<OutputOptions, 'json'>): void {
  if (json) return printJson(document)
  print(plainText(text))
}

export function printDeleted(id: string, options: OutputOptions): void {
  if (!options.quiet && getOutputFormat(options) === 'table') return print(`Deleted ${id}.`)
  const document: { id: string; deleted: boolean } = { id, deleted: true }
  printResource(document, options)
}

function readLimit(text: string): number {
  if (text === 'all') return Infinity
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Use a number, or all.')
}

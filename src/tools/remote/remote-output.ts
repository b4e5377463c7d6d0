/** Prints the results of API commands: tables and fields, or one JSON document with `--json`. */
import { InvalidArgumentError, Option } from '@commander-js/extra-typings'
import type { List } from '@link-service/client'

import { print, printJson } from '../../platform/command-line/output.js'
import { fieldsOf, screenOf, tableOf } from '../../platform/command-line/table.js'
import type { TableColumn } from '../../platform/command-line/table.js'
import { plainText } from '../../platform/util/plain-text.js'

interface AsJson {
  json?: boolean | undefined
}

const defaultRows = 20

export const limitOption = new Option(
  '--limit <n>',
  `maximum number of rows, or all (default: ${defaultRows})`,
).argParser(readLimit)

/** Prints up to `limit` rows of a list. */
export async function printList<T>(
  list: List<T>,
  columns: readonly TableColumn<T>[],
  { json, limit = defaultRows }: AsJson & { limit?: number | undefined },
): Promise<void> {
  // One additional row shows whether there are more.
  const found = await list.toArray(limit + 1)
  const data = found.slice(0, limit)
  const hasMore = found.length > limit
  if (json) return printJson({ data, has_more: hasMore })
  if (data.length === 0) return print('No results.')
  // Joined, because there can be more rows than a call can have arguments.
  print(tableOf(columns, data, screenOf(process.stdout, process.env)).join('\n'))
  if (hasMore) process.stderr.write(`There are more results. Use --limit ${limit * 5} or --limit all.\n`)
}

/** Prints the fields of a resource, one per line. */
export function printResource(resource: object, { json }: AsJson, ...notes: string[]): void {
  if (json) return printJson(resource)
  print(...fieldsOf(resource), ...notes)
}

interface Rows<Row> {
  /** Names of the fields that are shown in the table. */
  fields: readonly string[]
  rows: readonly Row[]
  columns: readonly TableColumn<Row>[]
}

/** Prints a resource that contains a list: the list as a table below the other fields. */
export function printWithRows<Row>(
  resource: object,
  { fields, rows, columns }: Rows<Row>,
  { json }: AsJson,
): void {
  if (json) return printJson(resource)
  const others = Object.fromEntries(Object.entries(resource).filter(([name]) => !fields.includes(name)))
  const table = rows.length > 0 ? ['', ...tableOf(columns, rows, screenOf(process.stdout, process.env))] : []
  print(...fieldsOf(others), ...table)
}

/** Prints text, or the document with `--json`. */
export function printText(text: string, document: object, { json }: AsJson): void {
  if (json) return printJson(document)
  print(plainText(text))
}

export function printDeleted(id: string, options: AsJson): void {
  printText(`Deleted ${id}.`, { id, deleted: true }, options)
}

function readLimit(text: string): number {
  if (text === 'all') return Infinity
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Use a number, or all.')
}

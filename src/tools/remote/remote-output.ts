/** What commands about the API print: tables and fields for people, one JSON document for programs. */
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
  `how many at most, or all (default: ${defaultRows})`,
).argParser(readLimit)

/** Prints as many rows as are wanted, in the order of the API. */
export async function printList<T>(
  list: List<T>,
  columns: readonly TableColumn<T>[],
  { json, limit: most = defaultRows }: AsJson & { limit?: number | undefined },
): Promise<void> {
  // One row more than wanted tells whether there are more.
  const found = await list.toArray(most + 1)
  const data = found.slice(0, most)
  if (json) return printJson({ data, has_more: found.length > most })
  if (data.length === 0) return print('Nothing found.')
  // There may be more rows than a call takes arguments.
  print(tableOf(columns, data, screenOf(process.stdout, process.env)).join('\n'))
  if (found.length > most) process.stderr.write(`There are more: give --limit ${most * 5}, or --limit all.\n`)
}

export function printThing(thing: object, { json }: AsJson, ...notes: string[]): void {
  if (json) return printJson(thing)
  print(...fieldsOf(thing), ...notes)
}

interface Rows<Row> {
  /** The names of the fields that the table shows. */
  of: readonly string[]
  rows: readonly Row[]
  columns: readonly TableColumn<Row>[]
}

/** Prints a thing with a list in it: its other fields, and the list as a table below. */
export function printWithRows<Row>(thing: object, { of, rows, columns }: Rows<Row>, { json }: AsJson): void {
  if (json) return printJson(thing)
  const others = Object.fromEntries(Object.entries(thing).filter(([name]) => !of.includes(name)))
  const table = rows.length > 0 ? ['', ...tableOf(columns, rows, screenOf(process.stdout, process.env))] : []
  print(...fieldsOf(others), ...table)
}

export function printDone(line: string, document: object, { json }: AsJson): void {
  if (json) return printJson(document)
  print(plainText(line))
}

function readLimit(text: string): number {
  if (text === 'all') return Infinity
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Give a number, or all.')
}

/** Output that all commands share: the options for its format, and functions that print in this format. */
import { Option } from '@commander-js/extra-typings'
import type { Command, OptionValues } from '@commander-js/extra-typings'

import { plainLine } from '../util/plain-text.js'
import { getScreen } from './screen.js'
import type { Screen } from './screen.js'
import { formatCsv, formatFields, formatFieldsAsCsv, formatTable } from './table.js'
import type { State, TableColumn } from './table.js'

const maxIdLength = 100

const formats = ['table', 'json', 'csv'] as const

export interface OutputOptions {
  json?: boolean | undefined
  format?: (typeof formats)[number] | undefined
  /** Prints only IDs. */
  quiet?: boolean | undefined
}

export const jsonOption = new Option('--json', 'print one JSON document and nothing else')
export const formatOption = new Option('--format <format>', 'output format (default: table)')
  .choices(formats)
  .conflicts('json')
const quietOption = new Option('-q, --quiet', 'print only IDs').conflicts(['json', 'format'])

/** Adds the options for the format of a resource or a list. */
export function withOutput<
  Args extends unknown[],
  Options extends OptionValues,
  Globals extends OptionValues,
>(command: Command<Args, Options, Globals>) {
  return command.addOption(formatOption).addOption(jsonOption).addOption(quietOption)
}

export function getOutputFormat({ json, format }: OutputOptions): (typeof formats)[number] {
  return json ? 'json' : (format ?? 'table')
}

/** Returns the examples at the end of a command's help. */
export function exampleText(...commands: readonly string[]): string {
  const title = commands.length === 1 ? 'Example' : 'Examples'
  return `\n${title}:\n${commands.map((command) => `  link-service ${command}`).join('\n')}`
}

export function print(...lines: string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}

export function printJson(document: unknown): void {
  process.stdout.write(jsonText(document))
}

export function outputScreen(): Screen {
  return getScreen(process.stdout, process.env)
}

export function jsonText(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`
}

interface Listed<Row> {
  rows: readonly Row[]
  columns: readonly TableColumn<Row>[]
  /** The JSON document. */
  document: unknown
  /** Shown instead of an empty table. */
  ifEmpty: string
}

export function listText<Row extends { id: string }>(
  { rows, columns, document, ifEmpty }: Listed<Row>,
  options: OutputOptions,
): string {
  if (options.quiet) return rows.map(({ id }) => `${plainLine(id, maxIdLength)}\n`).join('')
  const format = getOutputFormat(options)
  if (format === 'json') return jsonText(document)
  if (format === 'csv') return formatCsv(columns, rows)
  return rows.length === 0 ? `${ifEmpty}\n` : `${formatTable(columns, rows, outputScreen()).join('\n')}\n`
}

/** Formats a resource. On a table, the state replaces the field `status`. */
export function resourceText(resource: { id: string }, options: OutputOptions, state?: State): string {
  if (options.quiet) return `${plainLine(resource.id, maxIdLength)}\n`
  const format = getOutputFormat(options)
  if (format === 'json') return jsonText(resource)
  if (format === 'csv') return formatFieldsAsCsv(resource)
  const { id, ...rest } = resource
  const shown = state
    ? { id, status: state.word, ...rest, ...('status' in rest ? { status: state.word } : {}) }
    : resource
  return `${formatFields(shown, state ? { status: state.tone } : {}, outputScreen()).join('\n')}\n`
}

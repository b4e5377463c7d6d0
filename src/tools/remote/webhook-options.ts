/** The options of `webhooks create` and `update`, and the fields that they set. */
import { readFileSync } from 'node:fs'

import { InvalidArgumentError, Option } from '@commander-js/extra-typings'
import type { Command, OptionValues } from '@commander-js/extra-typings'

import { UsageError } from '../../platform/config/startup-error.js'
import { readSecretLine } from './api-access.js'
import { definedFields, parseNameList, textOrNull } from './request-fields.js'

const formats = ['standard', 'slack', 'discord'] as const

interface BatchOption {
  max: number
  within: string
}

export interface WebhookOptions {
  description?: string | undefined
  secretFile?: string | undefined
  links?: string | undefined
  tags?: string | undefined
  humanOnly?: boolean | undefined
  changedFields?: string | undefined
  headersFile?: string | undefined
  bodyFormat?: (typeof formats)[number] | undefined
  ordered?: boolean | undefined
  /** False to turn batches off. */
  batch?: BatchOption | false | undefined
}

export function withWebhookFields<
  Args extends unknown[],
  Options extends OptionValues,
  Globals extends OptionValues,
>(command: Command<Args, Options, Globals>) {
  return command
    .option('--description <text>', 'description of the webhook; an empty description clears it')
    .option('--secret-file <file>', 'file with your own signing secret')
    .option('--links <ids>', 'only events of these links; an empty list removes the condition')
    .option(
      '--tags <tags>',
      'only events of links with one of these tags; an empty list removes the condition',
    )
    .option('--human-only', 'only human clicks')
    .option('--no-human-only', 'also clicks of bots')
    .option(
      '--changed-fields <fields>',
      'only updates that change one of these link fields; an empty list removes the condition',
    )
    .option(
      '--headers-file <file>',
      'file with custom headers, one "Name: value" per line; a name without a value removes the header',
    )
    .addOption(new Option('--body-format <format>', 'format of the request body').choices(formats))
    .option('--ordered', 'send deliveries one at a time, in order')
    .option('--no-ordered', 'send deliveries in parallel')
    .option(
      '--batch <max/within>',
      'send up to this number of events in one request, after this time at the latest, such as 100/5s',
      parseBatch,
    )
    .option('--no-batch', 'send one event per request')
}

export function createWebhookFields(options: WebhookOptions) {
  const { secretFile, headersFile } = options
  const filter = definedFields({
    link_ids: listOrNull(options.links),
    tags: listOrNull(options.tags),
    human_only: options.humanOnly,
    changed_fields: listOrNull(options.changedFields),
  })
  return definedFields({
    description: textOrNull(options.description),
    secret: secretFile === undefined ? undefined : readSecretLine('--secret-file', secretFile),
    filter: Object.keys(filter).length > 0 ? filter : undefined,
    headers: headersFile === undefined ? undefined : readHeaders(headersFile),
    format: options.bodyFormat,
    ordered: options.ordered,
    batch: options.batch === false ? null : options.batch,
  })
}

/** A new webhook has no header to remove. */
export function createNewWebhookFields(options: WebhookOptions) {
  const { headers, ...fields } = createWebhookFields(options)
  const set = Object.entries(headers ?? {}).filter((entry): entry is [string, string] => entry[1] !== null)
  return { ...fields, ...(set.length > 0 ? { headers: Object.fromEntries(set) } : {}) }
}

function parseBatch(text: string): BatchOption {
  const [, max, within] = /^(\d{1,4})\/(\d{1,2}[sm])$/.exec(text) ?? []
  if (max === undefined || within === undefined)
    throw new InvalidArgumentError('Must be a number of events and a time, such as 100/5s.')
  return { max: Number(max), within }
}

function listOrNull(list: string | undefined): string[] | null | undefined {
  return list === '' ? null : parseNameList(list)
}

function readHeaders(file: string): Record<string, string | null> {
  const lines = readText(file)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
  return Object.fromEntries(
    lines.map((line) => {
      const [, name, value] = /^([^:\s]+):\s*(.*)$/.exec(line) ?? []
      if (name === undefined || value === undefined)
        throw new UsageError('--headers-file takes a file with one "Name: value" per line.')
      return [name, value.trimEnd() || null] as const
    }),
  )
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(`--headers-file could not be read: ${(error as Error).message}`)
  }
}

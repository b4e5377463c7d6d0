/** Converts options to the fields of a request. */
import type { BodyOf } from '@link-service/client'

import { UsageError } from '../../platform/config/startup-error.js'
import { timeAgo } from '../../platform/config/duration.js'
import { commandText } from '../../platform/util/program.js'

/** Removes undefined fields. */
export function definedFields<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}

/** Throws if an update has no fields. */
export function requireChanges(changes: object, command: string): void {
  if (Object.keys(changes).length === 0)
    throw new UsageError(`Set at least one field to change. See: ${commandText(`${command} --help`)}`)
}

/** Converts an empty string to null, which clears a field. */
export function textOrNull(text: string | undefined): string | null | undefined {
  return text === '' ? null : text
}

export function parseNameList(list: string | undefined): string[] | undefined {
  return list
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** Converts a duration such as `1d` to the time that long ago. Returns other text unchanged. */
export function toAbsoluteTime<Text extends string | undefined>(text: Text): Text | string {
  return text === undefined ? text : (timeAgo(text, new Date())?.toISOString() ?? text)
}

/** Splits a list of event types. The service validates the types. */
export function parseEventNames<List extends string | undefined>(list: List) {
  return parseNameList(list) as
    BodyOf<'createWebhook'>['events'] | (undefined extends List ? undefined : never)
}

/** Reads options as the fields of a request. Options that were not given are not sent. */
import type { BodyOf } from '@link-service/client'

import { timeAgo } from '../../platform/config/duration.js'

/** Drops undefined fields. An empty result then means that nothing was given. */
export function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}

/** An empty text clears a field. */
export function textOrNull(text: string | undefined): string | null | undefined {
  return text === '' ? null : text
}

export function namesOf(list: string | undefined): string[] | undefined {
  return list
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

/** Reads a time, or how long ago it was. */
export function timeOf<Text extends string | undefined>(text: Text): Text | string {
  return text === undefined ? text : (timeAgo(text, new Date())?.toISOString() ?? text)
}

/** The names are not checked here. The service knows them, and names the wrong ones. */
export function eventNamesOf<List extends string | undefined>(list: List) {
  return namesOf(list) as BodyOf<'createWebhook'>['events'] | (undefined extends List ? undefined : never)
}

/** The values of the webhook form, and the requests that save them. */
import type { BodyOf, Webhook } from '@link-service/client'

import { isDifferent } from '../../app/unsaved-changes.js'
import type { Subscribed } from './event-picker.js'

type Format = Webhook['format']
type ChangedField = NonNullable<NonNullable<Webhook['filter']>['changed_fields']>[number]

export interface HeaderValue {
  name: string
  /** Empty for a stored header that stays unchanged. */
  value: string
  isStored: boolean
}

export interface WebhookValues {
  url: string
  description: string
  events: Subscribed
  tags: string[]
  humanOnly: boolean
  changedFields: ChangedField[]
  headers: HeaderValue[]
  format: Format
  isOrdered: boolean
  hasBatches: boolean
  batchMax: string
  /** Seconds. */
  batchWithin: string
}

export const emptyWebhook: WebhookValues = {
  url: '',
  description: '',
  events: ['*'],
  tags: [],
  humanOnly: false,
  changedFields: [],
  headers: [],
  format: 'standard',
  isOrdered: false,
  hasBatches: false,
  batchMax: '100',
  batchWithin: '5',
}

export function toWebhookValues(webhook: Webhook): WebhookValues {
  const { filter } = webhook
  return {
    url: webhook.url,
    description: webhook.description ?? '',
    events: webhook.events,
    tags: filter?.tags ?? [],
    humanOnly: filter?.human_only ?? false,
    changedFields: filter?.changed_fields ?? [],
    headers: Object.keys(webhook.headers).map((name) => ({ name, value: '', isStored: true })),
    format: webhook.format,
    isOrdered: webhook.ordered,
    hasBatches: webhook.batch !== null,
    batchMax: String(webhook.batch?.max ?? emptyWebhook.batchMax),
    batchWithin: webhook.batch?.within.replace('s', '') ?? emptyWebhook.batchWithin,
  }
}

/** Returns whether an option below "More options" is set. */
export function hasOptions(values: WebhookValues): boolean {
  const { tags, humanOnly, changedFields, headers, format, isOrdered, hasBatches } = values
  const lists = [tags, changedFields, headers]
  const isSet = humanOnly || isOrdered || hasBatches || format !== 'standard'
  return isSet || lists.some(({ length }) => length > 0)
}

export function createBody(values: WebhookValues): BodyOf<'createWebhook'> {
  const { headers, ...options } = getOptionChanges(values, emptyWebhook)
  return {
    ...options,
    url: values.url.trim(),
    events: values.events,
    // A new webhook has no headers to remove, so no value is null.
    ...(headers && { headers: headers as Record<string, string> }),
  }
}

/** Returns the changed fields. */
export function getWebhookChanges(values: WebhookValues, opened: WebhookValues): BodyOf<'updateWebhook'> {
  return {
    ...(values.url.trim() === opened.url ? {} : { url: values.url.trim() }),
    ...(isDifferent(values.events, opened.events) ? { events: values.events } : {}),
    ...getOptionChanges(values, opened),
  }
}

function getOptionChanges(values: WebhookValues, opened: WebhookValues) {
  const description = values.description.trim()
  const headers = getHeaderChanges(values.headers, opened.headers)
  const filter = toWebhookFilter(values)
  return {
    ...(description === opened.description ? {} : { description: description || null }),
    // A merge patch, which keeps a condition on links that was set with the API.
    ...(isDifferent(filter, toWebhookFilter(opened)) ? { filter } : {}),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(values.format === opened.format ? {} : { format: values.format }),
    ...(values.isOrdered === opened.isOrdered ? {} : { ordered: values.isOrdered }),
    ...(isDifferent(toWebhookBatch(values), toWebhookBatch(opened)) ? { batch: toWebhookBatch(values) } : {}),
  }
}

/** Slack and Discord have no batches. */
function toWebhookBatch({ hasBatches, batchMax, batchWithin, format }: WebhookValues) {
  return hasBatches && format === 'standard' ? { max: Number(batchMax), within: `${batchWithin}s` } : null
}

function toWebhookFilter({ tags, humanOnly, changedFields }: WebhookValues) {
  return {
    tags: tags.length > 0 ? tags : null,
    human_only: humanOnly,
    changed_fields: changedFields.length > 0 ? changedFields : null,
  }
}

/** Returns the set headers, and null for each removed one. Stored headers without a new value are absent. */
function getHeaderChanges(
  headers: readonly HeaderValue[],
  opened: readonly HeaderValue[],
): Record<string, string | null> {
  const names = headers.map(({ name }) => name.trim().toLowerCase())
  const removed = opened.filter(({ name }) => !names.includes(name.toLowerCase()))
  const set = headers.filter(({ name, value, isStored }) => name.trim() !== '' && (value !== '' || !isStored))
  return Object.fromEntries([
    ...removed.map(({ name }) => [name, null] as const),
    ...set.map(({ name, value }) => [name.trim(), value] as const),
  ])
}

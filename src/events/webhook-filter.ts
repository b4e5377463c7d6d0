/** Decides whether an event passes the filter of a webhook. `unmet_condition` in the migrations does the same in SQL. */
import { decodeId, encodeId } from '../platform/database/ids.js'
import type { EventType } from './catalog.js'

/** A filter as stored. An absent condition excludes nothing. Without conditions, no filter is stored. */
export interface WebhookFilter {
  /** UUIDs. */
  link_ids?: readonly string[]
  tags?: readonly string[]
  human_only?: true
  changed_fields?: readonly string[]
}

/** The conditions for the subscribed events that a webhook receives. */
export interface FilteringWebhook {
  webhookId: string
  filter: WebhookFilter | null
  /** Tags of the token that created the webhook. Null if the token was not restricted to tags. */
  restrictedTags: readonly string[] | null
}

/** The conditions in the order in which they are tested. Callers cannot set `restricted_tags`. */
export const conditions = ['restricted_tags', 'link_ids', 'tags', 'human_only', 'changed_fields'] as const
export type FilterCondition = (typeof conditions)[number]

/** The parts of an event that conditions test. */
export interface FilteredEvent {
  type: EventType
  /** UUID. */
  linkId: string | null
  data: {
    [other: string]: unknown
    link?: { id: string; tags: readonly string[] }
    previous?: { tags?: readonly string[] }
    click?: { bot: boolean }
    webhook?: { id: string }
  }
}

/** Returns the tested parts of a stored event. */
export function readFilteredEvent({ body }: { body: string }): FilteredEvent {
  const { type, data } = JSON.parse(body) as Pick<FilteredEvent, 'type' | 'data'>
  return { type, data, linkId: data.link ? decodeId('lnk', data.link.id) : null }
}

export type FindUnmetCondition = (event: FilteredEvent) => FilterCondition | null

/** Returns a function that returns the first condition that an event does not meet, or null if the event passes. */
export function compileFilter({ webhookId, filter, restrictedTags }: FilteringWebhook): FindUnmetCondition {
  if (filter === null && restrictedTags === null) return () => null
  const hasRestrictedTag = restrictedTags && includesAny(restrictedTags)
  const ownId = restrictedTags && encodeId('wh', webhookId)
  const linkIds = filter?.link_ids && new Set(filter.link_ids)
  const hasTag = filter?.tags && includesAny(filter.tags)
  const isChanged = filter?.changed_fields && includesAny(filter.changed_fields)
  return ({ type, linkId, data: { link, previous, click, webhook } }) => {
    const tags = link?.tags ?? []
    if (hasRestrictedTag && !hasRestrictedTag(tags) && webhook?.id !== ownId) return 'restricted_tags'
    if (linkId === null) return null
    if (linkIds && !linkIds.has(linkId)) return 'link_ids'
    // An update that removes the tag passes, so that the receiver learns that the link no longer has the tag.
    if (hasTag && !hasTag(tags) && !hasTag(previous?.tags ?? [])) return 'tags'
    if (filter?.human_only && click?.bot) return 'human_only'
    if (isChanged && type === 'link.updated' && !isChanged(Object.keys(previous ?? {})))
      return 'changed_fields'
    return null
  }
}

function includesAny(accepted: readonly string[]): (values: readonly string[]) => boolean {
  const set = new Set(accepted)
  return (values) => values.some((value) => set.has(value))
}

/** Explains why an event does not meet a condition, as the end of a sentence. */
export function describeUnmet(condition: FilterCondition): string {
  switch (condition) {
    case 'restricted_tags':
      return 'the webhook was created by a token that is restricted to tags, and the link has none of these tags'
    case 'link_ids':
      return 'the link is not in `link_ids`'
    case 'tags':
      return 'the link has none of the `tags`'
    case 'human_only':
      return 'the click is from a bot, and `human_only` is true'
    case 'changed_fields':
      return 'the update changed none of the `changed_fields`'
  }
}

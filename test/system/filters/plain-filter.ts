/** Decides which webhooks should receive an event, from the documentation and without code of the service. */
export interface PlainEvent {
  type: 'link.created' | 'link.updated' | 'link.deleted' | 'click'
  linkId: string
  /** After the change, or before the deletion. */
  tags: readonly string[]
  previousTags: readonly string[]
  changedFields: readonly string[]
  isBot: boolean
}

export interface PlainWebhook {
  events: readonly string[]
  filter: {
    link_ids?: readonly string[]
    tags?: readonly string[]
    human_only?: boolean
    changed_fields?: readonly string[]
  }
  /** Tags of the token that created the webhook. */
  tokenTags: readonly string[] | null
}

export type Exclusion = 'events' | 'restricted_tags' | 'link_ids' | 'tags' | 'human_only' | 'changed_fields'

/** Text that identifies the condition in an explanation. */
export const explanations: Record<Exclusion, string> = {
  events: ', but not to ',
  restricted_tags: 'a token that is restricted to tags',
  link_ids: 'the link is not in `link_ids`',
  tags: 'the link has none of the `tags`',
  human_only: 'the click is from a bot',
  changed_fields: 'the update changed none of the `changed_fields`',
}

/** Returns the first reason for which the webhook does not receive the event, or null. */
export function findExclusion(
  { events, filter, tokenTags }: PlainWebhook,
  event: PlainEvent,
): Exclusion | null {
  const { link_ids, tags, human_only, changed_fields } = filter
  const { type, linkId, previousTags, changedFields, isBot } = event
  if (!events.includes('*') && !events.includes(type)) return 'events'
  if (tokenTags && !overlap(tokenTags, event.tags)) return 'restricted_tags'
  if (link_ids && !link_ids.includes(linkId)) return 'link_ids'
  if (tags && !overlap(tags, [...event.tags, ...previousTags])) return 'tags'
  if (human_only && type === 'click' && isBot) return 'human_only'
  if (changed_fields && type === 'link.updated' && !overlap(changed_fields, changedFields))
    return 'changed_fields'
  return null
}

function overlap(some: readonly string[], others: readonly string[]): boolean {
  return some.some((item) => others.includes(item))
}

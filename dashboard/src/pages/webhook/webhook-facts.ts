/** Describes what a webhook receives and how, for the header of its page. */
import type { Webhook } from '@link-service/client'

import { plural } from '../../app/format.js'

const list = new Intl.ListFormat('en', { type: 'disjunction' })

export function getWebhookFacts({ events, filter, ordered, batch, format }: Webhook): string[] {
  return [
    events.includes('*') ? 'All events' : events.join(', '),
    ...(filter ? describeFilter(filter) : []),
    ...(ordered ? ['in order'] : []),
    ...(batch ? [`up to ${batch.max} per request`] : []),
    ...(format === 'standard' ? [] : [`as ${formatNames[format] ?? format} messages`]),
  ]
}

const formatNames: Readonly<Record<string, string>> = { slack: 'Slack', discord: 'Discord' }

function describeFilter({
  link_ids,
  tags,
  human_only,
  changed_fields,
}: NonNullable<Webhook['filter']>): string[] {
  return [
    ...(link_ids ? [`only ${plural(link_ids.length, 'link')}`] : []),
    ...(tags ? [`only links tagged ${list.format(tags)}`] : []),
    ...(human_only ? ['only human clicks'] : []),
    ...(changed_fields ? [`only changes of ${list.format(changed_fields)}`] : []),
  ]
}

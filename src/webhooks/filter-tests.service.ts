/** Tests a filter against a recorded event. */
import { Injectable } from '@nestjs/common'

import type { Caller } from '../auth/caller.js'
import { mayRead, subscribesTo } from '../events/catalog.js'
import type { EventType } from '../events/catalog.js'
import { EventsRepository } from '../events/events.repository.js'
import { compileFilter, describeUnmet, readFilteredEvent } from '../events/webhook-filter.js'
import type { FilterCondition } from '../events/webhook-filter.js'
import { decodeId } from '../platform/database/ids.js'
import { notFound } from '../platform/http/problems/problem.js'
import type { CreateFilterTest, FilterTestDto } from './filter-test.dto.js'
import { patchFilter } from './webhook-filter.dto.js'
import type { Webhook } from './webhook.entity.js'
import { WebhooksRepository } from './webhooks.repository.js'

@Injectable()
export class FilterTestsService {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly events: EventsRepository,
  ) {}

  async testFilter(caller: Caller, id: string, body: CreateFilterTest): Promise<FilterTestDto> {
    const webhook = await this.webhooks.get(caller, id)
    const eventId = decodeId('evt', body.event_id)
    const event = eventId && (await this.events.findEvent(caller, eventId))
    if (!event || !mayRead(caller, event.type)) throw notFound('event')
    const { restrictedTags } = webhook
    const filter = body.filter === undefined ? webhook.filter : patchFilter(null, body.filter)
    const findUnmetCondition = compileFilter({ webhookId: webhook.id, filter, restrictedTags })
    const condition = findUnmetCondition(readFilteredEvent(event))
    return { matches: condition === null, condition, message: describeResult(webhook, event.type, condition) }
  }
}

function describeResult({ events }: Webhook, type: EventType, condition: FilterCondition | null): string {
  if (condition !== null) return `The filter excludes the event: ${describeUnmet(condition)}.`
  return subscribesTo(events, type)
    ? 'The filter includes the event.'
    : `The filter includes the event, but the webhook does not subscribe to ${type}.`
}

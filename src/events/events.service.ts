import { Injectable } from '@nestjs/common'

import type { Caller } from '../auth/caller.js'
import { decodeId, noId } from '../platform/database/ids.js'
import { Cursors, createdBounds } from '../platform/http/input/page.js'
import type { Page, PageQuery } from '../platform/http/input/page.js'
import { notFound, Problem } from '../platform/http/problems/problem.js'
import { eventTypes, mayRead } from './catalog.js'
import type { EventType } from './catalog.js'
import { DeliveriesOfEvent } from './ports.js'
import { EventDto, EventTypeDto, EventWithDeliveriesDto } from './event.dto.js'
import type { ListEventsQuery } from './event.dto.js'
import { EventsRepository } from './events.repository.js'
import type { EventFilter } from './events.repository.js'

@Injectable()
export class EventsService {
  constructor(
    private readonly events: EventsRepository,
    private readonly deliveries: DeliveriesOfEvent,
    private readonly cursors: Cursors,
  ) {}

  list(caller: Caller, query: ListEventsQuery): Promise<Page<EventDto>> {
    if (query.after === undefined) return this.newest(caller, query)
    if (query.cursor === undefined) return this.feed(caller, query)
    const detail = 'Use either cursor (newest first) or after (oldest first), not both.'
    throw new Problem('invalid_query', {
      errors: [{ parameter: 'cursor', code: 'mutually_exclusive', detail }],
    })
  }

  async get(caller: Caller, id: string): Promise<EventWithDeliveriesDto> {
    const eventId = decodeId('evt', id)
    const event = eventId && (await this.events.findEvent(caller, eventId))
    if (!event || !mayRead(caller, event.type)) throw notFound('event')
    return EventWithDeliveriesDto.withDeliveries(
      event,
      await this.deliveries.findDeliveries(event.id, caller.tags),
    )
  }

  listTypes(query: PageQuery): Promise<Page<EventTypeDto>> {
    return this.cursors.readPage(query, 'event types', {
      read: (after) =>
        after === null ? eventTypes : eventTypes.slice(eventTypes.indexOf(after as EventType) + 1),
      position: (name) => name,
      show: (name) => EventTypeDto.from(name),
    })
  }

  private newest(caller: Caller, query: ListEventsQuery): Promise<Page<EventDto>> {
    const filter = createEventFilter(caller, query)
    return this.cursors.readPage(query, `events of ${caller.workspaceId}`, {
      read: (before, limit) => this.events.newest(filter, before, limit),
      position: ({ id }) => id,
      show: (row) => EventDto.from(row),
    })
  }

  private feed(caller: Caller, query: ListEventsQuery): Promise<Page<EventDto>> {
    const filter = createEventFilter(caller, query)
    return this.cursors.readFeedPage(query, `event feed of ${caller.workspaceId}`, {
      end: () => this.events.feedEnd(),
      read: (after, limit) => this.events.feed(filter, after, limit),
      show: (row) => EventDto.from(row),
    })
  }
}

/** A malformed `link_id` matches no events, like an unknown one. */
function createEventFilter(caller: Caller, { type, link_id, ...created }: FilterQuery): EventFilter {
  const { from, until } = createdBounds(created)
  return {
    workspaceId: caller.workspaceId,
    tags: caller.tags,
    hiddenTypes: eventTypes.filter((each) => !mayRead(caller, each)),
    type: type ?? null,
    linkId: link_id === undefined ? null : (decodeId('lnk', link_id) ?? noId),
    fromId: from ?? null,
    untilId: until ?? null,
  }
}

type FilterQuery = Pick<ListEventsQuery, 'type' | 'link_id' | 'created_after' | 'created_before'>

import { catalogue } from './catalogue.js'
import type { EventData, EventType } from './catalogue.js'

/** An event as receivers get it. */
export interface Event<T extends EventType = EventType> {
  id: string
  type: T
  timestamp: string
  data: EventData[T]
}

/** They agree with the times in the examples of the payloads. */
const moments: Record<EventType, string> = {
  'link.created': '2026-01-31T09:00:00.000Z',
  'link.updated': '2026-01-31T10:00:00.000Z',
  'link.deleted': '2026-01-31T12:00:00.000Z',
  click: '2026-01-31T11:00:00.000Z',
  'webhook.test': '2026-01-31T09:00:00.000Z',
  'webhook.failing': '2026-01-27T09:05:00.000Z',
  'webhook.disabled': '2026-01-31T09:05:00.000Z',
}

/** A whole event, with the example of the catalogue in it. */
export function exampleEvent<T extends EventType>(type: T): Event<T> {
  return {
    // The digits of the example's click, as an event of a click has them.
    id: 'evt_01kaj4d0qae6svf0k9w3m7x2ht',
    type,
    timestamp: moments[type],
    data: catalogue[type].example as EventData[T],
  }
}

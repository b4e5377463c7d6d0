/** All types of events. A new type is added here. */
import type { Schema, TypeOf } from './json-schema.js'
import { examples, schemas } from './payloads.js'

interface CatalogueEntry {
  meaning: string
  /** Of `data`. */
  schema: Schema
  /** Of `data`. */
  example: object
}

export const catalogue = {
  'link.created': {
    meaning: 'A link was created.',
    schema: schemas.link,
    example: examples.linkCreated,
  },
  'link.updated': {
    meaning: 'A link was changed. `previous` has the old values of what changed.',
    schema: schemas.linkUpdate,
    example: examples.linkUpdated,
  },
  'link.deleted': {
    meaning: 'A link was deleted.',
    schema: schemas.link,
    example: examples.linkCreated,
  },
  click: {
    meaning: 'A link was clicked.',
    schema: schemas.click,
    example: examples.click,
  },
  'webhook.test': {
    meaning: 'Someone asked for a test of the webhook. Sent to that webhook only.',
    schema: schemas.test,
    example: examples.test,
  },
  'webhook.failing': {
    meaning:
      'All attempts to reach a webhook have failed for as long as `WEBHOOK_FAILING_AFTER` says, a day unless set. Sent to the other webhooks.',
    schema: schemas.webhook,
    example: examples.webhookFailing,
  },
  'webhook.disabled': {
    meaning: 'A webhook was disabled, because nothing reached it any more. Sent to the other webhooks.',
    schema: schemas.webhook,
    example: examples.webhookDisabled,
  },
} as const satisfies Record<string, CatalogueEntry>

export type EventType = keyof typeof catalogue
export type EventData = { [T in EventType]: TypeOf<(typeof catalogue)[T]['schema']> }

export const eventTypes = Object.keys(catalogue) as EventType[]

/** A webhook that subscribes to this gets every event, also those of types that are added later. */
export const everyEvent = '*'

export function subscribesTo(events: readonly string[], type: string): boolean {
  return events.includes(type) || events.includes(everyEvent)
}

/** The types of events about a webhook, as a list in SQL. The webhook in their `data` does not get them itself. */
export const typesAboutWebhooks = eventTypes
  .filter((type) => catalogue[type].schema === schemas.webhook)
  .map((type) => `'${type}'`)
  .join(', ')

/** An event as receivers get it. */
export interface Event<T extends EventType = EventType> {
  id: string
  type: T
  timestamp: string
  data: EventData[T]
}

/** These times agree with those in the examples of the payloads. */
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
    // The digits are those of the click in the example, because the event of a click has the id of the click.
    id: 'evt_01kaj4d0qae6svf0k9w3m7x2ht',
    type,
    timestamp: moments[type],
    data: catalogue[type].example as EventData[T],
  }
}

/** Every type of event: the only place where one is added. */
import { examples, schemas } from './payloads.js'
import type { Schema, TypeOf } from './json-schema.js'

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
    meaning: 'Attempts to reach a webhook have failed for a day. Sent to the other webhooks.',
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

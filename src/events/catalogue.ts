/** All event types. Their payloads are in payloads.ts, because commands need only the types. */
interface CatalogueEntry {
  meaning: string
  /** The event is about a webhook, and is not sent to this webhook. */
  isAboutWebhook?: true
}

export const catalogue = {
  'link.created': {
    meaning: 'A link was created.',
  },
  'link.updated': {
    meaning: 'A link was updated. `previous` contains the old values of the changed fields.',
  },
  'link.deleted': {
    meaning: 'A link was deleted.',
  },
  click: {
    meaning: 'A link was clicked.',
  },
  'webhook.test': {
    meaning: 'A test event was requested. Sent only to the tested webhook.',
  },
  'webhook.failing': {
    meaning:
      'All attempts to reach a webhook have failed for 1 day (`WEBHOOK_FAILING_AFTER`). Sent to the other webhooks.',
    isAboutWebhook: true,
  },
  'webhook.disabled': {
    meaning: 'A webhook was disabled because it could no longer be reached. Sent to the other webhooks.',
    isAboutWebhook: true,
  },
} as const satisfies Record<string, CatalogueEntry>

export type EventType = keyof typeof catalogue

export const eventTypes = Object.keys(catalogue) as EventType[]

/** Subscribes a webhook to all event types, including future ones. */
export const everyEvent = '*'

export function subscribesTo(events: readonly string[], type: string): boolean {
  return events.includes(type) || events.includes(everyEvent)
}

/** The event types about a webhook, as a list in SQL. */
export const typesAboutWebhooks = eventTypes
  .filter((type) => 'isAboutWebhook' in catalogue[type])
  .map((type) => `'${type}'`)
  .join(', ')

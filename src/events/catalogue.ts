/** All types of events. Commands use this file too, so what events carry is in `payloads.ts`. */
interface CatalogueEntry {
  meaning: string
  /** The webhook in its `data` does not get it itself. */
  isAboutWebhook?: true
}

export const catalogue = {
  'link.created': {
    meaning: 'A link was created.',
  },
  'link.updated': {
    meaning: 'A link was changed. `previous` has the old values of what changed.',
  },
  'link.deleted': {
    meaning: 'A link was deleted.',
  },
  click: {
    meaning: 'A link was clicked.',
  },
  'webhook.test': {
    meaning: 'Someone asked for a test of the webhook. Sent to that webhook only.',
  },
  'webhook.failing': {
    meaning:
      'All attempts to reach a webhook have failed for as long as `WEBHOOK_FAILING_AFTER` says, a day unless set. Sent to the other webhooks.',
    isAboutWebhook: true,
  },
  'webhook.disabled': {
    meaning: 'A webhook was disabled, because nothing reached it any more. Sent to the other webhooks.',
    isAboutWebhook: true,
  },
} as const satisfies Record<string, CatalogueEntry>

export type EventType = keyof typeof catalogue

export const eventTypes = Object.keys(catalogue) as EventType[]

/** A webhook that subscribes to this gets every event, also those of types that are added later. */
export const everyEvent = '*'

export function subscribesTo(events: readonly string[], type: string): boolean {
  return events.includes(type) || events.includes(everyEvent)
}

/** The types of events about a webhook, as a list in SQL. */
export const typesAboutWebhooks = eventTypes
  .filter((type) => 'isAboutWebhook' in catalogue[type])
  .map((type) => `'${type}'`)
  .join(', ')

/** The payload of each event type, with an example. The IDs and times of all examples are consistent. */
import { exampleClickedLink, exampleLink } from '../links/link.dto.js'
import type { EventType } from './catalog.js'
import type { Schema, TypeOf } from './json-schema.js'
import { schemas } from './payload-schemas.js'
import type { finishedImport, token, webhook } from './payload-schemas.js'

const exampleWebhook: TypeOf<typeof webhook> = {
  id: 'wh_01kaj3w4q2e6r8t0y1v3b5n7mz',
  url: 'https://receiver.example/hooks',
  events: ['link.created', 'click'],
  description: 'The warehouse',
  status: 'active',
  disabled_reason: null,
  last_success_at: '2026-01-26T09:00:00.000Z',
  failing_since: '2026-01-26T09:05:00.000Z',
  created_at: '2026-01-01T09:00:00.000Z',
  updated_at: '2026-01-01T09:00:00.000Z',
}

const exampleToken: TypeOf<typeof token> = {
  id: 'tok_01kaj3v9z4f8hva3x7m2c5d6ne',
  name: 'ci',
  scopes: ['links:read', 'links:write'],
  restrictions: null,
  prefix: 'lsk_live_',
  last4: 'x7Qa',
  status: 'active',
  created_at: '2026-01-01T12:00:00.000Z',
  expires_at: '2026-02-07T12:00:00.000Z',
  last_used_at: null,
  created_by: 'tok_01kaj3t2m8e9cs4p6r1w0q5yzd',
  rotated_from: null,
}

const exampleImport: TypeOf<typeof finishedImport> = {
  id: 'imp_01kaj3v9z4f8hva3x7m2c5d6ne',
  status: 'finished',
  format: 'bitly',
  on_conflict: 'skip',
  dry_run: false,
  notify: true,
  bytes: 1_048_576,
  bytes_processed: 1_048_576,
  lines: 5_000,
  created: 4_990,
  updated: 0,
  skipped: 7,
  failed: 3,
  ignored_columns: ['archived'],
  preview: [],
  error: null,
  created_at: '2026-01-31T12:00:00.000Z',
  started_at: '2026-01-31T12:00:01.000Z',
  finished_at: '2026-01-31T12:00:09.000Z',
}

type Payload = { [S in keyof typeof schemas]: TypeOf<(typeof schemas)[S]> }

const examples = {
  linkCreated: { link: exampleLink } satisfies Payload['link'],
  linkUpdated: {
    link: { ...exampleLink, title: 'Summer sale', updated_at: '2026-01-31T10:00:00.000Z' },
    previous: { title: 'Spring sale' },
  } satisfies Payload['linkUpdate'],
  click: {
    click: {
      id: 'clk_01kaj4d0qae6svf0k9w3m7x2ht',
      link_id: exampleLink.id,
      slug: exampleLink.slug,
      url: exampleLink.url,
      occurred_at: '2026-01-31T11:00:00.000Z',
      bot: false,
      referrer: 'https://news.example/today',
      referrer_host: 'news.example',
      country: 'DE',
      region: 'DE-BE',
      city: 'Berlin',
      browser: 'Firefox',
      os: 'Linux',
      device: 'desktop',
      language: 'de-DE',
      utm_source: 'mail',
      utm_medium: null,
      utm_campaign: null,
      utm_term: null,
      utm_content: null,
      source: 'link',
      ip: '203.0.113.0',
      visitor: 'q1Zr7m0VxkJt2nB5cW9dYA',
      event_id: 'evt_01kaj4d0qae6svf0k9w3m7x2ht',
    },
    link: exampleClickedLink,
  } satisfies Payload['click'],
  test: {
    webhook_id: exampleWebhook.id,
    message: 'This is a test. Nothing has happened.',
  } satisfies Payload['test'],
  webhookFailing: {
    webhook: exampleWebhook,
    reason: 'No attempt has succeeded since 2026-01-26T09:05:00.000Z.',
  } satisfies Payload['webhook'],
  webhookDisabled: {
    webhook: {
      ...exampleWebhook,
      status: 'disabled',
      disabled_reason: 'No attempt has succeeded since 2026-01-26T09:05:00.000Z.',
      updated_at: '2026-01-31T09:05:00.000Z',
    },
    reason: 'No attempt has succeeded since 2026-01-26T09:05:00.000Z.',
  } satisfies Payload['webhook'],
  webhookRecovered: {
    webhook: { ...exampleWebhook, last_success_at: '2026-01-28T09:05:00.000Z', failing_since: null },
    reason: 'An attempt succeeded at 2026-01-28T09:05:00.000Z.',
  } satisfies Payload['webhook'],
  tokenCreated: { token: exampleToken } satisfies Payload['token'],
  tokenRevoked: {
    token: { ...exampleToken, status: 'revoked' },
    revoked_by: exampleToken.created_by,
  } satisfies Payload['tokenRevoked'],
  tokenExpiring: { token: exampleToken, days_left: 7 } satisfies Payload['tokenExpiring'],
  importFinished: { import: exampleImport } satisfies Payload['import'],
}

/** The schema and an example of `data` for each event type. */
export const payloads = {
  'link.created': { schema: schemas.link, example: examples.linkCreated },
  'link.updated': { schema: schemas.linkUpdate, example: examples.linkUpdated },
  'link.deleted': { schema: schemas.link, example: examples.linkCreated },
  click: { schema: schemas.click, example: examples.click },
  'webhook.test': { schema: schemas.test, example: examples.test },
  'webhook.failing': { schema: schemas.webhook, example: examples.webhookFailing },
  'webhook.disabled': { schema: schemas.webhook, example: examples.webhookDisabled },
  'webhook.recovered': { schema: schemas.webhook, example: examples.webhookRecovered },
  'token.created': { schema: schemas.token, example: examples.tokenCreated },
  'token.revoked': { schema: schemas.tokenRevoked, example: examples.tokenRevoked },
  'token.expiring': { schema: schemas.tokenExpiring, example: examples.tokenExpiring },
  'import.finished': { schema: schemas.import, example: examples.importFinished },
} as const satisfies Record<EventType, { schema: Schema; example: object }>

export type EventData = { [T in EventType]: TypeOf<(typeof payloads)[T]['schema']> }

/** An event as it is sent to receivers. */
export interface Event<T extends EventType = EventType> {
  id: string
  type: T
  timestamp: string
  data: EventData[T]
}

/** The time of each example event, consistent with the times in its data. */
const exampleTimes: Record<EventType, string> = {
  'link.created': '2026-01-31T09:00:00.000Z',
  'link.updated': '2026-01-31T10:00:00.000Z',
  'link.deleted': '2026-01-31T12:00:00.000Z',
  click: '2026-01-31T11:00:00.000Z',
  'webhook.test': '2026-01-31T09:00:00.000Z',
  'webhook.failing': '2026-01-27T09:05:00.000Z',
  'webhook.disabled': '2026-01-31T09:05:00.000Z',
  'webhook.recovered': '2026-01-28T09:05:01.000Z',
  'token.created': '2026-01-01T12:00:00.000Z',
  'token.revoked': '2026-01-31T12:00:00.000Z',
  'token.expiring': '2026-01-31T12:00:00.000Z',
  'import.finished': '2026-01-31T12:00:09.000Z',
}

/** Returns a complete event with its example as `data`. */
export function exampleEvent<T extends EventType>(type: T): Event<T> {
  return {
    // The same digits as in the example click, because the event of a click has the ID of the click.
    id: 'evt_01kaj4d0qae6svf0k9w3m7x2ht',
    type,
    timestamp: exampleTimes[type],
    data: payloads[type].example as EventData[T],
  }
}

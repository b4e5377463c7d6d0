/** The payload of each event type, with an example. The IDs and times of all examples are consistent. */
import { linkFields } from '../links/link-fields.dto.js'
import type { LinkFields } from '../links/link-fields.dto.js'
import { clickedLinkFields, exampleClickedLink, exampleLink } from '../links/link.dto.js'
import type { ClickedLink, LinkDto } from '../links/link.dto.js'
import type { EventType } from './catalogue.js'
import { flag, integer, list, named, nullable, object, partial, text, time, typedAs } from './json-schema.js'
import type { Schema, TypeOf } from './json-schema.js'

const userFields = Object.fromEntries(
  [...linkFields].map(([name, { documentation }]) => {
    const { type, isArray, nullable: isNullable, format } = documentation
    const scalar =
      type === String ? { ...text, ...(format && { format }) } : type === Boolean ? flag : integer
    const schema = isArray ? list(scalar as Schema) : (scalar as Schema)
    return [name, isNullable ? nullable(schema) : schema]
  }),
)

const linkSchemas: Record<string, Schema> = {
  id: text,
  slug: text,
  short_url: text,
  ...userFields,
  clicks: object({ total: integer, human: integer }),
  last_clicked_at: nullable(time),
  created_at: time,
  updated_at: time,
}

const link = named('Link', 'A short link.', typedAs<Omit<LinkDto, never>>()(object(linkSchemas)))

const clickedLink = named(
  'ClickedLink',
  'The clicked link, without the fields that change with each click.',
  typedAs<ClickedLink>()(
    object(Object.fromEntries(clickedLinkFields.map((name) => [name, linkSchemas[name]!]))),
  ),
)

const click = named(
  'Click',
  'A visit to a short link.',
  object({
    id: text,
    link_id: text,
    slug: text,
    url: text,
    occurred_at: time,
    bot: flag,
    referrer: nullable(text),
    referrer_host: nullable(text),
    country: nullable(text),
    region: nullable(text),
    city: nullable(text),
    browser: nullable(text),
    os: nullable(text),
    device: nullable(text),
    language: nullable(text),
    utm_source: nullable(text),
    utm_medium: nullable(text),
    utm_campaign: nullable(text),
    utm_term: nullable(text),
    utm_content: nullable(text),
    source: { type: 'string', enum: ['link', 'qr'] },
    ip: nullable(text),
    visitor: nullable(text),
    event_id: nullable(text),
  }),
)

const webhook = named(
  'ReportedWebhook',
  'The webhook that the event is about.',
  object({
    id: text,
    url: text,
    events: list(text),
    description: nullable(text),
    status: { type: 'string', enum: ['active', 'paused', 'disabled'] },
    disabled_reason: nullable(text),
    last_success_at: nullable(time),
    failing_since: nullable(time),
    created_at: time,
    updated_at: time,
  }),
)

const previous = named(
  'PreviousLink',
  'Old values of the changed fields. Unchanged fields are absent.',
  typedAs<Partial<LinkFields>>()(partial(userFields)),
)

const schemas = {
  link: named('LinkEventData', 'The link at the time of the event.', object({ link })),
  linkUpdate: named(
    'LinkUpdatedEventData',
    'The link at the time of the event, and the old values of its changed fields.',
    object({ link, previous }),
  ),
  click: named('ClickEventData', 'The click and the clicked link.', object({ click, link: clickedLink })),
  test: named(
    'WebhookTestEventData',
    'Test message to the receiver.',
    object({ webhook_id: text, message: text }),
  ),
  webhook: named(
    'WebhookEventData',
    'The webhook and the reason for the event.',
    object({ webhook, reason: text }),
  ),
} as const

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

/** What events carry, with an example of each. Their ids and times agree, as if all had happened one morning. */
import { flag, integer, list, named, nullable, object, partial, text, time } from './json-schema.js'
import type { TypeOf } from './json-schema.js'

const linkFields = {
  id: text,
  slug: text,
  short_url: text,
  url: text,
  title: nullable(text),
  tags: list(text),
  external_id: nullable(text),
  redirect_status: integer,
  forward_query: flag,
  enabled: flag,
  expires_at: nullable(time),
  clicks: object({ total: integer, human: integer }),
  last_clicked_at: nullable(time),
  created_at: time,
  updated_at: time,
} as const

const link = named('Link', 'A short link.', object(linkFields))

const clickedLink = named(
  'ClickedLink',
  'What a click says of its link: what does not change with every click.',
  object({
    id: text,
    slug: text,
    short_url: text,
    url: text,
    title: nullable(text),
    tags: list(text),
    external_id: nullable(text),
  }),
)

const click = named(
  'Click',
  'One visit to a short link.',
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
  'The webhook that an event is about.',
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
  'The old values of the fields that were changed, and only of these.',
  partial({
    url: text,
    title: nullable(text),
    tags: list(text),
    external_id: nullable(text),
    redirect_status: integer,
    forward_query: flag,
    enabled: flag,
    expires_at: nullable(time),
  }),
)

export const schemas = {
  link: named('LinkEventData', 'The link as it was then.', object({ link })),
  linkUpdate: named('LinkUpdatedEventData', 'The link, and what it was before.', object({ link, previous })),
  click: named(
    'ClickEventData',
    'The click, and the link that was followed.',
    object({ click, link: clickedLink }),
  ),
  test: named('WebhookTestEventData', 'A word to the receiver.', object({ webhook_id: text, message: text })),
  webhook: named(
    'WebhookEventData',
    'The webhook, and what is wrong with it.',
    object({ webhook, reason: text }),
  ),
} as const

type PayloadSchemas = typeof schemas
export type LinkData = TypeOf<PayloadSchemas['link']>
export type LinkUpdateData = TypeOf<PayloadSchemas['linkUpdate']>
export type ClickData = TypeOf<PayloadSchemas['click']>
export type TestData = TypeOf<PayloadSchemas['test']>
export type WebhookData = TypeOf<PayloadSchemas['webhook']>

const exampleLink: LinkData['link'] = {
  id: 'lnk_01kaj3v9z4f8hva3x7m2c5d6ne',
  slug: 'spring',
  short_url: 'http://localhost:3000/spring',
  url: 'https://example.com/spring?utm_source=mail',
  title: 'Spring sale',
  tags: ['sale', 'mail'],
  external_id: 'campaign-17',
  redirect_status: 302,
  forward_query: false,
  enabled: true,
  expires_at: null,
  clicks: { total: 0, human: 0 },
  last_clicked_at: null,
  created_at: '2026-01-31T09:00:00.000Z',
  updated_at: '2026-01-31T09:00:00.000Z',
}

const exampleWebhook: WebhookData['webhook'] = {
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

export const examples = {
  linkCreated: { link: exampleLink } satisfies LinkData,
  linkUpdated: {
    link: { ...exampleLink, title: 'Summer sale', updated_at: '2026-01-31T10:00:00.000Z' },
    previous: { title: 'Spring sale' },
  } satisfies LinkUpdateData,
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
    link: {
      id: exampleLink.id,
      slug: exampleLink.slug,
      short_url: exampleLink.short_url,
      url: exampleLink.url,
      title: exampleLink.title,
      tags: exampleLink.tags,
      external_id: exampleLink.external_id,
    },
  } satisfies ClickData,
  test: {
    webhook_id: exampleWebhook.id,
    message: 'This is a test. Nothing has happened.',
  } satisfies TestData,
  webhookFailing: {
    webhook: exampleWebhook,
    reason: 'No attempt has succeeded since 2026-01-30T09:05:00.000Z.',
  } satisfies WebhookData,
  webhookDisabled: {
    webhook: {
      ...exampleWebhook,
      status: 'disabled',
      disabled_reason: 'No attempt has succeeded since 2026-01-26T09:05:00.000Z.',
      updated_at: '2026-01-31T09:05:00.000Z',
    },
    reason: 'No attempt has succeeded since 2026-01-26T09:05:00.000Z.',
  } satisfies WebhookData,
}

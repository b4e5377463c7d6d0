/** The schemas of `data` of all event types, as JSON Schema and as types. */
import { linkFields } from '../links/link-fields.dto.js'
import type { LinkFields } from '../links/link-fields.dto.js'
import { clickedLinkFields } from '../links/link.dto.js'
import type { ClickedLink, LinkDto } from '../links/link.dto.js'
import { flag, integer, list, named, nullable, object, partial, text, time, typedAs } from './json-schema.js'
import type { Schema } from './json-schema.js'

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

export const webhook = named(
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

export const token = named(
  'Token',
  'An API token, without its value.',
  object({
    id: text,
    name: text,
    scopes: list(text),
    restrictions: nullable(
      named(
        'TokenRestrictions',
        'Restrictions of a token.',
        object({
          allowed_ips: nullable(list(text)),
          not_before: nullable(time),
          rate_limit: nullable(text),
          tags: nullable(list(text)),
        }),
      ),
    ),
    prefix: text,
    last4: text,
    status: { type: 'string', enum: ['active', 'expired', 'revoked'] },
    created_at: time,
    expires_at: nullable(time),
    last_used_at: nullable(time),
    created_by: nullable(text),
    rotated_from: nullable(text),
  }),
)

export const finishedImport = named(
  'Import',
  'An import of links from a file.',
  object({
    id: text,
    status: { type: 'string', enum: ['finished', 'canceled', 'failed'] },
    format: text,
    on_conflict: { type: 'string', enum: ['fail', 'skip', 'update'] },
    dry_run: flag,
    notify: flag,
    bytes: integer,
    bytes_processed: integer,
    lines: integer,
    created: integer,
    updated: integer,
    skipped: integer,
    failed: integer,
    ignored_columns: list(text),
    preview: list(
      object({
        line: integer,
        outcome: { type: 'string', enum: ['created', 'updated', 'skipped'] },
        slug: nullable(text),
        url: text,
        title: nullable(text),
        tags: list(text),
        expires_at: nullable(time),
      }),
    ),
    error: nullable(text),
    created_at: time,
    started_at: nullable(time),
    finished_at: nullable(time),
  }),
)

const previous = named(
  'PreviousLink',
  'Old values of the changed fields. Unchanged fields are absent.',
  typedAs<Partial<LinkFields>>()(partial(userFields)),
)

export const schemas = {
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
  token: named('TokenEventData', 'The token at the time of the event.', object({ token })),
  tokenRevoked: named(
    'TokenRevokedEventData',
    'The revoked token, and the token that revoked it.',
    object({ token, revoked_by: nullable(text) }),
  ),
  tokenExpiring: named(
    'TokenExpiringEventData',
    'The token that expires, and the number of days until then.',
    object({ token, days_left: { type: 'integer', enum: [7, 1] } }),
  ),
  import: named('ImportEventData', 'The import after its end.', object({ import: finishedImport })),
} as const

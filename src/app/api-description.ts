/** The part of the OpenAPI document about the service as a whole. */
import { eventSchemas, eventWebhooks } from '../events/event-document.js'
import { redirectPaths } from '../links/redirect/redirect-document.js'
import type { RunningSettings } from '../settings.js'
import type { ApiDescription } from '../platform/http/openapi/openapi.js'

const introduction = `
Short links, click counts, scoped tokens and signed webhooks, over JSON.

Every call but a few needs the header \`Authorization: Bearer <token>\`. The first start of the service prints a first token;
press **Authorize** and paste it to try the calls on this page.

* Times are RFC 3339 in UTC, in the years 0000 to 9999. \`null\` stands for "none"; no field is ever missing from an answer.
* Lists are \`{"data": [...], "has_more": true, "next_cursor": "..."}\`: pass \`next_cursor\` as \`cursor\` for the next page.
* Errors are \`application/problem+json\` with a stable \`code\`; \`type\` leads to a page that says what to do.
* Every answer has an \`X-Request-Id\`; send your own to find it again in the logs.
* Each operation says in \`x-required-scope\` which scope its token needs, or which several with spaces between. A \`:write\` scope does not include \`:read\`.
`.trim()

const tags = {
  Tokens: 'Who may call the API, and what they may do there.',
  Links: 'Short links. `GET /{slug}` on the short-link host redirects and counts a click.',
  'Import and export':
    'Many links from a file, also from the exports of other services, and all links as a file.',
  Clicks: 'Who followed which link, when and from where, as far as that may be kept.',
  Analytics: 'How many clicks there were, by time, place, device, campaign and link.',
  Webhooks:
    'Addresses of yours that events are sent to, signed. What is sent stands below, under the webhooks.',
  Events: 'What happened, whether or not a webhook wanted it, and what there is to subscribe to.',
  Deliveries: 'What was sent to a webhook, what will be, how that went, and sending it again.',
  'Audit log': 'Who did what, when and from where.',
  Instance: 'The service itself: what it runs with, and how it stands.',
  Operations: 'For load balancers and monitoring; outside of the base path, and without a token.',
}

/** The example of each header that names things of this service. */
const headerExamples = {
  RateLimit: '"default";r=599;t=42, "workspace";r=5999;t=42',
  'RateLimit-Policy': '"default";q=600;w=60, "workspace";q=6000;w=60',
  'WWW-Authenticate': 'Bearer realm="link-service", error="invalid_token"',
  Location: '/api/v1/links/lnk_01kaj3v9z4f8hva3x7m2c5d6ne',
  'Content-Disposition': 'attachment; filename="links-2026-01-31.csv"',
  Link: '<http://localhost:3000/api/v1/links?cursor=bG5r.c2ln>; rel="next"',
}

/** The schema of `excess` in the problem `scope_escalation`. */
const scopeExcess = {
  type: 'object' as const,
  description: 'What a token was to give and does not have: scopes, or a time.',
  properties: {
    scopes: {
      type: 'array',
      items: { type: 'string' },
      description: 'The scopes that the calling token lacks.',
      example: ['tokens:write'],
    },
    expires_at: {
      type: ['string', 'null'] as unknown as string,
      format: 'date-time',
      description: 'The end that was asked for; null for none.',
      example: null,
    },
    latest: {
      type: 'string',
      format: 'date-time',
      description: 'When the calling token ends: the latest time that it can give.',
      example: '2026-03-02T12:00:00.000Z',
    },
  },
}

export function apiDescription(settings: RunningSettings): ApiDescription {
  return {
    title: 'Link Service',
    introduction,
    bearer: { description: 'A token of this service: `lsk_…`', bearerFormat: 'lsk_<environment>_<secret>' },
    tags,
    headerExamples,
    schemas: { ...eventSchemas(), ScopeExcess: scopeExcess },
    paths: redirectPaths(settings.shortUrlBase),
    webhooks: eventWebhooks(),
  }
}

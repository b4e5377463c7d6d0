/** The parts of the OpenAPI document that describe the whole service. */
import { eventSchemas, eventWebhooks, webhookTag } from '../events/event-document.js'
import { webhookBounds } from '../webhooks/webhook-fields.js'
import { redirectPaths } from '../links/redirect/redirect-document.js'
import type { RunningSettings } from '../settings.js'
import type { ApiDescription } from '../platform/http/openapi/openapi.js'

/** Rules of all operations, in Markdown. */
export const conventions = [
  'Times are RFC 3339 in UTC, in the years 0000 to 9999. Absent values are `null`; responses always contain every field.',
  'Lists are `{"data": [...], "has_more": true, "next_cursor": "..."}`. To get the next page, pass `next_cursor` as `cursor`.',
  'Errors are `application/problem+json` with a stable `code`. `type` is the URL of a page that explains how to fix the error.',
  'Every response has an `X-Request-Id`. Send your own to find the request in the logs.',
  '`x-required-scope` lists the scopes that an operation requires, separated by spaces. A `:write` scope does not include `:read`.',
]

const introduction = `
Short links, click counts, scoped tokens and signed webhooks, over JSON.

Most requests need the header \`Authorization: Bearer <token>\`. The service prints a token when it starts for the first time.
To try requests on this page, click **Authorize** and paste the token.

${conventions.map((rule) => `* ${rule}`).join('\n')}
`.trim()

/** The sections of the API and their operations, in the order in which users learn them. */
const tags = {
  Links: {
    description: 'Short links. `GET /{slug}` on the short-link host redirects and counts a click.',
    operations: [
      'createLink',
      'listLinks',
      'getLink',
      'updateLink',
      'deleteLink',
      'getLinkBySlug',
      'putLinkByExternalId',
      'createLinks',
      'updateLinks',
      'deleteLinks',
      'listTags',
      'resolveSlug',
      'getLinkQr',
      'listLinkHistory',
      'followLink',
    ],
  },
  Tokens: {
    description: 'API tokens and their scopes.',
    operations: [
      'createToken',
      'listTokens',
      'getToken',
      'revokeToken',
      'rotateToken',
      'getOwnToken',
      'revokeOwnToken',
      'revokeTokenByValue',
    ],
  },
  Webhooks: {
    description: 'Endpoints that receive signed events. The webhooks section below describes the requests.',
    operations: [
      'createWebhook',
      'listWebhooks',
      'getWebhook',
      'updateWebhook',
      'deleteWebhook',
      'rotateWebhookSecret',
      'testWebhookFilter',
      'createPortalLink',
    ],
  },
  Deliveries: {
    description: 'Events sent to a webhook: status, attempts, redelivery and replays.',
    operations: [
      'sendTestEvent',
      'listDeliveries',
      'getDelivery',
      'redeliverDelivery',
      'skipDelivery',
      'replayDeliveries',
      'getWebhookStats',
      'explainEvent',
      'explainLink',
      'explainClick',
    ],
  },
  Notices: {
    description:
      'Messages to Slack, Discord and email about failing webhooks, expiring tokens and other events.',
    operations: [
      'createNoticeTarget',
      'listNoticeTargets',
      'getNoticeTarget',
      'updateNoticeTarget',
      'deleteNoticeTarget',
      'testNotices',
    ],
  },
  Events: {
    description:
      'Recorded events, including those that no webhook subscribes to, and the catalog of event types.',
    operations: ['listEvents', 'getEvent', 'listEventTypes'],
  },
  [webhookTag]: {
    description: 'Requests that the service sends to your webhooks, one for each event type.',
    operations: [],
  },
  Clicks: {
    description:
      'Recorded visits to short links, with time, location, referrer and device. Privacy settings can limit what is recorded.',
    operations: ['listLinkClicks', 'listClicks', 'followLiveClicks'],
  },
  Analytics: {
    description: 'Click counts by time, location, device, campaign and link.',
    operations: ['getAnalytics', 'getLinkAnalytics'],
  },
  'Import and export': {
    description: 'Import links from a file, including exports of other services, and export all links.',
    operations: [
      'createImport',
      'listImports',
      'getImport',
      'getImportReport',
      'cancelImport',
      'exportLinks',
    ],
  },
  'Audit log': {
    description: 'Record of actions: who did what, when and from which IP address.',
    operations: ['listAuditEntries', 'exportAuditEntries'],
  },
  Instance: {
    description: 'Settings and health of the service itself.',
    operations: ['getInstance', 'getEgress', 'getDeliveryState'],
  },
  Operations: {
    description:
      'Endpoints for load balancers and monitoring. They are outside the base path and need no token.',
    operations: ['getHealth', 'getReadiness', 'getMetrics'],
  },
}

/** Examples of headers that contain names of this service. */
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
  description: 'Requested scopes, expiry and restrictions that exceed those of the calling token.',
  properties: {
    scopes: {
      type: 'array',
      items: { type: 'string' },
      description: 'Requested scopes that the calling token does not have.',
      example: ['tokens:write'],
    },
    expires_at: {
      type: ['string', 'null'] as unknown as string,
      format: 'date-time',
      description: 'Requested expiry. Null means no expiry.',
      example: null,
    },
    latest: {
      type: 'string',
      format: 'date-time',
      description: 'Expiry of the calling token, the latest that it can grant.',
      example: '2026-03-02T12:00:00.000Z',
    },
    restrictions: {
      type: 'object',
      additionalProperties: true,
      description:
        'How each restriction exceeds that of the calling token, such as the tags that it cannot access. Null if the new token lacks the restriction.',
      example: { tags: ['internal'] },
    },
  },
}

export function apiDescription(settings: RunningSettings): ApiDescription {
  return {
    title: 'Link Service',
    introduction,
    bearer: { description: 'API token: `lsk_…`', bearerFormat: 'lsk_<environment>_<secret>' },
    tags,
    headerExamples,
    bounds: webhookBounds(settings),
    schemas: { ...eventSchemas(), ScopeExcess: scopeExcess },
    paths: redirectPaths(settings.shortUrlBase),
    webhooks: eventWebhooks(),
  }
}

import { callOf, fileOf, followOf, listOf } from './calls.js'
import { importOf } from './imports.js'
import type { FileType } from './imports.js'
import { live } from './live.js'
import type { LiveOptions } from './live.js'
import type { CallOptions, ClientOptions, UpdateOptions } from './options.js'
import type { List } from './pages.js'
import { Transport } from './transport.js'
import type { BodyOf, Explanation, Link, QueryOf, ResultOf, Webhook } from './types.js'
import { update } from './update.js'
import type { Change } from './update.js'

/** All calls of the API, grouped by what they are about. */
export class LinkService {
  readonly baseUrl: string
  readonly links: ReturnType<typeof linksOf>
  readonly clicks: ReturnType<typeof clicksOf>
  readonly analytics: ReturnType<typeof analyticsOf>
  readonly events: ReturnType<typeof eventsOf>
  readonly imports: ReturnType<typeof importsOf>
  readonly tags: ReturnType<typeof tagsOf>
  readonly webhooks: ReturnType<typeof webhooksOf>
  readonly tokens: ReturnType<typeof tokensOf>
  readonly auditLog: ReturnType<typeof auditLogOf>
  readonly instance: ReturnType<typeof instanceOf>

  constructor(options: ClientOptions = {}) {
    const api = new Transport(options)
    this.baseUrl = api.baseUrl
    this.links = linksOf(api)
    this.clicks = clicksOf(api)
    this.analytics = analyticsOf(api)
    this.events = eventsOf(api)
    this.imports = importsOf(api)
    this.tags = tagsOf(api)
    this.webhooks = webhooksOf(api)
    this.tokens = tokensOf(api)
    this.auditLog = auditLogOf(api)
    this.instance = instanceOf(api)
  }
}

const linksOf = (api: Transport) => ({
  /** Makes a short link; without a slug one is made up. */
  create: callOf(api, 'createLink'),
  /** Makes up to 1,000 links: all or none, unless `atomic` is false. The report has their results in the same order. */
  createMany: callOf(api, 'createLinks'),
  /** Makes or changes the link with this external id. Absent fields get their defaults. */
  putByExternalId: callOf(api, 'putLinkByExternalId'),
  /** Newest first, unless `sort` says otherwise. */
  list: listOf(api, 'listLinks'),
  get: callOf(api, 'getLink'),
  getBySlug: callOf(api, 'getLinkBySlug'),
  /** What a visitor of this slug would get, now or `at` another time. It counts no click. */
  resolve: (
    slug: string,
    query: Omit<QueryOf<'resolveSlug'>, 'slug'> = {},
    options?: CallOptions,
  ): Promise<ResultOf<'resolveSlug'>> => api.call('resolveSlug', { query: { ...query, slug } }, options),
  /** Changes only the given fields. A function gets the current link, and is called again if that changes meanwhile. */
  update: (
    id: string,
    change: Change<Link, BodyOf<'updateLink'>>,
    options: UpdateOptions = {},
  ): Promise<Link> =>
    update(
      change,
      options,
      (rest) => api.call('getLink', { path: [id] }, rest),
      (body, rest) => api.call('updateLink', { path: [id], body }, rest),
    ),
  /** One change for up to 1,000 links: all or none, unless `atomic` is false. */
  updateMany: callOf(api, 'updateLinks'),
  /** Deletes a link. Its slug answers 410 from then on, and is never given out again. */
  delete: callOf(api, 'deleteLink'),
  /** Deletes up to 1,000 links: all or none, unless `atomic` is false. */
  deleteMany: callOf(api, 'deleteLinks'),
  /** The QR code of the short link, as SVG unless `format` says otherwise. */
  qr: (id: string, query: QueryOf<'getLinkQr'> = {}, options?: CallOptions): Promise<Blob> =>
    api.picture('getLinkQr', { path: [id], query }, ['image/svg+xml', 'image/png'], options),
  /** All links, or those that the query selects, as a CSV file unless `format` says otherwise. */
  export: fileOf(api, 'exportLinks', ['text/csv', 'application/x-ndjson']),
  /** Who changed which fields, newest first; also of a deleted link. */
  history: listOf(api, 'listLinkHistory'),
  /** The clicks of a link, newest first. */
  clicks: listOf(api, 'listLinkClicks'),
  /** How many clicks the link had; `group_by` splits them. */
  analytics: callOf(api, 'getLinkAnalytics'),
  /** The figures of `analytics` as a CSV file. */
  analyticsCsv: fileOf(api, 'getLinkAnalytics', ['text/csv']),
  /** Why webhooks did or did not get the events of the link. */
  explain: callOf(api, 'explainLink'),
})

const clicksOf = (api: Transport) => ({
  /** One page of all clicks, oldest first: those `after` a cursor, '' for the oldest, 'latest' for the end. */
  read: callOf(api, 'listClicks'),
  /** All clicks, oldest first, and those that come, until the signal ends it. */
  follow: followOf(api, 'listClicks'),
  /** Clicks within a second of their visit, until the signal ends it: a stream that ends or breaks is resumed. */
  live: (query?: QueryOf<'followLiveClicks'>, options?: LiveOptions) => live(api, query, options),
  /** Why webhooks did or did not get the event of the click. */
  explain: callOf(api, 'explainClick'),
})

const analyticsOf = (api: Transport) => ({
  /** How many clicks there were in the workspace; `group_by` splits them. */
  get: callOf(api, 'getAnalytics'),
  /** The figures of `get` as a CSV file. */
  csv: fileOf(api, 'getAnalytics', ['text/csv']),
})

const eventsOf = (api: Transport) => ({
  /** Newest first. */
  list: listOf(api, 'listEvents'),
  get: callOf(api, 'getEvent'),
  /** What a webhook can subscribe to. */
  types: listOf(api, 'listEventTypes'),
  /** Why each webhook did or did not get the event, the newest webhook first. */
  explain: (id: string, query: { limit?: number } = {}, options?: CallOptions): List<Explanation> =>
    listOf(api, 'explainEvent')(id, query, options),
  /** Why one webhook did or did not get the event. */
  explainFor: async (id: string, webhookId: string, options?: CallOptions): Promise<Explanation> => {
    const query = { webhook_id: webhookId }
    return (await api.call('explainEvent', { path: [id], query }, options)) as Explanation
  },
  /** One page, oldest first: those `after` a cursor, '' for the oldest, 'latest' for the end. */
  read: callOf(api, 'listEvents'),
  /** All events, oldest first, and those that come, until the signal ends it. */
  follow: followOf(api, 'listEvents'),
})

const importsOf = (api: Transport) => ({
  /** Sends a file, without a time limit unless `timeoutMs` sets one. The import then runs by itself: see `get`. */
  create: importOf(api),
  /** Newest first. */
  list: listOf(api, 'listImports'),
  get: callOf(api, 'getImport'),
  /** The lines that failed, with the reasons: one JSON object on each line, or CSV. */
  report: (
    id: string,
    { type = 'application/x-ndjson', ...options }: CallOptions & { type?: FileType | undefined } = {},
  ) => api.download('getImportReport', { path: [id] }, [type], options),
  /** Stops an import. Links that were imported already stay. */
  cancel: callOf(api, 'cancelImport'),
})

const tagsOf = (api: Transport) => ({
  /** The tags with their numbers of links, the most used first. */
  list: listOf(api, 'listTags'),
})

const webhooksOf = (api: Transport) => ({
  /** Makes a webhook. If no secret is given one is made, and only this answer has it. */
  create: callOf(api, 'createWebhook'),
  list: listOf(api, 'listWebhooks'),
  get: callOf(api, 'getWebhook'),
  /** Changes only the given fields. A function gets the current webhook, and is called again if that changes before. */
  update: (
    id: string,
    change: Change<Webhook, BodyOf<'updateWebhook'>>,
    options: UpdateOptions = {},
  ): Promise<Webhook> =>
    update(
      change,
      options,
      (rest) => api.call('getWebhook', { path: [id] }, rest),
      (body, rest) => api.call('updateWebhook', { path: [id], body }, rest),
    ),
  /** Deletes a webhook. Nothing more is sent to it. */
  delete: callOf(api, 'deleteWebhook'),
  /** Sends an example at once, and answers with the whole trace. */
  test: callOf(api, 'sendTestEvent'),
  /** Makes a new secret. The old one signs too until the overlap ends. */
  rotateSecret: callOf(api, 'rotateWebhookSecret'),
  /** Newest first. */
  deliveries: listOf(api, 'listDeliveries'),
  /** One delivery with its attempts. */
  delivery: callOf(api, 'getDelivery'),
  /** Sends a delivery again, each time that it is called. */
  redeliver: callOf(api, 'redeliverDelivery'),
  /** Sends many deliveries since a time again: those that failed, or all. */
  replay: callOf(api, 'replayDeliveries'),
  /** The ledger: each emitted delivery is succeeded, pending, held, failed or canceled. */
  stats: callOf(api, 'getWebhookStats'),
})

const tokensOf = (api: Transport) => ({
  /** Makes a token. Only this answer has its value. */
  create: callOf(api, 'createToken'),
  /** The active tokens. */
  list: listOf(api, 'listTokens'),
  get: callOf(api, 'getToken'),
  /** The token that this client calls with. */
  self: callOf(api, 'getOwnToken'),
  /** Makes a token in place of this one, which ends after the overlap. */
  rotate: callOf(api, 'rotateToken'),
  /** Ends a token at once, with `descendants` also those that it made. */
  revoke: callOf(api, 'revokeToken'),
  revokeSelf: callOf(api, 'revokeOwnToken'),
  /** Ends a token that leaked. Nothing but its value is needed. */
  revokeByValue: (token: string, options?: CallOptions): Promise<undefined> =>
    api.call('revokeTokenByValue', { body: { token } }, options),
})

const auditLogOf = (api: Transport) => ({
  /** Who did what, newest first. */
  list: listOf(api, 'listAuditEntries'),
})

const instanceOf = (api: Transport) => ({
  /** The settings of the service and where each comes from, without secrets, and what `doctor` finds. */
  get: callOf(api, 'getInstance'),
})

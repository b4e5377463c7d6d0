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

/** A client of the API. Its methods are grouped by resource. */
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
  /** Creates a link. Without `slug`, the service generates one. */
  create: callOf(api, 'createLink'),
  /** Creates up to 1,000 links: all or none, unless `atomic` is false. The results have the order of the input. */
  createMany: callOf(api, 'createLinks'),
  /** Creates or replaces the link with this external ID. Omitted fields get their defaults. */
  putByExternalId: callOf(api, 'putLinkByExternalId'),
  /** Lists links, newest first unless `sort` is given. */
  list: listOf(api, 'listLinks'),
  get: callOf(api, 'getLink'),
  getBySlug: callOf(api, 'getLinkBySlug'),
  /** Previews a redirect, now or `at` another time. Does not count a click. */
  resolve: (
    slug: string,
    query: Omit<QueryOf<'resolveSlug'>, 'slug'> = {},
    options?: CallOptions,
  ): Promise<ResultOf<'resolveSlug'>> => api.call('resolveSlug', { query: { ...query, slug } }, options),
  /** Updates the given fields. A function receives the current link, and is called again after a conflict. */
  update: (
    id: string,
    change: Change<Link, BodyOf<'updateLink'>>,
    options: UpdateOptions = {},
  ): Promise<Link> =>
    update(
      change,
      options,
      (callOptions) => api.call('getLink', { path: [id] }, callOptions),
      (body, callOptions) => api.call('updateLink', { path: [id], body }, callOptions),
    ),
  /** Applies one change to up to 1,000 links: all or none, unless `atomic` is false. */
  updateMany: callOf(api, 'updateLinks'),
  /** Deletes a link. Its slug returns 410 and cannot be used again. */
  delete: callOf(api, 'deleteLink'),
  /** Deletes up to 1,000 links: all or none, unless `atomic` is false. */
  deleteMany: callOf(api, 'deleteLinks'),
  /** Returns the QR code of a link, as SVG by default. */
  qr: (id: string, query: QueryOf<'getLinkQr'> = {}, options?: CallOptions): Promise<Blob> =>
    api.image('getLinkQr', { path: [id], query }, ['image/svg+xml', 'image/png'], options),
  /** Exports the links that match the query, as CSV by default. */
  export: fileOf(api, 'exportLinks', ['text/csv', 'application/x-ndjson']),
  /** Lists the changes of a link, newest first. Also works for a deleted link. */
  history: listOf(api, 'listLinkHistory'),
  /** Lists the clicks of a link, newest first. */
  clicks: listOf(api, 'listLinkClicks'),
  /** Counts the clicks of a link, optionally grouped by `group_by`. */
  analytics: callOf(api, 'getLinkAnalytics'),
  /** Returns the results of `analytics` as a CSV file. */
  analyticsCsv: fileOf(api, 'getLinkAnalytics', ['text/csv']),
  /** Explains why webhooks did or did not receive the events of a link. */
  explain: callOf(api, 'explainLink'),
})

const clicksOf = (api: Transport) => ({
  /** Returns one page of clicks, oldest first, `after` a cursor. '' is the start of the feed, 'latest' the end. */
  read: callOf(api, 'listClicks'),
  /** Yields all clicks, oldest first, then waits for new ones until the signal aborts. */
  follow: followOf(api, 'listClicks'),
  /** Yields new clicks within about a second until the signal aborts. Reconnects if the stream breaks. */
  live: (query?: QueryOf<'followLiveClicks'>, options?: LiveOptions) => live(api, query, options),
  /** Explains why webhooks did or did not receive the event of a click. */
  explain: callOf(api, 'explainClick'),
})

const analyticsOf = (api: Transport) => ({
  /** Counts the clicks of the workspace, optionally grouped by `group_by`. */
  get: callOf(api, 'getAnalytics'),
  /** Returns the results of `get` as a CSV file. */
  csv: fileOf(api, 'getAnalytics', ['text/csv']),
})

const eventsOf = (api: Transport) => ({
  /** Lists events, newest first. */
  list: listOf(api, 'listEvents'),
  get: callOf(api, 'getEvent'),
  /** Lists the event types that a webhook can subscribe to. */
  types: listOf(api, 'listEventTypes'),
  /** Explains for each webhook why it did or did not receive the event, newest webhook first. */
  explain: (id: string, query: { limit?: number } = {}, options?: CallOptions): List<Explanation> =>
    listOf(api, 'explainEvent')(id, query, options),
  /** Explains why one webhook did or did not receive the event. */
  explainFor: async (id: string, webhookId: string, options?: CallOptions): Promise<Explanation> => {
    const query = { webhook_id: webhookId }
    return (await api.call('explainEvent', { path: [id], query }, options)) as Explanation
  },
  /** Returns one page of events, oldest first, `after` a cursor. '' is the start of the feed, 'latest' the end. */
  read: callOf(api, 'listEvents'),
  /** Yields all events, oldest first, then waits for new ones until the signal aborts. */
  follow: followOf(api, 'listEvents'),
})

const importsOf = (api: Transport) => ({
  /** Uploads a file, by default without a time limit. The import runs in the background. Poll it with `get`. */
  create: importOf(api),
  /** Lists imports, newest first. */
  list: listOf(api, 'listImports'),
  get: callOf(api, 'getImport'),
  /** Returns the failed lines with their errors, as NDJSON or CSV. */
  report: (
    id: string,
    { type = 'application/x-ndjson', ...options }: CallOptions & { type?: FileType | undefined } = {},
  ) => api.download('getImportReport', { path: [id] }, [type], options),
  /** Cancels an import. Links that were already imported are kept. */
  cancel: callOf(api, 'cancelImport'),
})

const tagsOf = (api: Transport) => ({
  /** Lists the tags with their link counts, most used first. */
  list: listOf(api, 'listTags'),
})

const webhooksOf = (api: Transport) => ({
  /** Creates a webhook. Only this response contains a generated secret. */
  create: callOf(api, 'createWebhook'),
  list: listOf(api, 'listWebhooks'),
  get: callOf(api, 'getWebhook'),
  /** Updates the given fields. A function receives the current webhook, and is called again after a conflict. */
  update: (
    id: string,
    change: Change<Webhook, BodyOf<'updateWebhook'>>,
    options: UpdateOptions = {},
  ): Promise<Webhook> =>
    update(
      change,
      options,
      (callOptions) => api.call('getWebhook', { path: [id] }, callOptions),
      (body, callOptions) => api.call('updateWebhook', { path: [id], body }, callOptions),
    ),
  /** Deletes a webhook. Its pending deliveries are not sent. */
  delete: callOf(api, 'deleteWebhook'),
  /** Sends a test event immediately and returns the request and response. */
  test: callOf(api, 'sendTestEvent'),
  /** Creates a new signing secret. Until the overlap ends, deliveries are signed with both secrets. */
  rotateSecret: callOf(api, 'rotateWebhookSecret'),
  /** Lists deliveries, newest first. */
  deliveries: listOf(api, 'listDeliveries'),
  /** Returns one delivery with its attempts. */
  delivery: callOf(api, 'getDelivery'),
  /** Redelivers a delivery. Not idempotent. */
  redeliver: callOf(api, 'redeliverDelivery'),
  /** Redelivers failed or all deliveries since a time. */
  replay: callOf(api, 'replayDeliveries'),
  /** Returns the ledger: emitted = succeeded + pending + held + failed + canceled. */
  stats: callOf(api, 'getWebhookStats'),
})

const tokensOf = (api: Transport) => ({
  /** Creates a token. Only this response contains its value. */
  create: callOf(api, 'createToken'),
  /** Lists the active tokens. */
  list: listOf(api, 'listTokens'),
  get: callOf(api, 'getToken'),
  /** Returns the token of this client. */
  self: callOf(api, 'getOwnToken'),
  /** Creates a replacement for a token. The old token expires after the overlap. */
  rotate: callOf(api, 'rotateToken'),
  /** Revokes a token immediately. With `descendants`, also revokes the tokens that it created. */
  revoke: callOf(api, 'revokeToken'),
  revokeSelf: callOf(api, 'revokeOwnToken'),
  /** Revokes a leaked token by its value. Requires no authentication. */
  revokeByValue: (token: string, options?: CallOptions): Promise<undefined> =>
    api.call('revokeTokenByValue', { body: { token } }, options),
})

const auditLogOf = (api: Transport) => ({
  /** Lists audit entries, newest first. */
  list: listOf(api, 'listAuditEntries'),
})

const instanceOf = (api: Transport) => ({
  /** Returns the settings of the service with their sources, without secrets, and the findings of `doctor`. */
  get: callOf(api, 'getInstance'),
})

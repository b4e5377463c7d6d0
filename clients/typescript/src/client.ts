import { createCall, createDownload, createFollow, createList } from './calls.js'
import { createImport } from './imports.js'
import type { FileType } from './imports.js'
import { live } from './live.js'
import type { LiveOptions } from './live.js'
import type { CallOptions, ClientOptions, UpdateOptions } from './options.js'
import type { List } from './pages.js'
import type { CallInput } from './request.js'
import { Transport } from './transport.js'
import type { BodyOf, Explanation, Link, OperationId, QueryOf, ResultOf, Webhook } from './types.js'
import { update } from './update.js'
import type { Change } from './update.js'

/** A client of the API. Its methods are grouped by resource. */
export class LinkService {
  readonly baseUrl: string
  readonly links: ReturnType<typeof createLinks>
  readonly clicks: ReturnType<typeof createClicks>
  readonly analytics: ReturnType<typeof createAnalytics>
  readonly events: ReturnType<typeof createEvents>
  readonly imports: ReturnType<typeof createImports>
  readonly tags: ReturnType<typeof createTags>
  readonly webhooks: ReturnType<typeof createWebhooks>
  readonly notices: ReturnType<typeof createNotices>
  readonly tokens: ReturnType<typeof createTokens>
  readonly auditLog: ReturnType<typeof createAuditLog>
  readonly instance: ReturnType<typeof createInstance>

  /** Calls any operation by its ID in the OpenAPI document. */
  readonly call: <Id extends OperationId>(
    id: Id,
    input?: CallInput,
    options?: CallOptions,
  ) => Promise<ResultOf<Id>>

  constructor(options: ClientOptions = {}) {
    const api = new Transport(options)
    this.call = (id, input = {}, callOptions) => api.call(id, input, callOptions)
    this.baseUrl = api.baseUrl
    this.links = createLinks(api)
    this.clicks = createClicks(api)
    this.analytics = createAnalytics(api)
    this.events = createEvents(api)
    this.imports = createImports(api)
    this.tags = createTags(api)
    this.webhooks = createWebhooks(api)
    this.notices = createNotices(api)
    this.tokens = createTokens(api)
    this.auditLog = createAuditLog(api)
    this.instance = createInstance(api)
  }
}

const createLinks = (api: Transport) => ({
  /** Creates a link. Without `slug`, the service generates one. */
  create: createCall(api, 'createLink'),
  /** Creates up to 1,000 links: all or none, unless `atomic` is false. The results have the order of the input. */
  createMany: createCall(api, 'createLinks'),
  /** Creates or replaces the link with this external ID. Omitted fields get their defaults. */
  putByExternalId: createCall(api, 'putLinkByExternalId'),
  /** Lists links, newest first unless `sort` is given. */
  list: createList(api, 'listLinks'),
  get: createCall(api, 'getLink'),
  getBySlug: createCall(api, 'getLinkBySlug'),
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
  updateMany: createCall(api, 'updateLinks'),
  /** Deletes a link. Its slug returns 410 and cannot be used again. */
  delete: createCall(api, 'deleteLink'),
  /** Deletes up to 1,000 links: all or none, unless `atomic` is false. */
  deleteMany: createCall(api, 'deleteLinks'),
  /** Returns the QR code of a link, as SVG by default. */
  qr: (id: string, query: QueryOf<'getLinkQr'> = {}, options?: CallOptions): Promise<Blob> =>
    api.image('getLinkQr', { path: [id], query }, ['image/svg+xml', 'image/png'], options),
  /** Exports the links that match the query, as CSV by default. */
  export: createDownload(api, 'exportLinks', ['text/csv', 'application/x-ndjson']),
  /** Lists the changes of a link, newest first. Also works for a deleted link. */
  history: createList(api, 'listLinkHistory'),
  /** Lists the clicks of a link, newest first. */
  clicks: createList(api, 'listLinkClicks'),
  /** Counts the clicks of a link, optionally grouped by `group_by`. */
  analytics: createCall(api, 'getLinkAnalytics'),
  /** Returns the results of `analytics` as a CSV file. */
  analyticsCsv: createDownload(api, 'getLinkAnalytics', ['text/csv']),
  /** Explains why webhooks did or did not receive the events of a link. */
  explain: createCall(api, 'explainLink'),
})

const createClicks = (api: Transport) => ({
  /** Returns one page of clicks, oldest first, `after` a cursor. '' is the start of the feed, 'latest' the end. */
  read: createCall(api, 'listClicks'),
  /** Yields all clicks, oldest first, then waits for new ones until the signal aborts. */
  follow: createFollow(api, 'listClicks'),
  /** Yields new clicks within about a second until the signal aborts. Reconnects if the stream breaks. */
  live: (query?: QueryOf<'followLiveClicks'>, options?: LiveOptions) => live(api, query, options),
  /** Explains why webhooks did or did not receive the event of a click. */
  explain: createCall(api, 'explainClick'),
})

const createAnalytics = (api: Transport) => ({
  /** Counts the clicks of the workspace, optionally grouped by `group_by`. */
  get: createCall(api, 'getAnalytics'),
  /** Returns the results of `get` as a CSV file. */
  csv: createDownload(api, 'getAnalytics', ['text/csv']),
})

const createEvents = (api: Transport) => ({
  /** Lists events, newest first. */
  list: createList(api, 'listEvents'),
  get: createCall(api, 'getEvent'),
  /** Lists the event types that a webhook can subscribe to. */
  types: createList(api, 'listEventTypes'),
  /** Explains for each webhook why it did or did not receive the event, newest webhook first. */
  explain: (id: string, query: { limit?: number } = {}, options?: CallOptions): List<Explanation> =>
    createList(api, 'explainEvent')(id, query, options),
  /** Explains why one webhook did or did not receive the event. */
  explainFor: async (id: string, webhookId: string, options?: CallOptions): Promise<Explanation> => {
    const query = { webhook_id: webhookId }
    return (await api.call('explainEvent', { path: [id], query }, options)) as Explanation
  },
  /** Returns one page of events, oldest first, `after` a cursor. '' is the start of the feed, 'latest' the end. */
  read: createCall(api, 'listEvents'),
  /** Yields all events, oldest first, then waits for new ones until the signal aborts. */
  follow: createFollow(api, 'listEvents'),
})

const createImports = (api: Transport) => ({
  /** Uploads a file, by default without a time limit. The import runs in the background. Poll it with `get`. */
  create: createImport(api),
  /** Lists imports, newest first. */
  list: createList(api, 'listImports'),
  get: createCall(api, 'getImport'),
  /** Returns the failed lines with their errors, as NDJSON or CSV. */
  report: (
    id: string,
    { type = 'application/x-ndjson', ...options }: CallOptions & { type?: FileType | undefined } = {},
  ) => api.download('getImportReport', { path: [id] }, [type], options),
  /** Cancels an import. Links that were already imported are kept. */
  cancel: createCall(api, 'cancelImport'),
})

const createTags = (api: Transport) => ({
  /** Lists the tags with their link counts, most used first. */
  list: createList(api, 'listTags'),
})

const createWebhooks = (api: Transport) => ({
  /** Creates a webhook. Only this response contains a generated secret. */
  create: createCall(api, 'createWebhook'),
  list: createList(api, 'listWebhooks'),
  get: createCall(api, 'getWebhook'),
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
  delete: createCall(api, 'deleteWebhook'),
  /** Sends a test event immediately and returns the request and response. */
  test: createCall(api, 'sendTestEvent'),
  /** Creates a new signing secret. Until the overlap ends, deliveries are signed with both secrets. */
  rotateSecret: createCall(api, 'rotateWebhookSecret'),
  /** Tests whether the filter of a webhook, or another filter, includes a recorded event. */
  testFilter: createCall(api, 'testWebhookFilter'),
  /** Creates a link to pages that show only this webhook. The link works once. */
  createPortalLink: createCall(api, 'createPortalLink'),
  /** Lists deliveries, newest first. */
  deliveries: createList(api, 'listDeliveries'),
  /** Returns one delivery with its attempts. */
  delivery: createCall(api, 'getDelivery'),
  /** Redelivers a delivery. Not idempotent. */
  redeliver: createCall(api, 'redeliverDelivery'),
  /** Cancels a pending or held delivery, so that an ordered webhook sends the next one. */
  skip: createCall(api, 'skipDelivery'),
  /** Redelivers failed or all deliveries since a time. */
  replay: createCall(api, 'replayDeliveries'),
  /** Returns the ledger: emitted = succeeded + pending + held + failed + canceled. */
  stats: createCall(api, 'getWebhookStats'),
})

const createNotices = (api: Transport) => ({
  /** Creates a target of notices for people. */
  create: createCall(api, 'createNoticeTarget'),
  list: createList(api, 'listNoticeTargets'),
  get: createCall(api, 'getNoticeTarget'),
  /** Changes the events of a target. */
  update: createCall(api, 'updateNoticeTarget'),
  /** Deletes a target. Unsent notices for it are dropped. */
  delete: createCall(api, 'deleteNoticeTarget'),
  /** Sends a message to each target now. */
  test: createCall(api, 'testNotices'),
})

const createTokens = (api: Transport) => ({
  /** Creates a token. Only this response contains its value. */
  create: createCall(api, 'createToken'),
  /** Lists the active tokens. */
  list: createList(api, 'listTokens'),
  get: createCall(api, 'getToken'),
  /** Returns the token of this client. */
  self: createCall(api, 'getOwnToken'),
  /** Creates a replacement for a token. The old token expires after the overlap. */
  rotate: createCall(api, 'rotateToken'),
  /** Revokes a token immediately. With `descendants`, also revokes the tokens that it created. */
  revoke: createCall(api, 'revokeToken'),
  revokeSelf: createCall(api, 'revokeOwnToken'),
  /** Revokes a leaked token by its value. Requires no authentication. */
  revokeByValue: (token: string, options?: CallOptions): Promise<undefined> =>
    api.call('revokeTokenByValue', { body: { token } }, options),
})

const createAuditLog = (api: Transport) => ({
  /** Lists audit entries, newest first. */
  list: createList(api, 'listAuditEntries'),
  /** Returns all entries that match the filters, as CSV. */
  export: createDownload(api, 'exportAuditEntries', ['text/csv']),
})

const createInstance = (api: Transport) => ({
  /** Returns the settings of the service with their sources, without secrets, and the findings of `doctor`. */
  get: createCall(api, 'getInstance'),
  /** Returns the IP addresses that deliveries come from. */
  egress: createCall(api, 'getEgress'),
  /** Returns whether the operator of the service paused all deliveries. */
  deliveries: createCall(api, 'getDeliveryState'),
})

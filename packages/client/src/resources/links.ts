import type { List } from '../pages.js'
import type { CallOptions, CreateOptions, Transport } from '../transport.js'
import type { BodyOf, BulkReport, ItemOf, Link, QueryOf, ResultOf } from '../types.js'
import { update } from '../update.js'
import type { Change, UpdateOptions } from '../update.js'
import { listOf } from './list-of.js'

export class Links {
  readonly #api: Transport

  constructor(api: Transport) {
    this.#api = api
  }

  /** Makes a short link; without a slug one is made up. */
  create(link: BodyOf<'createLink'>, { idempotencyKey, ...options }: CreateOptions = {}): Promise<Link> {
    return this.#api.call(
      'createLink',
      { body: link, headers: { 'idempotency-key': idempotencyKey } },
      options,
    )
  }

  /** Up to 1,000 links: all or none, unless `atomic` is false. The report has a result for each, in their order. */
  createMany(
    body: BodyOf<'createLinks'>,
    { idempotencyKey, ...options }: CreateOptions = {},
  ): Promise<BulkReport> {
    return this.#api.call('createLinks', { body, headers: { 'idempotency-key': idempotencyKey } }, options)
  }

  /** Makes the link with this external id what is given: it is made or changed, and absent fields get their defaults. */
  putByExternalId(
    externalId: string,
    link: BodyOf<'putLinkByExternalId'>,
    options?: CallOptions,
  ): Promise<Link> {
    return this.#api.call('putLinkByExternalId', { path: [externalId], body: link }, options)
  }

  /** Newest first, unless `sort` says otherwise. */
  list(query: QueryOf<'listLinks'> = {}, options?: CallOptions): List<ItemOf<'listLinks'>> {
    return listOf(this.#api, 'listLinks', [], query, options)
  }

  get(id: string, options?: CallOptions): Promise<Link> {
    return this.#api.call('getLink', { path: [id] }, options)
  }

  getBySlug(slug: string, options?: CallOptions): Promise<Link> {
    return this.#api.call('getLinkBySlug', { path: [slug] }, options)
  }

  /** What a visitor of this slug would get, now or `at` another time. It counts no click. */
  resolve(
    slug: string,
    query: Omit<QueryOf<'resolveSlug'>, 'slug'> = {},
    options?: CallOptions,
  ): Promise<ResultOf<'resolveSlug'>> {
    return this.#api.call('resolveSlug', { query: { ...query, slug } }, options)
  }

  /** Changes what is given and nothing else. A function gets the link as it is, and is asked again when that was changed meanwhile. */
  update(id: string, change: Change<Link, BodyOf<'updateLink'>>, options: UpdateOptions = {}): Promise<Link> {
    return update(
      change,
      options,
      (rest) => this.get(id, rest),
      (body, ifMatch, rest) =>
        this.#api.call('updateLink', { path: [id], body, headers: { 'if-match': ifMatch } }, rest),
    )
  }

  /** One change for up to 1,000 links: all or none, unless `atomic` is false. */
  updateMany(
    body: BodyOf<'updateLinks'>,
    { idempotencyKey, ...options }: CreateOptions = {},
  ): Promise<BulkReport> {
    return this.#api.call('updateLinks', { body, headers: { 'idempotency-key': idempotencyKey } }, options)
  }

  /** The slug answers 410 from then on, and is never given out again. */
  delete(id: string, { ifMatch, ...options }: UpdateOptions = {}): Promise<undefined> {
    return this.#api.call('deleteLink', { path: [id], headers: { 'if-match': ifMatch } }, options)
  }

  /** Up to 1,000 links: all or none, unless `atomic` is false. */
  deleteMany(
    body: BodyOf<'deleteLinks'>,
    { idempotencyKey, ...options }: CreateOptions = {},
  ): Promise<BulkReport> {
    return this.#api.call('deleteLinks', { body, headers: { 'idempotency-key': idempotencyKey } }, options)
  }

  /** The QR code of the short link, as SVG unless `format` says otherwise. */
  qr(id: string, query: QueryOf<'getLinkQr'> = {}, options?: CallOptions): Promise<Blob> {
    return this.#api.picture('getLinkQr', { path: [id], query }, ['image/svg+xml', 'image/png'], options)
  }

  /** All links, or those that the query selects, as a CSV file unless `format` says otherwise. */
  export(query: QueryOf<'exportLinks'> = {}, options?: CallOptions): Promise<ReadableStream<Uint8Array>> {
    return this.#api.download('exportLinks', { query }, ['text/csv', 'application/x-ndjson'], options)
  }

  /** Who changed which fields, newest first; also of a deleted link. */
  history(
    id: string,
    query: QueryOf<'listLinkHistory'> = {},
    options?: CallOptions,
  ): List<ItemOf<'listLinkHistory'>> {
    return listOf(this.#api, 'listLinkHistory', [id], query, options)
  }

  /** The clicks of a link, newest first. */
  clicks(
    id: string,
    query: QueryOf<'listLinkClicks'> = {},
    options?: CallOptions,
  ): List<ItemOf<'listLinkClicks'>> {
    return listOf(this.#api, 'listLinkClicks', [id], query, options)
  }

  /** How many clicks the link had; `group_by` splits them. */
  analytics(
    id: string,
    query: QueryOf<'getLinkAnalytics'> = {},
    options?: CallOptions,
  ): Promise<ResultOf<'getLinkAnalytics'>> {
    return this.#api.call('getLinkAnalytics', { path: [id], query }, options)
  }

  /** The same as a CSV file. */
  analyticsCsv(
    id: string,
    query: QueryOf<'getLinkAnalytics'> = {},
    options?: CallOptions,
  ): Promise<ReadableStream<Uint8Array>> {
    return this.#api.download('getLinkAnalytics', { path: [id], query }, ['text/csv'], options)
  }

  /** Why webhooks did or did not get the events of the link. */
  explain(
    id: string,
    query: QueryOf<'explainLink'> = {},
    options?: CallOptions,
  ): Promise<ResultOf<'explainLink'>> {
    return this.#api.call('explainLink', { path: [id], query }, options)
  }
}

import type { List } from '../pages.js'
import type { CallOptions, CreateOptions, Transport } from '../transport.js'
import type { BodyOf, ItemOf, Link, QueryOf, ResultOf } from '../types.js'
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

  /** Newest first, unless `sort` says otherwise. */
  list(query: QueryOf<'listLinks'> = {}, options?: CallOptions): List<ItemOf<'listLinks'>> {
    return listOf(this.#api, 'listLinks', [], query, options)
  }

  get(id: string, options?: CallOptions): Promise<Link> {
    return this.#api.call('getLink', { path: [id] }, options)
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

  /** The slug answers 410 from then on, and is never given out again. */
  delete(id: string, { ifMatch, ...options }: UpdateOptions = {}): Promise<undefined> {
    return this.#api.call('deleteLink', { path: [id], headers: { 'if-match': ifMatch } }, options)
  }

  /** The clicks of a link, newest first. */
  clicks(
    id: string,
    query: QueryOf<'listLinkClicks'> = {},
    options?: CallOptions,
  ): List<ItemOf<'listLinkClicks'>> {
    return listOf(this.#api, 'listLinkClicks', [id], query, options)
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

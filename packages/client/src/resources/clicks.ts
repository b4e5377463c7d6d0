import { follow } from '../follow.js'
import type { FeedPage, FollowedRow, FollowOptions } from '../follow.js'
import { live } from '../live.js'
import type { LiveOptions } from '../live.js'
import type { CallOptions, Transport } from '../transport.js'
import type { Click, QueryOf, ResultOf } from '../types.js'

const followedPage = 100

export class Clicks {
  readonly #api: Transport

  constructor(api: Transport) {
    this.#api = api
  }

  /** One page of all clicks, oldest first: those `after` a cursor, '' for the oldest, 'latest' for the end. */
  read(query: QueryOf<'listClicks'>, options?: CallOptions): Promise<ResultOf<'listClicks'>> {
    return this.#api.call('listClicks', { query }, options)
  }

  /** All clicks, oldest first, and those that come, until the signal ends it. */
  follow({ link_id, ...options }: FollowOptions & { link_id?: string } = {}): AsyncGenerator<
    FollowedRow<Click>,
    void,
    undefined
  > {
    const filter = link_id === undefined ? {} : { link_id }
    const read = (after: string, rest: CallOptions) =>
      this.read({ ...filter, after, limit: followedPage }, rest) as Promise<FeedPage<Click>>
    return follow(read, options)
  }

  /** Clicks within a second of their visit, until the signal ends it: a stream that ends or breaks is resumed. */
  live(
    query: QueryOf<'followLiveClicks'> = {},
    options: LiveOptions = {},
  ): AsyncGenerator<FollowedRow<Click>, void, undefined> {
    const filter = query.link_id === undefined ? {} : { link_id: query.link_id }
    const open = (after: string, rest: CallOptions) =>
      this.#api.download(
        'followLiveClicks',
        { query, headers: { 'last-event-id': after } },
        ['text/event-stream'],
        rest,
      )
    const end = async (rest: CallOptions) =>
      (await this.read({ ...filter, after: 'latest' }, rest)).next_cursor!
    return live(open, end, options)
  }

  /** Why webhooks did or did not get the event of the click. */
  explain(
    id: string,
    query: QueryOf<'explainClick'> = {},
    options?: CallOptions,
  ): Promise<ResultOf<'explainClick'>> {
    return this.#api.call('explainClick', { path: [id], query }, options)
  }
}

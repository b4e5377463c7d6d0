import { follow } from '../follow.js'
import type { FeedPage, FollowedRow, FollowOptions } from '../follow.js'
import { List } from '../pages.js'
import type { Page } from '../pages.js'
import type { CallOptions, Transport } from '../transport.js'
import type { Explanation, ItemOf, QueryOf, RecordedEvent, ResultOf } from '../types.js'
import { listOf } from './list-of.js'

const followedPage = 100

type EventFilter = Omit<QueryOf<'listEvents'>, 'after' | 'cursor' | 'limit'>

export class Events {
  readonly #api: Transport

  constructor(api: Transport) {
    this.#api = api
  }

  /** Newest first. */
  list(query: Omit<QueryOf<'listEvents'>, 'after'> = {}, options?: CallOptions): List<RecordedEvent> {
    return listOf(this.#api, 'listEvents', [], query, options)
  }

  get(id: string, options?: CallOptions): Promise<ResultOf<'getEvent'>> {
    return this.#api.call('getEvent', { path: [id] }, options)
  }

  /** What a webhook can subscribe to. */
  types(query: QueryOf<'listEventTypes'> = {}, options?: CallOptions): List<ItemOf<'listEventTypes'>> {
    return listOf(this.#api, 'listEventTypes', [], query, options)
  }

  /** Why each webhook did or did not get it, the newest webhook first. */
  explain(id: string, options?: CallOptions): List<Explanation> {
    return new List(async (cursor) => {
      const answer = await this.#api.call('explainEvent', { path: [id], query: { cursor } }, options)
      return answer as Page<Explanation>
    })
  }

  /** Why one webhook did or did not get it. */
  async explainFor(id: string, webhookId: string, options?: CallOptions): Promise<Explanation> {
    const query = { webhook_id: webhookId }
    return (await this.#api.call('explainEvent', { path: [id], query }, options)) as Explanation
  }

  /** One page, oldest first: those `after` a cursor, '' for the oldest, 'latest' for the end. */
  read(
    query: EventFilter & { after: string; limit?: number },
    options?: CallOptions,
  ): Promise<ResultOf<'listEvents'>> {
    return this.#api.call('listEvents', { query }, options)
  }

  /** All events, oldest first, and those that come, until the signal ends it. */
  follow({
    after,
    pollMs,
    signal,
    timeoutMs,
    maxRetries,
    ...filter
  }: FollowOptions & EventFilter = {}): AsyncGenerator<FollowedRow<RecordedEvent>, void, undefined> {
    const read = (place: string, options: CallOptions) =>
      this.read({ ...filter, after: place, limit: followedPage }, options) as Promise<FeedPage<RecordedEvent>>
    return follow(read, { after, pollMs, signal, timeoutMs, maxRetries })
  }
}

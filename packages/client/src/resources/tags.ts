import type { List } from '../pages.js'
import type { CallOptions, Transport } from '../transport.js'
import type { QueryOf, Tag } from '../types.js'
import { listOf } from './list-of.js'

export class Tags {
  readonly #api: Transport

  constructor(api: Transport) {
    this.#api = api
  }

  /** With the number of links that have it, the most used first. */
  list(query: QueryOf<'listTags'> = {}, options?: CallOptions): List<Tag> {
    return listOf(this.#api, 'listTags', [], query, options)
  }
}

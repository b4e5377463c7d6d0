import type { List } from '../pages.js'
import type { CallOptions, Transport } from '../transport.js'
import type { ItemOf, QueryOf, ResultOf } from '../types.js'
import { listOf } from './list-of.js'

/** Imports that were begun. A file is sent with a plain `POST /v1/imports`, which streams it. */
export class Imports {
  readonly #api: Transport

  constructor(api: Transport) {
    this.#api = api
  }

  /** Newest first. */
  list(query: QueryOf<'listImports'> = {}, options?: CallOptions): List<ItemOf<'listImports'>> {
    return listOf(this.#api, 'listImports', [], query, options)
  }

  get(id: string, options?: CallOptions): Promise<ResultOf<'getImport'>> {
    return this.#api.call('getImport', { path: [id] }, options)
  }

  /** Stops it; what is done stays. */
  cancel(id: string, options?: CallOptions): Promise<void> {
    return this.#api.call('cancelImport', { path: [id] }, options)
  }
}

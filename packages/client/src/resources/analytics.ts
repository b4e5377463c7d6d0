import type { CallOptions, Transport } from '../transport.js'
import type { QueryOf, ResultOf } from '../types.js'

export class Analytics {
  readonly #api: Transport

  constructor(api: Transport) {
    this.#api = api
  }

  /** How many clicks there were in the workspace; `group_by` splits them. */
  get(query: QueryOf<'getAnalytics'> = {}, options?: CallOptions): Promise<ResultOf<'getAnalytics'>> {
    return this.#api.call('getAnalytics', { query }, options)
  }

  /** The same as a CSV file. */
  csv(query: QueryOf<'getAnalytics'> = {}, options?: CallOptions): Promise<ReadableStream<Uint8Array>> {
    return this.#api.download('getAnalytics', { query }, ['text/csv'], options)
  }
}

import type { CallOptions, Transport } from '../transport.js'
import type { ResultOf } from '../types.js'

export class Instance {
  readonly #api: Transport

  constructor(api: Transport) {
    this.#api = api
  }

  /** The settings of the service and where each comes from, without secrets, and what `doctor` finds. */
  get(options?: CallOptions): Promise<ResultOf<'getInstance'>> {
    return this.#api.call('getInstance', {}, options)
  }
}

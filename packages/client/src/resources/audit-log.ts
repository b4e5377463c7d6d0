import type { List } from '../pages.js'
import type { CallOptions, Transport } from '../transport.js'
import type { AuditEntry, QueryOf } from '../types.js'
import { listOf } from './list-of.js'

export class AuditLog {
  readonly #api: Transport

  constructor(api: Transport) {
    this.#api = api
  }

  /** Who did what, newest first. */
  list(query: QueryOf<'listAuditEntries'> = {}, options?: CallOptions): List<AuditEntry> {
    return listOf(this.#api, 'listAuditEntries', [], query, options)
  }
}

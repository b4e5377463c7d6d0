import type { List } from '../pages.js'
import type { CallOptions, CreateOptions, Transport } from '../transport.js'
import type { BodyOf, ItemOf, QueryOf, ResultOf, Token } from '../types.js'
import { listOf } from './list-of.js'

export class Tokens {
  readonly #api: Transport

  constructor(api: Transport) {
    this.#api = api
  }

  /** The only answer that has the token's value. */
  create(
    token: BodyOf<'createToken'>,
    { idempotencyKey, ...options }: CreateOptions = {},
  ): Promise<ResultOf<'createToken'>> {
    return this.#api.call(
      'createToken',
      { body: token, headers: { 'idempotency-key': idempotencyKey } },
      options,
    )
  }

  /** The active ones. */
  list(query: QueryOf<'listTokens'> = {}, options?: CallOptions): List<ItemOf<'listTokens'>> {
    return listOf(this.#api, 'listTokens', [], query, options)
  }

  get(id: string, options?: CallOptions): Promise<Token> {
    return this.#api.call('getToken', { path: [id] }, options)
  }

  /** The token that this client calls with. */
  self(options?: CallOptions): Promise<ResultOf<'getOwnToken'>> {
    return this.#api.call('getOwnToken', {}, options)
  }

  /** Makes a new one in place of this; the old one ends after the overlap. */
  rotate(
    id: string,
    rotation: BodyOf<'rotateToken'> = {},
    { idempotencyKey, ...options }: CreateOptions = {},
  ): Promise<ResultOf<'rotateToken'>> {
    const headers = { 'idempotency-key': idempotencyKey }
    return this.#api.call('rotateToken', { path: [id], body: rotation, headers }, options)
  }

  /** Ends a token at once, with `descendants` also those that it made. */
  revoke(id: string, query: QueryOf<'revokeToken'> = {}, options?: CallOptions): Promise<undefined> {
    return this.#api.call('revokeToken', { path: [id], query }, options)
  }

  revokeSelf(options?: CallOptions): Promise<undefined> {
    return this.#api.call('revokeOwnToken', {}, options)
  }

  /** Ends a token that leaked. Nothing but its value is needed. */
  revokeByValue(token: string, options?: CallOptions): Promise<undefined> {
    return this.#api.call('revokeTokenByValue', { body: { token } }, options)
  }
}

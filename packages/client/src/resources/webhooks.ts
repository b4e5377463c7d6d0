import type { List } from '../pages.js'
import type { CallOptions, CreateOptions, Transport } from '../transport.js'
import type { BodyOf, Delivery, ItemOf, QueryOf, ResultOf, Webhook } from '../types.js'
import { update } from '../update.js'
import type { Change, UpdateOptions } from '../update.js'
import { listOf } from './list-of.js'

export class Webhooks {
  readonly #api: Transport

  constructor(api: Transport) {
    this.#api = api
  }

  /** Without a secret one is made, and only this answer has it. */
  create(
    webhook: BodyOf<'createWebhook'>,
    { idempotencyKey, ...options }: CreateOptions = {},
  ): Promise<ResultOf<'createWebhook'>> {
    const headers = { 'idempotency-key': idempotencyKey }
    return this.#api.call('createWebhook', { body: webhook, headers }, options)
  }

  list(query: QueryOf<'listWebhooks'> = {}, options?: CallOptions): List<ItemOf<'listWebhooks'>> {
    return listOf(this.#api, 'listWebhooks', [], query, options)
  }

  get(id: string, options?: CallOptions): Promise<Webhook> {
    return this.#api.call('getWebhook', { path: [id] }, options)
  }

  /** Changes what is given and nothing else. A function gets the webhook as it is, and is asked again when that was changed meanwhile. */
  update(
    id: string,
    change: Change<Webhook, BodyOf<'updateWebhook'>>,
    options: UpdateOptions = {},
  ): Promise<Webhook> {
    return update(
      change,
      options,
      (rest) => this.get(id, rest),
      (body, ifMatch, rest) =>
        this.#api.call('updateWebhook', { path: [id], body, headers: { 'if-match': ifMatch } }, rest),
    )
  }

  /** Nothing more is sent. */
  delete(id: string, { ifMatch, ...options }: UpdateOptions = {}): Promise<undefined> {
    return this.#api.call('deleteWebhook', { path: [id], headers: { 'if-match': ifMatch } }, options)
  }

  /** Sends an example at once, and answers with the whole trace. */
  test(
    id: string,
    test: BodyOf<'sendTestEvent'> = {},
    options?: CallOptions,
  ): Promise<ResultOf<'sendTestEvent'>> {
    return this.#api.call('sendTestEvent', { path: [id], body: test }, options)
  }

  /** The old secret signs beside the new one until the overlap ends. */
  rotateSecret(
    id: string,
    rotation: BodyOf<'rotateWebhookSecret'> = {},
    { idempotencyKey, ...options }: CreateOptions = {},
  ): Promise<ResultOf<'rotateWebhookSecret'>> {
    const headers = { 'idempotency-key': idempotencyKey }
    return this.#api.call('rotateWebhookSecret', { path: [id], body: rotation, headers }, options)
  }

  /** Newest first. */
  deliveries(id: string, query: QueryOf<'listDeliveries'> = {}, options?: CallOptions): List<Delivery> {
    return listOf(this.#api, 'listDeliveries', [id], query, options)
  }

  /** One delivery with its attempts. */
  delivery(id: string, deliveryId: string, options?: CallOptions): Promise<ResultOf<'getDelivery'>> {
    return this.#api.call('getDelivery', { path: [id, deliveryId] }, options)
  }

  /** Sends a delivery again, each time that it is called. */
  redeliver(id: string, deliveryId: string, options?: CallOptions): Promise<ResultOf<'redeliverDelivery'>> {
    return this.#api.call('redeliverDelivery', { path: [id, deliveryId] }, options)
  }

  /** Sends many again: those that failed, or all since a time. */
  replay(
    id: string,
    replay: BodyOf<'replayDeliveries'>,
    options?: CallOptions,
  ): Promise<ResultOf<'replayDeliveries'>> {
    return this.#api.call('replayDeliveries', { path: [id], body: replay }, options)
  }

  /** The ledger: what was emitted is succeeded, pending, held, failed or canceled. */
  stats(id: string, options?: CallOptions): Promise<ResultOf<'getWebhookStats'>> {
    return this.#api.call('getWebhookStats', { path: [id] }, options)
  }
}

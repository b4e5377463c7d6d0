/** Signs and sends deliveries. */
import { Injectable, Logger } from '@nestjs/common'

import type { Sent } from '../deliveries/attempt.entity.js'
import { encodeId } from '../platform/database/ids.js'
import { OutboundClient } from '../platform/outbound/outbound-client.js'
import { ThrottledWarning } from '../platform/util/throttled-warning.js'
import { currentTime } from '../platform/util/clock.js'
import { WebhookSecrets, headersOf, keyOf } from '../webhooks/signing.js'
import type { DueDelivery, LaneView } from './leases.repository.js'

/** The keys of a lane, unsealed once. They are unsealed again when the overlap of two secrets ends. */
interface Keys {
  keys: Buffer[]
  goodUntil: number
}

@Injectable()
export class Sender {
  private readonly unreadable = new ThrottledWarning(new Logger(Sender.name))
  private readonly opened = new WeakMap<LaneView, Keys>()

  constructor(
    private readonly client: OutboundClient,
    private readonly secrets: WebhookSecrets,
  ) {}

  /** False after a change of ENCRYPTION_KEY, until the webhook has a new secret. */
  canSign(view: LaneView): boolean {
    try {
      return this.keysOf(view, currentTime()).length > 0
    } catch {
      const webhook = encodeId('wh', view.webhookId)
      this.unreadable.warn(
        `The secret of ${webhook} cannot be read: ENCRYPTION_KEY was another one. Its deliveries wait for a new secret.`,
      )
      return false
    }
  }

  async send(view: LaneView, delivery: DueDelivery): Promise<Sent> {
    const now = currentTime()
    const message = {
      id: encodeId('evt', delivery.eventId),
      body: delivery.body,
      attempt: delivery.attemptCount + 1,
      sequence: delivery.sequence,
    }
    const headers = headersOf(message, this.keysOf(view, now), now)
    const { url } = view
    return { url, headers, outcome: await this.client.send({ url, headers, body: delivery.body }) }
  }

  private keysOf(view: LaneView, now: Date): Buffer[] {
    const known = this.opened.get(view)
    if (known && known.goodUntil > now.getTime()) return known.keys
    const keys = this.secrets.signing({ ...view, id: view.webhookId }, now).map(keyOf)
    const goodUntil = keys.length > 1 ? (view.oldSecretEndsAt?.getTime() ?? 0) : Infinity
    this.opened.set(view, { keys, goodUntil })
    return keys
  }
}

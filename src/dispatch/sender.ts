/** Signs and sends deliveries. */
import { Injectable, Logger } from '@nestjs/common'

import type { Sent } from '../deliveries/attempt.entity.js'
import { encodeId } from '../platform/database/ids.js'
import { OutboundClient } from '../platform/outbound/outbound-client.js'
import { ThrottledWarning } from '../platform/util/throttled-warning.js'
import { currentTime } from '../platform/util/clock.js'
import { headersOf, keyOf } from '../webhooks/signing.js'
import { WebhookSecrets } from '../webhooks/webhook-secrets.js'
import type { DueDelivery, ClaimedLane } from './leases.repository.js'

/** The signing keys of a lane. They expire when the overlap of two secrets ends. */
interface Keys {
  keys: Buffer[]
  expiresAt: number
}

@Injectable()
export class Sender {
  private readonly warning = new ThrottledWarning(new Logger(Sender.name))
  private readonly cachedKeys = new WeakMap<ClaimedLane, Keys>()

  constructor(
    private readonly client: OutboundClient,
    private readonly secrets: WebhookSecrets,
  ) {}

  /** False if the secret of the webhook was encrypted with another ENCRYPTION_KEY. */
  canSign(lane: ClaimedLane): boolean {
    try {
      return this.getSigningKeys(lane, currentTime()).length > 0
    } catch {
      const webhook = encodeId('wh', lane.webhookId)
      this.warning.warn(
        `The secret of ${webhook} cannot be decrypted with this ENCRYPTION_KEY. Its deliveries wait until the key is restored or the secret is rotated.`,
      )
      return false
    }
  }

  async send(lane: ClaimedLane, delivery: DueDelivery): Promise<Sent> {
    const now = currentTime()
    const message = {
      id: encodeId('evt', delivery.eventId),
      body: delivery.body,
      attempt: delivery.attemptCount + 1,
      sequence: delivery.sequence,
    }
    const headers = headersOf(message, this.getSigningKeys(lane, now), now)
    const { url } = lane
    return { url, headers, outcome: await this.client.send({ url, headers, body: delivery.body }) }
  }

  private getSigningKeys(lane: ClaimedLane, now: Date): Buffer[] {
    const cached = this.cachedKeys.get(lane)
    if (cached && cached.expiresAt > now.getTime()) return cached.keys
    const keys = this.secrets.signing({ ...lane, id: lane.webhookId }, now).map(keyOf)
    const expiresAt = keys.length > 1 ? (lane.oldSecretEndsAt?.getTime() ?? 0) : Infinity
    this.cachedKeys.set(lane, { keys, expiresAt })
    return keys
  }
}

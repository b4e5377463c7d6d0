/** Signs and sends deliveries. */
import { Injectable, Logger } from '@nestjs/common'

import type { Sent } from '../deliveries/attempt.entity.js'
import { encodeId } from '../platform/database/ids.js'
import { ThrottledWarning } from '../platform/util/throttled-warning.js'
import { currentTime } from '../platform/util/clock.js'
import { formatBody } from '../webhooks/formats/webhook-formats.js'
import { WebhookCredentials } from '../webhooks/webhook-credentials.js'
import type { Credentials } from '../webhooks/webhook-credentials.js'
import { WebhookRequests } from '../webhooks/webhook-requests.js'
import type { DueRequest } from './due-request.js'
import type { ClaimedLane } from './leases.repository.js'

/** The credentials of a lane. They expire when the overlap of two secrets ends. */
interface CachedCredentials extends Credentials {
  expiresAt: number
}

@Injectable()
export class Sender {
  private readonly warning = new ThrottledWarning(new Logger(Sender.name))
  private readonly cached = new WeakMap<ClaimedLane, CachedCredentials>()

  constructor(
    private readonly requests: WebhookRequests,
    private readonly credentials: WebhookCredentials,
  ) {}

  /** False if the secret or the custom headers of the webhook were encrypted with another ENCRYPTION_KEY. */
  canSign(lane: ClaimedLane): boolean {
    try {
      return this.openCredentials(lane, currentTime()).keys.length > 0
    } catch {
      const webhook = encodeId('wh', lane.webhookId)
      this.warning.warn(
        `The secret or the headers of ${webhook} cannot be decrypted with this ENCRYPTION_KEY. Its deliveries wait until the key is restored, or the secret is rotated and the headers are set again.`,
      )
      return false
    }
  }

  async send(lane: ClaimedLane, request: DueRequest): Promise<Sent> {
    const now = currentTime()
    const { url, format } = lane
    const { isBatch, messageId, attempt, sequence, traceparents } = request
    const body = isBatch ? request.body : formatBody(format, request.body)
    const message = { id: messageId, body, attempt, sequence }
    const { keys, custom } = this.openCredentials(lane, now)
    const webhook = { id: lane.webhookId, url, format }
    const { headers, outcome } = await this.requests.send({
      webhook,
      message,
      keys,
      custom,
      now,
      traceparents,
    })
    return { url, headers, customNames: [...custom.keys()], isBatch, outcome }
  }

  private openCredentials(lane: ClaimedLane, now: Date): Credentials {
    const cached = this.cached.get(lane)
    if (cached && cached.expiresAt > now.getTime()) return cached
    const credentials = this.credentials.open({ ...lane, id: lane.webhookId }, now)
    const expiresAt = credentials.keys.length > 1 ? (lane.oldSecretEndsAt?.getTime() ?? 0) : Infinity
    this.cached.set(lane, { ...credentials, expiresAt })
    return credentials
  }
}

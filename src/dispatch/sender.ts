/** Signs and sends deliveries, and limits how many requests one process has under way. */
import { setTimeout as pause } from 'node:timers/promises'

import { Injectable, Logger } from '@nestjs/common'

import type { Sent } from '../deliveries/attempt.entity.js'
import { encodeId } from '../platform/database/ids.js'
import { OutboundClient } from '../platform/outbound/outbound-client.js'
import { ThrottledWarning } from '../platform/util/throttled-warning.js'
import { currentTime } from '../platform/util/clock.js'
import { every } from '../platform/util/timers.js'
import { WebhookSecrets, headersOf, keyOf } from '../webhooks/signing.js'
import type { DueDelivery, LaneView } from './leases.repository.js'
import { slowAfterMs, mostSlowOverrun, slowPerQuick, slowSweepMs } from './limits.js'

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

/** A request under way. */
export interface Slot {
  readonly startedAt: number
  kind: Kind
}

type Kind = 'quick' | 'slow'

/**
 * Slow requests are counted apart from quick ones, so that receivers that answer have room however many others hang. A
 * lane that is known as slow sends slow requests only.
 */
export class SendSlots {
  private readonly quick = new Set<Slot>()
  private slow = 0
  private readonly waiting: Record<Kind, Set<() => void>> = { quick: new Set(), slow: new Set() }
  private endSweeps: (() => void) | null = null

  constructor(private readonly limit: number) {}

  /** Null when there is no room; then `onRoom` is called, once, when there may be. */
  take(kind: Kind, onRoom: () => void): Slot | null {
    if (!this.hasRoom(kind)) {
      this.waiting[kind].add(onRoom)
      return null
    }
    const slot: Slot = { startedAt: performance.now(), kind }
    if (kind === 'slow') this.slow += 1
    else this.quick.add(slot)
    this.endSweeps ??= every({ waitMs: slowSweepMs, work: () => this.sweep() })
    return slot
  }

  free(slot: Slot): void {
    if (slot.kind === 'slow') this.slow -= 1
    else this.quick.delete(slot)
    // Quick requests wait too while the slow ones are far too many.
    this.offer('quick')
    this.offer('slow')
    if (this.quick.size + this.slow === 0) this.stop()
  }

  get inFlight(): number {
    return this.quick.size + this.slow
  }

  async untilIdle(patienceMs: number): Promise<void> {
    const endAt = performance.now() + patienceMs
    while (this.inFlight > 0 && performance.now() < endAt) await pause(50)
  }

  stop(): void {
    this.endSweeps?.()
    this.endSweeps = null
  }

  /** A quick request may become slow beyond the limit of slow ones, so quick ones wait at a multiple of that limit. */
  private hasRoom(kind: Kind): boolean {
    const slowLimit = this.limit * slowPerQuick
    return kind === 'slow'
      ? this.slow < slowLimit
      : this.quick.size < this.limit && this.slow < slowLimit * mostSlowOverrun
  }

  /** The set begins with the oldest request, so the search may end at the first recent one. */
  private sweep(): void {
    const slowBefore = performance.now() - slowAfterMs
    for (const slot of this.quick) {
      if (slot.startedAt > slowBefore) break
      this.quick.delete(slot)
      slot.kind = 'slow'
      this.slow += 1
      this.offer('quick')
    }
  }

  /** Who is told may need no room any more, so others are told until there is none left. */
  private offer(kind: Kind): void {
    for (const next of this.waiting[kind]) {
      if (!this.hasRoom(kind)) return
      this.waiting[kind].delete(next)
      next()
    }
  }
}

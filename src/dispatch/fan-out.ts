/** Writes a delivery for each subscribed webhook, in the transaction of the event. */
import { Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'

import { onceCommitted } from '../platform/database/after-commit.js'
import { subscribesTo } from '../events/catalogue.js'
import { EventSink } from '../events/ports.js'
import type { ReadyWebhook, RecordedEvent } from '../events/ports.js'
import { priorities } from '../deliveries/delivery.entity.js'
import { insertPendingDeliveries } from '../deliveries/pending-deliveries.js'
import { findSubscriptions } from './subscriptions.js'
import type { Subscription } from './subscriptions.js'
import { LaneWaker } from '../deliveries/lane-waker.js'

@Injectable()
export class FanOut implements EventSink {
  constructor(private readonly waker: LaneWaker) {}

  async accept(tx: EntityManager, events: readonly RecordedEvent[]): Promise<void> {
    const subscriptions = await findSubscriptions(
      tx,
      [...new Set(events.map(({ workspaceId }) => workspaceId))],
      [...new Set(events.map(({ type }) => type))],
    )
    if (subscriptions.length === 0) return
    await insertPendingDeliveries(
      tx,
      priorities.first,
      events.flatMap((event) =>
        subscriptions
          .filter((subscription) => isSubscribed(subscription, event))
          .map(({ webhookId }) => ({ webhookId, event })),
      ),
    )
    // Other webhooks need no hint: workers find their deliveries when they become due.
    this.wakeAfter(
      tx,
      subscriptions.filter((subscription) => subscription.isReady),
    )
  }

  wakeAfter(db: EntityManager, webhooks: readonly ReadyWebhook[]): void {
    if (webhooks.length > 0) onceCommitted(db, () => this.wakeAll(webhooks))
  }

  wake(webhookIds: readonly string[], isProven: boolean): void {
    this.waker.wake(webhookIds, isProven)
  }

  private wakeAll(ready: readonly ReadyWebhook[]): void {
    for (const proven of [true, false]) {
      const webhookIds = ready.filter((each) => each.isProven === proven).map(({ webhookId }) => webhookId)
      if (webhookIds.length > 0) this.waker.wake(webhookIds, proven)
    }
  }
}

function isSubscribed({ workspaceId, events }: Subscription, event: RecordedEvent): boolean {
  return workspaceId === event.workspaceId && subscribesTo(events, event.type)
}

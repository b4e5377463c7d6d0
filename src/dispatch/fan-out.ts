/** Writes a delivery for each subscribed webhook, in the transaction of the event. */
import { Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'

import { runTraced } from '../platform/util/tracing.js'
import { onceCommitted } from '../platform/database/after-commit.js'
import { subscribesTo } from '../events/catalog.js'
import { EventSink } from '../events/ports.js'
import type { ReadyWebhook, RecordedEvent } from '../events/ports.js'
import { compileFilter } from '../events/webhook-filter.js'
import type { FindUnmetCondition } from '../events/webhook-filter.js'
import { priorities } from '../deliveries/delivery.entity.js'
import { insertPendingDeliveries, LaneWaker } from '../deliveries/pending-deliveries.js'
import { findSubscriptions } from './subscriptions.js'
import type { Subscription } from './subscriptions.js'

type FilteredSubscription = Subscription & { findUnmetCondition: FindUnmetCondition }

@Injectable()
export class FanOut implements EventSink {
  constructor(private readonly waker: LaneWaker) {}

  fanOutEvents(tx: EntityManager, events: readonly RecordedEvent[]): Promise<void> {
    return runTraced(
      () => ({
        name: 'fan out events',
        kind: 'INTERNAL',
        attributes: { 'link_service.events': events.length },
      }),
      async (span) => {
        const deliveries = await this.createDeliveries(tx, events)
        span?.setAttribute('link_service.deliveries', deliveries)
      },
    )
  }

  /** Returns the number of deliveries. */
  private async createDeliveries(tx: EntityManager, events: readonly RecordedEvent[]): Promise<number> {
    const subscriptions = await findSubscriptions(
      tx,
      [...new Set(events.map(({ workspaceId }) => workspaceId))],
      [...new Set(events.map(({ type }) => type))],
    )
    if (subscriptions.length === 0) return 0
    const filtered = subscriptions.map((subscription) => ({
      ...subscription,
      findUnmetCondition: compileFilter(subscription),
    }))
    const deliveries = events.flatMap((event) =>
      filtered
        .filter((subscription) => isRecipient(subscription, event))
        .map(({ webhookId }) => ({ webhookId, event })),
    )
    await insertPendingDeliveries(tx, priorities.first, deliveries)
    const recipients = new Set(deliveries.map(({ webhookId }) => webhookId))
    // Other webhooks need no hint: workers find their deliveries when they become due.
    this.wakeAfterCommit(
      tx,
      subscriptions.filter(({ webhookId, isReady }) => isReady && recipients.has(webhookId)),
    )
    return deliveries.length
  }

  wakeAfterCommit(db: EntityManager, webhooks: readonly ReadyWebhook[]): void {
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

function isRecipient(
  { workspaceId, events, findUnmetCondition }: FilteredSubscription,
  event: RecordedEvent,
): boolean {
  return (
    workspaceId === event.workspaceId &&
    subscribesTo(events, event.type) &&
    findUnmetCondition(event) === null
  )
}

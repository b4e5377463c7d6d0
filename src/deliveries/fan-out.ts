/** One delivery for each webhook that wants an event, written in the event's own transaction. */
import { Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'

import { afterCommit } from '../database/after-commit.js'
import { newId } from '../database/ids.js'
import type { EventType } from '../events/catalogue.js'
import { EventSink } from '../events/event-sink.js'
import type { RecordedEvent } from '../events/event-sink.js'
import { turns } from './delivery.entity.js'
import { SubscriptionsRepository } from './subscriptions.repository.js'
import type { Subscription } from './subscriptions.repository.js'
import { LaneWaker } from './lane-waker.js'
import { workspacesWanting } from './wanting.js'

@Injectable()
export class FanOut implements EventSink {
  constructor(
    private readonly subscriptions: SubscriptionsRepository,
    private readonly waker: LaneWaker,
  ) {}

  async accept(tx: EntityManager, events: readonly RecordedEvent[]): Promise<void> {
    const subscriptions = await this.subscriptions.find(
      tx,
      [...new Set(events.map(({ workspaceId }) => workspaceId))],
      [...new Set(events.map(({ type }) => type))],
    )
    if (subscriptions.length === 0) return
    await this.insert(
      tx,
      events.flatMap((event) =>
        subscriptions
          .filter((subscription) => wants(subscription, event))
          .map(({ webhookId }) => ({ webhookId, event })),
      ),
    )
    // For the others a worker looks when their time has come.
    const ready = subscriptions.filter(({ isReady }) => isReady)
    for (const proven of [true, false]) {
      const webhookIds = ready.filter(({ isProven }) => isProven === proven).map(({ webhookId }) => webhookId)
      if (webhookIds.length > 0) afterCommit(tx, () => this.waker.wake(webhookIds, proven))
    }
  }

  wanting(tx: EntityManager, type: EventType, workspaceIds: readonly string[]): Promise<Set<string>> {
    return workspacesWanting(tx, type, workspaceIds)
  }

  wake(webhookIds: readonly string[], isProven: boolean): void {
    this.waker.wake(webhookIds, isProven)
  }

  private async insert(
    tx: EntityManager,
    rows: readonly { webhookId: string; event: RecordedEvent }[],
  ): Promise<void> {
    // The database's clock: it is the one that says later what is due.
    await tx.query(
      `INSERT INTO deliveries (webhook_id, id, event_id, event_type, status, turn, next_attempt_at)
       SELECT webhook_id, id, event_id, event_type, 'pending', ${turns.first}, now()
       FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[]) AS row (webhook_id, id, event_id, event_type)`,
      [
        rows.map(({ webhookId }) => webhookId),
        rows.map(() => newId()),
        rows.map(({ event }) => event.id),
        rows.map(({ event }) => event.type),
      ],
    )
  }
}

function wants({ webhookId, workspaceId, events }: Subscription, event: RecordedEvent): boolean {
  return (
    workspaceId === event.workspaceId &&
    webhookId !== event.notTo &&
    (events.includes(event.type) || events.includes('*'))
  )
}

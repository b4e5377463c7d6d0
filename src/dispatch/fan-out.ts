/** One delivery for each webhook that wants an event, written in the event's own transaction. */
import { Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'

import { afterCommit } from '../platform/database/after-commit.js'
import { subscribesTo } from '../events/catalogue.js'
import { EventSink } from '../events/ports.js'
import type { RecordedEvent } from '../events/ports.js'
import { priorities } from '../deliveries/delivery.entity.js'
import { insertPendingSql, insertPending } from '../deliveries/pending-deliveries.js'
import { findSubscriptions, isProven, isReady, wantsOneOf } from './subscriptions.js'
import type { Subscription } from './subscriptions.js'
import { LaneWaker } from '../deliveries/lanes.repository.js'

type Ready = Pick<Subscription, 'webhookId' | 'isProven'>

@Injectable()
export class FanOut implements EventSink {
  readonly inStatement = {
    // The database makes the ids, because only the statement knows how many it needs.
    parts: `
      subscription AS (
        SELECT webhooks.id, event.id AS event_id, event.type, ${isReady} AS is_ready, ${isProven} AS is_proven
        FROM event JOIN webhooks ON webhooks.workspace_id = event.workspace_id JOIN lanes ON webhook_id = webhooks.id
        WHERE ${wantsOneOf('ARRAY[event.type]')}
        ORDER BY event.id
      ), ${insertPendingSql(priorities.first, 'SELECT id AS webhook_id, new_id() AS id, event_id, type AS event_type FROM subscription')}`,
    result: `(SELECT json_agg(json_build_object('webhookId', id, 'isProven', is_proven))
      FROM (SELECT DISTINCT id, is_proven FROM subscription WHERE is_ready) AS ready)`,
  }

  constructor(private readonly waker: LaneWaker) {}

  async accept(tx: EntityManager, events: readonly RecordedEvent[]): Promise<void> {
    const subscriptions = await findSubscriptions(
      tx,
      [...new Set(events.map(({ workspaceId }) => workspaceId))],
      [...new Set(events.map(({ type }) => type))],
    )
    if (subscriptions.length === 0) return
    await insertPending(
      tx,
      priorities.first,
      events.flatMap((event) =>
        subscriptions
          .filter((subscription) => wants(subscription, event))
          .map(({ webhookId }) => ({ webhookId, event })),
      ),
    )
    // Nobody is woken for the other webhooks. A worker finds their deliveries when they become due.
    const ready = subscriptions.filter((subscription) => subscription.isReady)
    if (ready.length > 0) afterCommit(tx, () => this.wakeAll(ready))
  }

  accepted(db: EntityManager, result: unknown): void {
    const ready = result as Ready[] | null
    if (ready === null) return
    if (db.queryRunner?.isTransactionActive) afterCommit(db, () => this.wakeAll(ready))
    else this.wakeAll(ready)
  }

  wake(webhookIds: readonly string[], isProven: boolean): void {
    this.waker.wake(webhookIds, isProven)
  }

  private wakeAll(ready: readonly Ready[]): void {
    for (const proven of [true, false]) {
      const webhookIds = ready.filter((each) => each.isProven === proven).map(({ webhookId }) => webhookId)
      if (webhookIds.length > 0) this.waker.wake(webhookIds, proven)
    }
  }
}

function wants({ webhookId, workspaceId, events }: Subscription, event: RecordedEvent): boolean {
  return workspaceId === event.workspaceId && webhookId !== event.notTo && subscribesTo(events, event.type)
}

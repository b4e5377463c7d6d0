/** Reads and writes the batches of a lane. The caller holds the lock of the lane. */
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { EntityManager } from 'typeorm'

import { priorities } from '../deliveries/delivery.entity.js'
import { orderWindow } from '../deliveries/lane-head.js'
import { lockLanes } from '../deliveries/lanes.repository.js'
import { encodeId, newId } from '../platform/database/ids.js'
import { batchBody, countFitting } from '../webhooks/batch-body.js'
import type { BatchRule } from '../webhooks/webhook.entity.js'
import type { WaitingDelivery } from './batch-groups.js'
import type { DueRequest } from './due-request.js'
import { replayShare } from './limits.js'

export interface BatchedLane {
  webhookId: string
  batch: BatchRule
  ordered: boolean
  lastSequence: number
  /** False while an open circuit allows only retries. */
  maySendNew: boolean
}

interface FirstBatch {
  id: string
  sequence: number
  isDue: boolean
}

/** A delivery of a batch. */
interface Member {
  batchId: string
  id: string
  attemptCount: number
  scheduleStart: number
  sequence: number
  /** Null if the event was deleted. */
  body: string | null
  /** Null if the event has none, or if it was not requested. */
  traceparent: string | null
}

type SentMember = Member & { body: string }

@Injectable()
export class BatchesRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Returns null if the worker no longer holds the lane, or if nothing may be sent. */
  async findLane(tx: EntityManager, holder: string, webhookId: string): Promise<BatchedLane | null> {
    const [lane]: BatchedLane[] = await tx.query(
      `SELECT webhook_id AS "webhookId", batch, ordered, last_sequence::float8 AS "lastSequence",
         probe_at IS NULL OR probe_at <= now() AS "maySendNew"
       FROM lanes JOIN webhooks ON webhooks.id = webhook_id
       WHERE webhook_id = $1 AND holder = $2 AND batch IS NOT NULL AND status = 'active' AND deleted_at IS NULL
         AND (paused_until IS NULL OR paused_until <= now())`,
      [webhookId, holder],
    )
    return lane ?? null
  }

  /** Returns the IDs of due batches, the longest due first. */
  async findDue(
    tx: EntityManager,
    { webhookId }: BatchedLane,
    claimedIds: readonly string[],
    limit: number,
  ): Promise<string[]> {
    const rows: { id: string }[] = await tx.query(
      `SELECT batch_id AS id FROM deliveries
       WHERE webhook_id = $1 AND status = 'pending' AND priority = ${priorities.retry} AND next_attempt_at <= now()
         AND batch_id IS NOT NULL AND batch_id <> ALL ($2::uuid[])
       GROUP BY batch_id ORDER BY min(next_attempt_at), batch_id LIMIT $3`,
      [webhookId, claimedIds, limit],
    )
    return rows.map(({ id }) => id)
  }

  /** Returns the batch with the lowest sequence numbers, even if it is not due. */
  async findFirst(tx: EntityManager, { webhookId }: BatchedLane): Promise<FirstBatch | null> {
    const [first]: FirstBatch[] = await tx.query(
      `SELECT batch_id AS id, sequence::float8 AS sequence, next_attempt_at <= now() AS "isDue" FROM deliveries
       WHERE webhook_id = $1 AND status = 'pending' AND priority = ${priorities.retry} AND batch_id IS NOT NULL
       ORDER BY deliveries.sequence LIMIT 1`,
      [webhookId],
    )
    return first ?? null
  }

  /**
   * Returns deliveries for up to `limit` batches, in their order. In an ordered lane, those that were sent before are
   * included even if they are not due, and with `before`, only those with lower sequence numbers are.
   */
  async findWaiting(
    tx: EntityManager,
    { webhookId, batch, ordered, maySendNew }: BatchedLane,
    claimedIds: readonly string[],
    limit: number,
    before: number | null = null,
  ): Promise<Record<'live' | 'replays', WaitingDelivery[]>> {
    const rows: (WaitingDelivery & { priority: number })[] = await tx.query(
      `SELECT id, event_id AS "eventId", sequence::float8 AS sequence, priority, priority = 0 AS "isRetry",
         (extract(epoch FROM now() - next_attempt_at) * 1000)::float8 AS "waitedMs"
       FROM (
         -- Deliveries that were sent alone, or left their batch (priority 0)
         (SELECT id, event_id, sequence, priority, next_attempt_at FROM deliveries
          WHERE webhook_id = $1 AND status = 'pending' AND priority = 0 AND batch_id IS NULL AND id <> ALL ($2::uuid[])
            AND ($3 OR next_attempt_at <= now()) AND ($4::bigint IS NULL OR sequence < $4)
          ORDER BY CASE WHEN $3 THEN sequence END, next_attempt_at, id LIMIT $5)
         UNION ALL
         -- First attempts (priority 1). Due times are those of transactions, which may have waited for each other.
         (SELECT * FROM (
            SELECT id, event_id, sequence, priority, next_attempt_at FROM deliveries
            WHERE webhook_id = $1 AND status = 'pending' AND priority = 1 AND next_attempt_at <= now()
              AND id <> ALL ($2) AND $6 AND $4 IS NULL
            ORDER BY next_attempt_at, id LIMIT $5 + CASE WHEN $3 THEN $7::int ELSE 0 END
          ) AS oldest ORDER BY sequence, id LIMIT $5)
         UNION ALL
         -- Replays (priority 2)
         (SELECT id, event_id, sequence, priority, next_attempt_at FROM deliveries
          WHERE webhook_id = $1 AND status = 'pending' AND priority = 2 AND next_attempt_at <= now()
            AND id <> ALL ($2) AND $6 AND $4 IS NULL
          ORDER BY next_attempt_at, id LIMIT $8)
       ) AS waiting
       ORDER BY priority, CASE WHEN priority = 2 THEN next_attempt_at END, sequence, id`,
      [
        webhookId,
        claimedIds,
        ordered,
        before,
        batch.max * limit,
        maySendNew,
        orderWindow,
        batch.max * Math.ceil(limit / replayShare),
      ],
    )
    return {
      live: rows.filter(({ priority }) => priority !== priorities.replay),
      replays: rows.filter(({ priority }) => priority === priorities.replay),
    }
  }

  /**
   * Makes each group a batch, except the deliveries that do not fit into its body. Returns the deliveries whose events
   * were deleted, and whether some did not fit.
   */
  async formBatches(
    tx: EntityManager,
    { webhookId, lastSequence }: BatchedLane,
    groups: readonly (readonly WaitingDelivery[])[],
  ): Promise<{ ids: string[]; expired: string[]; isCut: boolean }> {
    if (groups.length === 0) return { ids: [], expired: [], isCut: false }
    const sizes = await findEventSizes(tx, groups.flat())
    const kept = groups
      .map((group) => group.filter(({ eventId }) => sizes.has(eventId)))
      .filter((group) => group.length > 0)
    const fitting = kept.map((group) =>
      group.slice(0, countFitting(group.map((each) => sizes.get(each.eventId)!))),
    )
    let sequence = lastSequence
    const members = fitting.flatMap((group) => {
      const batchId = newId()
      return group.map((each) => ({ id: each.id, batchId, sequence: each.sequence ?? ++sequence }))
    })
    await tx.query(
      `UPDATE deliveries SET batch_id = member.batch_id, sequence = member.sequence, priority = ${priorities.retry}
       FROM unnest($2::uuid[], $3::uuid[], $4::bigint[]) AS member (id, batch_id, sequence)
       WHERE deliveries.webhook_id = $1 AND deliveries.id = member.id`,
      [
        webhookId,
        members.map(({ id }) => id),
        members.map(({ batchId }) => batchId),
        members.map((each) => each.sequence),
      ],
    )
    await tx.query('UPDATE lanes SET last_sequence = $2 WHERE webhook_id = $1', [webhookId, sequence])
    return {
      ids: [...new Set(members.map(({ batchId }) => batchId))],
      expired: groups.flat().flatMap(({ id, eventId }) => (sizes.has(eventId) ? [] : [id])),
      isCut: members.length < kept.flat().length,
    }
  }

  /** Reads batches in the order of `ids`. If an event was deleted, its batch is not sent, and the rest get a new batch. */
  async readRequests(
    tx: EntityManager,
    webhookId: string,
    ids: readonly string[],
    hasTraceparents: boolean,
  ): Promise<{ requests: DueRequest[]; expired: string[] }> {
    const members: Member[] = await tx.query(
      `SELECT batch_id AS "batchId", id, attempt_count AS "attemptCount", schedule_start AS "scheduleStart",
         sequence::float8 AS sequence, (SELECT body FROM events WHERE events.id = event_id) AS body,
         CASE WHEN $3::boolean THEN (SELECT traceparent FROM events WHERE events.id = event_id) END AS traceparent
       FROM deliveries
       WHERE webhook_id = $1 AND status = 'pending' AND priority = ${priorities.retry} AND batch_id = ANY ($2::uuid[])
       ORDER BY deliveries.sequence`,
      [webhookId, ids, hasTraceparents],
    )
    const batches = ids.map((id) => members.filter(({ batchId }) => batchId === id))
    return {
      requests: batches.filter(isComplete).map((batch) => createRequest(webhookId, batch)),
      expired: members.filter(({ body }) => body === null).map(({ id }) => id),
    }
  }

  /** Replaces a batch that is too large for the receiver by two halves, which are due now and have a new schedule. */
  async splitBatch(holder: string, { webhookId, id, deliveries }: DueRequest): Promise<void> {
    const half = deliveries.slice(0, deliveries.length / 2)
    await this.dataSource.transaction(async (tx) => {
      await lockLanes(tx, [webhookId])
      await tx.query(
        `UPDATE deliveries SET batch_id = CASE WHEN id = ANY ($4::uuid[]) THEN $5::uuid ELSE $6::uuid END,
           schedule_start = attempt_count, next_attempt_at = now()
         WHERE webhook_id = $1 AND status = 'pending' AND batch_id = $2
           AND EXISTS (SELECT FROM lanes WHERE webhook_id = $1 AND holder = $3)`,
        [webhookId, id, holder, half.map((delivery) => delivery.id), newId(), newId()],
      )
    })
  }
}

async function findEventSizes(
  tx: EntityManager,
  deliveries: readonly WaitingDelivery[],
): Promise<Map<string, number>> {
  const rows: { id: string; bytes: number }[] = await tx.query(
    'SELECT id, octet_length(body) AS bytes FROM events WHERE id = ANY ($1::uuid[])',
    [deliveries.map(({ eventId }) => eventId)],
  )
  return new Map(rows.map(({ id, bytes }) => [id, bytes]))
}

function isComplete(members: Member[]): members is SentMember[] {
  return members.length > 0 && members.every(({ body }) => body !== null)
}

/** Deliveries with different numbers of attempts fail together, when the one with the fewest retries left fails. */
function createRequest(webhookId: string, members: readonly SentMember[]): DueRequest {
  const [first] = members
  const attempt =
    Math.max(...members.map(({ attemptCount, scheduleStart }) => attemptCount - scheduleStart)) + 1
  return {
    webhookId,
    id: first!.batchId,
    isBatch: true,
    deliveries: members,
    messageId: encodeId('bat', first!.batchId),
    body: batchBody(first!.batchId, members),
    sequence: first!.sequence,
    attempt,
    scheduledAttempt: attempt,
    priority: priorities.retry,
    traceparents: members.flatMap(({ traceparent }) => traceparent ?? []),
  }
}

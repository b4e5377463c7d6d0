import { Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'

import type { EventType } from '../../events/catalog.js'
import { encodeId } from '../../platform/database/ids.js'
import { priorities } from '../delivery.entity.js'
import { insertPendingDeliveries } from '../pending-deliveries.js'
import type { CountedQuota } from '../../workspaces/quotas.js'
import { oldestRunning } from '../../platform/database/feed-place.js'
import type { Webhook } from '../../webhooks/webhook.entity.js'
import { Replay } from './replay.entity.js'

export const replayQuota: CountedQuota = {
  setting: 'WORKSPACE_REPLAYS',
  describe: (limit) => `${limit} unfinished replays`,
  remedy: 'Wait until one finishes',
  count: `
    SELECT count(*) FROM replays JOIN webhooks ON webhooks.id = webhook_id
    WHERE workspace_id = $1 AND finished_at IS NULL`,
}

/** A replay before it is stored. */
export type NewReplay = Omit<Replay, 'webhook' | 'afterTx' | 'finishedAt'>

/** The conditions of the webhook that a replay applies. */
type WebhookConditions = Pick<Webhook, 'filter' | 'restrictedTags'>

interface ScannedDelivery {
  id: string
  /** Whether the event passes the filter of the webhook. */
  passes: boolean
}

interface ScannedEvent extends ScannedDelivery {
  type: EventType
  isMissing: boolean
}

/** True for a replay of deliveries. For a replay of events, true once its transaction and all older ones have ended. */
const mayBegin = `(after_tx IS NULL OR after_tx < ${oldestRunning})`

/** Selects the events of a replay; `getEventValues` returns $1 to $7. */
const inRange = `
  events.workspace_id = (SELECT workspace_id FROM webhooks WHERE id = $1)
  AND events.id > $2 AND events.id < $3 AND events.type = ANY($4)`
const isMissing = `
  NOT EXISTS (SELECT FROM deliveries WHERE deliveries.event_id = events.id AND deliveries.webhook_id = $1)`
const passesFilter = `
  CASE WHEN $5::jsonb IS NULL AND $6::text[] IS NULL THEN true
    WHEN events.link_id IS NULL AND events.body::json #>> '{data,webhook,id}' = $7 THEN true
    ELSE unmet_condition($5, $6, events.type, events.link_id, events.body::json) IS NULL END`

@Injectable()
export class ReplaysRepository {
  async insertReplay(tx: EntityManager, replay: NewReplay): Promise<void> {
    const { id, webhookId, source, status, types, ignoreFilter, position, until } = replay
    await tx.query(
      `INSERT INTO replays (id, webhook_id, source, status, types, ignore_filter, position, until, after_tx)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, CASE WHEN $3 = 'events'
         THEN (SELECT pg_current_xact_id()::text::bigint + first_tx FROM feed_epoch) END)`,
      [id, webhookId, source, status, types, ignoreFilter, position, until],
    )
  }

  async updateProgress(
    tx: EntityManager,
    id: string,
    progress: Pick<Replay, 'position' | 'finishedAt'>,
  ): Promise<void> {
    await tx.update(Replay, { id }, progress)
  }

  /** Locks the oldest unfinished replay that may begin and that no other runner has locked, or only the one with `id`. */
  claimReplay(tx: EntityManager, id: string | null): Promise<Replay | null> {
    const select = tx
      .createQueryBuilder(Replay, 'replay')
      .setLock('pessimistic_write')
      .setOnLocked('skip_locked')
      .where(`replay.finishedAt IS NULL AND ${mayBegin}`)
      .orderBy('replay.id', 'ASC')
      .limit(1)
    if (id !== null) select.andWhere('replay.id = :id', { id })
    return select.getOne()
  }

  /** Returns true while transactions older than a replay of events are running. */
  async isWaiting(db: EntityManager, id: string): Promise<boolean> {
    const rows: unknown[] = await db.query(
      `SELECT FROM replays WHERE id = $1 AND finished_at IS NULL AND NOT ${mayBegin}`,
      [id],
    )
    return rows.length > 0
  }

  /** Returns the number of deliveries that the replay would send now. */
  async countDeliveries(db: EntityManager, replay: NewReplay, webhook: WebhookConditions): Promise<number> {
    const [row] = await (replay.source === 'events'
      ? this.countMissingEvents(db, replay, webhook)
      : this.countMatchingDeliveries(db, replay, webhook))
    return Number(row?.count)
  }

  private countMissingEvents(
    db: EntityManager,
    replay: NewReplay,
    webhook: WebhookConditions,
  ): Promise<{ count: string }[]> {
    return db.query(
      `SELECT count(*) FROM events WHERE ${inRange} AND ${isMissing} AND ${passesFilter}`,
      getEventValues(replay, webhook),
    )
  }

  private countMatchingDeliveries(
    db: EntityManager,
    replay: NewReplay,
    webhook: WebhookConditions,
  ): Promise<{ count: string }[]> {
    const { condition, passes, values } = createCondition(replay, webhook)
    return db.query(`SELECT count(*) FROM deliveries WHERE ${condition} AND ${passes}`, values)
  }

  /** Returns the next deliveries after the position of the replay, by ID, including those that the filter excludes. */
  findNextDeliveries(
    tx: EntityManager,
    replay: Replay,
    webhook: WebhookConditions,
    limit: number,
  ): Promise<ScannedDelivery[]> {
    const { condition, passes, values } = createCondition(replay, webhook)
    return tx.query(
      `SELECT id, ${passes} AS passes
       FROM (SELECT id, event_id FROM deliveries WHERE ${condition} ORDER BY id LIMIT ${limit}) AS deliveries ORDER BY id`,
      values,
    )
  }

  /** Returns the next events after the position of the replay, including those that the webhook received. */
  findNextEvents(
    tx: EntityManager,
    replay: Replay,
    webhook: WebhookConditions,
    limit: number,
  ): Promise<ScannedEvent[]> {
    return tx.query(
      `SELECT events.id, events.type, ${isMissing} AS "isMissing", ${passesFilter} AS passes
       FROM (SELECT id, type, link_id, body FROM events WHERE ${inRange} ORDER BY id LIMIT ${limit}) AS events
       ORDER BY events.id`,
      getEventValues(replay, webhook),
    )
  }

  /** Creates deliveries that are sent after all new ones, in the order of `events`. */
  async deliver(tx: EntityManager, webhookId: string, events: readonly ScannedEvent[]): Promise<void> {
    await insertPendingDeliveries(
      tx,
      priorities.replay,
      events.map((event) => ({ webhookId, event })),
    )
  }
}

/** Excludes pending deliveries, which will be sent anyway, and tests, which are never redelivered. */
function createCondition(replay: NewReplay, webhook: WebhookConditions) {
  const { webhookId, position, until, status, types } = replay
  const conditions = ['webhook_id = $1', 'id > $2', 'id < $3', 'NOT test']
  conditions.push(status === 'failed' ? `status = 'failed'` : `status <> 'pending'`)
  const values: unknown[] = [webhookId, position, until]
  if (types) conditions.push(`event_type = ANY($${values.push(types)})`)
  const { filter, restrictedTags } = appliedConditions(replay, webhook)
  const passes =
    filter === null && restrictedTags === null
      ? 'true'
      : `EXISTS (
          SELECT FROM events WHERE events.id = deliveries.event_id AND (
            events.link_id IS NULL AND events.body::json #>> '{data,webhook,id}' = $${values.push(encodeId('wh', webhookId))}
            OR unmet_condition($${values.push(filter)}, $${values.push(restrictedTags)}, events.type, events.link_id,
              events.body::json) IS NULL))`
  return { condition: conditions.join(' AND '), passes, values }
}

function getEventValues(replay: NewReplay, webhook: WebhookConditions): unknown[] {
  const { webhookId, position, until, types } = replay
  const { filter, restrictedTags } = appliedConditions(replay, webhook)
  return [webhookId, position, until, types, filter, restrictedTags, encodeId('wh', webhookId)]
}

/** The tags of a restricted token always apply, except to events about the webhook itself. */
function appliedConditions(
  { ignoreFilter }: Pick<NewReplay, 'ignoreFilter'>,
  { filter, restrictedTags }: WebhookConditions,
): WebhookConditions {
  return { filter: ignoreFilter ? null : filter, restrictedTags }
}

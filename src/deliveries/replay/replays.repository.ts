import { Injectable } from '@nestjs/common'
import type { EntityManager, EntityTarget } from 'typeorm'

import { typesAboutWebhooks } from '../../events/catalogue.js'
import type { EventType } from '../../events/catalogue.js'
import { encodeId, lowestIdAt } from '../../platform/database/ids.js'
import { priorities } from '../delivery.entity.js'
import { insertPendingDeliveries } from '../pending-deliveries.js'
import type { CountedQuota } from '../../workspaces/quotas.js'
import { oldestRunning, ownTransaction } from '../../platform/database/feed-place.js'
import { EventReplay, Replay } from './replay.entity.js'

const unfinished = (table: string) =>
  `(SELECT count(*) FROM ${table} JOIN webhooks ON webhooks.id = webhook_id WHERE workspace_id = $1 AND finished_at IS NULL)`

export const replayQuota: CountedQuota = {
  setting: 'WORKSPACE_REPLAYS',
  describe: (limit) => `${limit} unfinished replays`,
  remedy: 'Wait until one finishes',
  count: `SELECT ${unfinished('replays')} + ${unfinished('event_replays')}`,
}

@Injectable()
export class ReplaysRepository {
  async insert(tx: EntityManager, replay: Replay): Promise<void> {
    await tx.insert(Replay, replay)
  }

  async update(tx: EntityManager, replay: Replay): Promise<void> {
    await tx.update(Replay, { id: replay.id }, replay)
  }

  /** Locks the oldest unfinished replay that no other runner has locked, or only the one with `id`. */
  claim(tx: EntityManager, id: string | null): Promise<Replay | null> {
    return claimOldest(tx, Replay, 'replay.finishedAt IS NULL', id)
  }

  async count(tx: EntityManager, replay: Replay): Promise<number> {
    const { condition, values } = conditionFor(replay)
    const [row]: { count: string }[] = await tx.query(
      `SELECT count(*) FROM deliveries WHERE ${condition}`,
      values,
    )
    return Number(row?.count)
  }

  /** Returns the next deliveries after the position of the replay, by ID. */
  next(tx: EntityManager, replay: Replay, limit: number): Promise<{ id: string }[]> {
    const { condition, values } = conditionFor(replay)
    return tx.query(`SELECT id FROM deliveries WHERE ${condition} ORDER BY id LIMIT ${limit}`, values)
  }
}

/** Skips replays that another runner has locked. */
function claimOldest<R extends Replay | EventReplay>(
  tx: EntityManager,
  entity: EntityTarget<R>,
  condition: string,
  id: string | null,
): Promise<R | null> {
  const select = tx
    .createQueryBuilder(entity, 'replay')
    .setLock('pessimistic_write')
    .setOnLocked('skip_locked')
    .where(condition)
    .orderBy('replay.id', 'ASC')
    .limit(1)
  if (id !== null) select.andWhere('replay.id = :id', { id })
  return select.getOne()
}

/** Excludes pending deliveries, which will be sent anyway, and tests, which are never redelivered. */
function conditionFor({ webhookId, position, until, status, events }: Replay) {
  const conditions = ['webhook_id = $1', 'id > $2', 'id < $3', 'NOT test']
  conditions.push(status === 'failed' ? `status = 'failed'` : `status <> 'pending'`)
  const values: unknown[] = [webhookId, position, lowestIdAt(new Date(until.getTime() + 1))]
  if (events) conditions.push(`event_type = ANY($${values.push(events)})`)
  return { condition: conditions.join(' AND '), values }
}

/** The range of events of a replay. */
type EventRange = Pick<EventReplay, 'webhookId' | 'types' | 'position' | 'until'>

export interface ScannedEvent {
  id: string
  type: EventType
  isMissing: boolean
}

/** True if the transaction that created the replay and all older ones have ended. */
const mayBegin = `after_tx < ${oldestRunning}`

/** Selects the events of a replay; `valuesOf` returns $1 to $5. Excludes events about the webhook itself. */
const inRange = `
  events.workspace_id = (SELECT workspace_id FROM webhooks WHERE id = $1)
  AND events.id > $2 AND events.id < $3 AND events.type = ANY($4)
  AND CASE WHEN events.type IN (${typesAboutWebhooks})
    THEN events.body::json #>> '{data,webhook,id}' <> $5 ELSE true END`
const isMissing = `
  NOT EXISTS (SELECT FROM deliveries WHERE deliveries.event_id = events.id AND deliveries.webhook_id = $1)`

@Injectable()
export class EventReplaysRepository {
  async insert(tx: EntityManager, { id, ...range }: EventRange & { id: string }): Promise<void> {
    await tx.query(
      `INSERT INTO event_replays (id, webhook_id, types, position, until, after_tx)
       VALUES ($1, $2, $3, $4, $5, ${ownTransaction})`,
      [id, range.webhookId, range.types, range.position, range.until],
    )
  }

  async update(tx: EntityManager, replay: EventReplay): Promise<void> {
    await tx.update(EventReplay, { id: replay.id }, replay)
  }

  /** Locks the oldest unfinished replay that may begin and is not locked, or only the one with `id`. */
  claim(tx: EntityManager, id: string | null): Promise<EventReplay | null> {
    return claimOldest(tx, EventReplay, `replay.finishedAt IS NULL AND ${mayBegin}`, id)
  }

  /** Returns true while older transactions are running. */
  async isWaiting(db: EntityManager, id: string): Promise<boolean> {
    const rows: unknown[] = await db.query(
      `SELECT FROM event_replays WHERE id = $1 AND finished_at IS NULL AND NOT ${mayBegin}`,
      [id],
    )
    return rows.length > 0
  }

  async count(db: EntityManager, range: EventRange): Promise<number> {
    const [row]: { count: string }[] = await db.query(
      `SELECT count(*) FROM events WHERE ${inRange} AND ${isMissing}`,
      valuesOf(range),
    )
    return Number(row?.count)
  }

  /** Returns the next `limit` events, including those that the webhook received. */
  next(tx: EntityManager, range: EventRange, limit: number): Promise<ScannedEvent[]> {
    return tx.query(
      `SELECT events.id, events.type, ${isMissing} AS "isMissing"
       FROM (SELECT id, type FROM events WHERE ${inRange} ORDER BY id LIMIT ${limit}) AS events ORDER BY events.id`,
      valuesOf(range),
    )
  }

  /** Creates deliveries that are sent after all new ones, in the order of `events`. */
  async deliver(
    tx: EntityManager,
    webhookId: string,
    events: readonly Pick<ScannedEvent, 'id' | 'type'>[],
  ): Promise<void> {
    await insertPendingDeliveries(
      tx,
      priorities.replay,
      events.map((event) => ({ webhookId, event })),
    )
  }
}

function valuesOf({ webhookId, position, until, types }: EventRange): unknown[] {
  return [webhookId, position, until, types, encodeId('wh', webhookId)]
}

import { Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'

import { typesAboutWebhooks } from '../../events/catalogue.js'
import type { EventType } from '../../events/catalogue.js'
import { encodeId, lowestIdAt, newId } from '../../platform/database/ids.js'
import { priorities } from '../delivery.entity.js'
import { EventReplay, Replay } from './replay.entity.js'

@Injectable()
export class ReplaysRepository {
  async insert(tx: EntityManager, replay: Replay): Promise<void> {
    await tx.insert(Replay, replay)
  }

  async update(tx: EntityManager, replay: Replay): Promise<void> {
    await tx.update(Replay, { id: replay.id }, replay)
  }

  /** The oldest that is not finished, or this one; none while another runner has it. */
  claim(tx: EntityManager, id: string | null): Promise<Replay | null> {
    const select = tx
      .createQueryBuilder(Replay, 'replay')
      .setLock('pessimistic_write')
      .setOnLocked('skip_locked')
      .where('replay.finishedAt IS NULL')
      .orderBy('replay.id', 'ASC')
      .limit(1)
    if (id !== null) select.andWhere('replay.id = :id', { id })
    return select.getOne()
  }

  async count(tx: EntityManager, replay: Replay): Promise<number> {
    const { condition, values } = matching(replay)
    const [row]: { count: string }[] = await tx.query(
      `SELECT count(*) FROM deliveries WHERE ${condition}`,
      values,
    )
    return Number(row?.count)
  }

  /** The next ones after the replay's position, in the order of their ids. */
  async next(tx: EntityManager, replay: Replay, limit: number): Promise<string[]> {
    const { condition, values } = matching(replay)
    const rows: { id: string }[] = await tx.query(
      `SELECT id FROM deliveries WHERE ${condition} ORDER BY id LIMIT ${limit}`,
      values,
    )
    return rows.map(({ id }) => id)
  }
}

/** What is pending is sent anyway, and tests are never sent again. */
function matching({ webhookId, position, until, status, events }: Replay) {
  const conditions = ['webhook_id = $1', 'id > $2', 'id < $3', 'NOT test']
  conditions.push(status === 'failed' ? `status = 'failed'` : `status <> 'pending'`)
  const values: unknown[] = [webhookId, position, lowestIdAt(new Date(until.getTime() + 1))]
  if (events) conditions.push(`event_type = ANY($${values.push(events)})`)
  return { condition: conditions.join(' AND '), values }
}

/** The events that are looked for: the replay without its progress. */
type EventRange = Pick<EventReplay, 'webhookId' | 'types' | 'position' | 'until'>

interface ScannedEvent {
  id: string
  type: EventType
  isMissing: boolean
}

/** The oldest running transaction is younger than the replay's. */
const mayBegin = 'after_tx < pg_snapshot_xmin(pg_current_snapshot())::text::bigint'

/** Events of the webhook's workspace; $1 to $5 are those of `valuesOf`. What tells of the webhook itself is not for it. */
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
       VALUES ($1, $2, $3, $4, $5, pg_current_xact_id()::text::bigint)`,
      [id, range.webhookId, range.types, range.position, range.until],
    )
  }

  async update(tx: EntityManager, replay: EventReplay): Promise<void> {
    await tx.update(EventReplay, { id: replay.id }, replay)
  }

  /** The oldest that is not finished and may begin, or this one; none while another runner has it. */
  claim(tx: EntityManager, id: string | null): Promise<EventReplay | null> {
    const select = tx
      .createQueryBuilder(EventReplay, 'replay')
      .setLock('pessimistic_write')
      .setOnLocked('skip_locked')
      .where(`replay.finishedAt IS NULL AND ${mayBegin}`)
      .orderBy('replay.id', 'ASC')
      .limit(1)
    if (id !== null) select.andWhere('replay.id = :id', { id })
    return select.getOne()
  }

  /** Whether it may not begin yet. */
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

  /** The next events, those that it has among them: so a batch reads no more than that, however few are missing. */
  next(tx: EntityManager, range: EventRange, limit: number): Promise<ScannedEvent[]> {
    return tx.query(
      `SELECT events.id, events.type, ${isMissing} AS "isMissing"
       FROM (SELECT id, type FROM events WHERE ${inRange} ORDER BY id LIMIT ${limit}) AS events ORDER BY events.id`,
      valuesOf(range),
    )
  }

  /** Sent after whatever is new, in the order of the list: that is the order of the ids that are made here. */
  async deliver(
    tx: EntityManager,
    webhookId: string,
    events: readonly Pick<ScannedEvent, 'id' | 'type'>[],
  ): Promise<void> {
    await tx.query(
      `INSERT INTO deliveries (webhook_id, id, event_id, event_type, status, turn, next_attempt_at)
       SELECT $1, id, event_id, event_type, 'pending', ${priorities.replay}, now()
       FROM unnest($2::uuid[], $3::uuid[], $4::text[]) AS row (id, event_id, event_type)`,
      [webhookId, events.map(() => newId()), events.map(({ id }) => id), events.map(({ type }) => type)],
    )
  }
}

function valuesOf({ webhookId, position, until, types }: EventRange): unknown[] {
  return [webhookId, position, until, types, encodeId('wh', webhookId)]
}

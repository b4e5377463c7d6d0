import { Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'

import { lowestIdAt } from '../../platform/database/ids.js'
import { Replay } from './replay.entity.js'

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

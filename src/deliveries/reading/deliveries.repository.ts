/** Deliveries with their last attempts. Raw SQL, for TypeORM cannot say "the last one of each" and read it by its key. */
import { Injectable } from '@nestjs/common'
import { InjectRepository } from '@nestjs/typeorm'
import { LessThanOrEqual, Repository } from 'typeorm'
import type { EntityManager, EntityMetadata } from 'typeorm'

import { lowestIdAt } from '../../database/ids.js'
import { Attempt } from '../attempt.entity.js'
import { Delivery } from '../delivery.entity.js'
import type { ShownStatus } from '../shown-status.js'
import type { FoundDelivery } from './delivery.dto.js'
import type { ListDeliveriesQuery } from './list-deliveries.dto.js'

type Row = Record<string, unknown>

const ofActive = `(SELECT status = 'active' FROM webhooks WHERE id = $1)`

/** Of webhooks that are not deleted. */
const standsAs: Record<ShownStatus, string> = {
  pending: `status = 'pending' AND ${ofActive}`,
  held: `status = 'pending' AND NOT ${ofActive}`,
  succeeded: `status = 'succeeded'`,
  failed: `status = 'failed'`,
  canceled: `status = 'canceled'`,
}

@Injectable()
export class DeliveriesRepository {
  constructor(
    @InjectRepository(Delivery) private readonly deliveries: Repository<Delivery>,
    @InjectRepository(Attempt) private readonly attempts: Repository<Attempt>,
  ) {}

  list(
    webhookId: string,
    query: ListDeliveriesQuery,
    before: string | null,
    limit: number,
  ): Promise<FoundDelivery[]> {
    const values: unknown[] = [webhookId]
    const conditions = ['webhook_id = $1']
    const where = (condition: string, value: unknown) => {
      conditions.push(condition.replace('?', `$${values.push(value)}`))
    }
    if (query.status !== undefined) conditions.push(standsAs[query.status])
    if (query.event !== undefined) where('event_type = ?', query.event)
    if (query.created_after !== undefined)
      where('id >= ?', lowestIdAt(new Date(Date.parse(query.created_after) + 1)))
    if (query.created_before !== undefined) where('id < ?', lowestIdAt(new Date(query.created_before)))
    if (before !== null) where('id < ?', before)
    return this.select(
      this.deliveries.manager,
      `${conditions.join(' AND ')} ORDER BY id DESC LIMIT ${limit}`,
      values,
    )
  }

  async find(
    webhookId: string,
    id: string,
    manager: EntityManager = this.deliveries.manager,
  ): Promise<FoundDelivery | null> {
    const [found] = await this.select(manager, 'webhook_id = $1 AND id = $2', [webhookId, id])
    return found ?? null
  }

  async findOfEvent(webhookId: string, eventId: string): Promise<FoundDelivery | null> {
    const which = 'webhook_id = $1 AND event_id = $2'
    const [found] = await this.select(this.deliveries.manager, which, [webhookId, eventId])
    return found ?? null
  }

  /** All that the record counts: one that is written at this moment is not yet among them. */
  attemptsOf({ id, attemptCount }: Delivery): Promise<Attempt[]> {
    return this.attempts.find({
      where: { deliveryId: id, number: LessThanOrEqual(attemptCount) },
      order: { number: 'ASC' },
    })
  }

  private async select(manager: EntityManager, which: string, values: unknown[]): Promise<FoundDelivery[]> {
    const rows: Row[] = await manager.query(
      `SELECT ${columnsOf(this.deliveries.metadata, 'delivery')}, ${columnsOf(this.attempts.metadata, 'last')},
         webhook.status AS webhook_status, webhook.deleted_at AS webhook_deleted_at
       FROM (SELECT * FROM deliveries WHERE ${which}) AS delivery
       JOIN webhooks AS webhook ON webhook.id = delivery.webhook_id
       LEFT JOIN LATERAL (
         SELECT * FROM attempts WHERE delivery_id = delivery.id ORDER BY number DESC LIMIT 1
       ) AS last ON true
       ORDER BY delivery.id DESC`,
      values,
    )
    return rows.map((row) => ({
      delivery: entityOf(this.deliveries.metadata, new Delivery(), 'delivery', row),
      webhook: {
        status: row['webhook_status'] as FoundDelivery['webhook']['status'],
        deletedAt: row['webhook_deleted_at'] as Date | null,
      },
      lastAttempt:
        row['last.id'] === null ? null : entityOf(this.attempts.metadata, new Attempt(), 'last', row),
    }))
  }
}

function columnsOf({ columns }: EntityMetadata, alias: string): string {
  return columns
    .map(({ databaseName, propertyName }) => `${alias}."${databaseName}" AS "${alias}.${propertyName}"`)
    .join(', ')
}

function entityOf<E extends object>({ columns }: EntityMetadata, entity: E, alias: string, row: Row): E {
  const values = columns.map(({ propertyName }) => [propertyName, row[`${alias}.${propertyName}`]] as const)
  return Object.assign(entity, Object.fromEntries(values))
}

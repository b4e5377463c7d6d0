/** Reads deliveries with their last attempts. Uses SQL, because TypeORM has no lateral joins. */
import { Injectable } from '@nestjs/common'
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm'
import type { QueryResultRow } from 'pg'
import { DataSource, LessThanOrEqual, Repository } from 'typeorm'
import type { EntityManager, EntityMetadata } from 'typeorm'

import type { DeliveriesOfEvent, DeliverySummary } from '../../events/ports.js'
import { decodeId, encodeId } from '../../platform/database/ids.js'
import { Conditions, listStatement, runStatement } from '../../platform/database/statements.js'
import type { Statement } from '../../platform/database/statements.js'
import { createdBounds } from '../../platform/http/input/page.js'
import { Attempt } from '../attempt.entity.js'
import { hasStatusSql, toDeliverySummary } from '../delivery-status.js'
import type { LaneWaits, WebhookState } from '../delivery-status.js'
import { Delivery } from '../delivery.entity.js'
import { laneHeadSql } from '../lane-head.js'
import type { LaneHead } from '../lane-head.js'
import { maxShownAttempts } from './delivery.dto.js'
import type { FoundDelivery, ListDeliveriesQuery, Subject } from './delivery.dto.js'

@Injectable()
export class DeliveriesRepository {
  private selectedText: string | null = null

  constructor(
    @InjectRepository(Delivery) private readonly deliveries: Repository<Delivery>,
    @InjectRepository(Attempt) private readonly attempts: Repository<Attempt>,
  ) {}

  /** Returns nothing if the workspace has no such webhook. */
  listDeliveries(
    workspaceId: string,
    webhookId: string,
    query: ListDeliveriesQuery,
    before: string | null,
    limit: number,
  ): Promise<FoundDelivery[]> {
    const where = new Conditions().addCondition('webhook_id = ?', webhookId)
    where.addCondition(
      '(SELECT deleted_at IS NULL FROM webhooks WHERE id = $1 AND workspace_id = ?)',
      workspaceId,
    )
    const { status, event, tried, error_class: errorClass } = query
    if (status !== undefined) where.addCondition(hasStatusSql(status, '$1'))
    if (tried === 'true') where.addCondition('attempt_count > 0')
    const { from, until } = createdBounds(query)
    const owned = { event_type: event, last_error_class: errorClass }
    const given = Object.entries(owned).filter(([, value]) => value !== undefined) as [string, string][]
    // With several filters, the planner chooses the most selective one.
    const [owner] = given.length === 1 && status === undefined ? given : []
    if (owner) where.addIdConditions(...owner, { from, until, before })
    else {
      for (const [column, value] of given) where.addCondition(`${column} = ?`, value)
      if (from !== undefined) where.addCondition('id >= ?', from)
      if (until !== undefined) where.addCondition('id < ?', until)
      if (before !== null) where.addCondition('id < ?', before)
    }
    if (errorClass !== undefined) where.addCondition('last_error_class IS NOT NULL')
    const order = owner ? `${owner[0]} DESC, id DESC` : 'id DESC'
    const text = this.textFor(`${where.text} ORDER BY ${order} LIMIT ${limit}`)
    return this.select(this.deliveries.manager, listStatement('list-deliveries', text, limit), where.values)
  }

  async findDelivery(
    webhookId: string,
    id: string,
    manager: EntityManager = this.deliveries.manager,
  ): Promise<FoundDelivery | null> {
    const text = this.textFor('webhook_id = $1 AND id = $2')
    const [found] = await this.select(manager, { name: 'find-delivery', text }, [webhookId, id])
    return found ?? null
  }

  /** For a caller who is restricted to tags, removes subjects that the caller cannot access now. */
  async hideSubjects(
    found: FoundDelivery[],
    tags: readonly string[] | null,
    manager: EntityManager = this.deliveries.manager,
  ): Promise<FoundDelivery[]> {
    if (tags === null) return found
    const ids = found.flatMap(({ subject }) =>
      subject?.type === 'link' ? (decodeId('lnk', subject.id) ?? []) : [],
    )
    const rows: { id: string }[] = await manager.query(
      'SELECT id FROM links WHERE id = ANY($1::uuid[]) AND tags && $2::text[]',
      [ids, tags],
    )
    const accessible = new Set(rows.map(({ id }) => encodeId('lnk', id)))
    return found.map((row) => ({
      ...row,
      subject: row.subject && accessible.has(row.subject.id) ? row.subject : null,
    }))
  }

  /**
   * Returns the newest attempts, oldest first, of those that the row of the delivery counts, which excludes one that is
   * just being written.
   */
  async findAttempts({ id, attemptCount }: Delivery): Promise<Attempt[]> {
    const newest = await this.attempts.find({
      where: { deliveryId: id, number: LessThanOrEqual(attemptCount) },
      order: { number: 'DESC' },
      take: maxShownAttempts,
    })
    return newest.reverse()
  }

  /** Inserts a completed delivery, such as a test, with its attempt. */
  async insertTest(tx: EntityManager, delivery: Delivery, attempt: Attempt): Promise<void> {
    await tx.insert(Delivery, delivery)
    await tx.insert(Attempt, attempt)
  }

  private get selected(): string {
    return (this.selectedText ??= [
      ...this.deliveries.metadata.columns.map((column) => selectedAs(column, 'delivery')),
      ...this.attempts.metadata.columns.map((column) => selectedAs(column, 'last')),
      'webhook.status AS webhook_status, webhook.deleted_at AS webhook_deleted_at',
      `lane.paused_until, lane.probe_at, head.head, (webhook.batch ->> 'withinSeconds')::int AS batch_seconds`,
      'subject.link, subject.webhook',
    ].join(', '))
  }

  private textFor(condition: string): string {
    return `
      SELECT ${this.selected}
      FROM (SELECT * FROM deliveries WHERE ${condition}) AS delivery
      JOIN webhooks AS webhook ON webhook.id = delivery.webhook_id
      JOIN lanes AS lane ON lane.webhook_id = delivery.webhook_id
      -- Evaluated once, because all rows have the webhook $1.
      CROSS JOIN (SELECT ${laneHeadSql('$1', '(SELECT ordered FROM webhooks WHERE id = $1)')} AS head) AS head
      LEFT JOIN LATERAL (
        SELECT * FROM attempts WHERE delivery_id = delivery.id ORDER BY number DESC LIMIT 1
      ) AS last ON true
      LEFT JOIN LATERAL (
        SELECT body::json #> '{data,link}' AS link, body::json #> '{data,webhook}' AS webhook
        FROM events WHERE id = delivery.event_id
      ) AS subject ON true
      ORDER BY delivery.id DESC`
  }

  private async select(
    manager: EntityManager,
    statement: Statement,
    values: unknown[],
  ): Promise<FoundDelivery[]> {
    const rows = await runStatement(manager, statement, values)
    return rows.map((row) => ({
      delivery: toEntity(this.deliveries.metadata, new Delivery(), 'delivery', row),
      webhook: {
        status: row['webhook_status'] as FoundDelivery['webhook']['status'],
        deletedAt: row['webhook_deleted_at'] as Date | null,
        pausedUntil: row['paused_until'] as Date | null,
        probeAt: row['probe_at'] as Date | null,
        head: row['head'] as LaneHead | null,
        batchSeconds: row['batch_seconds'] as number | null,
      },
      lastAttempt:
        row['last.id'] === null ? null : toEntity(this.attempts.metadata, new Attempt(), 'last', row),
      subject: getEventSubject(row as EventObjects),
    }))
  }
}

interface EventObjects {
  link: { id: string; slug: string } | null
  webhook: { id: string; url: string } | null
}

function getEventSubject({ link, webhook }: EventObjects): Subject | null {
  if (link) return { type: 'link', id: link.id, name: link.slug }
  return webhook && { type: 'webhook', id: webhook.id, name: webhook.url }
}

function selectedAs(
  { databaseName, propertyName }: EntityMetadata['columns'][number],
  alias: string,
): string {
  return `${alias}."${databaseName}" AS "${alias}.${propertyName}"`
}

function toEntity<E extends object>(
  { columns }: EntityMetadata,
  entity: E,
  alias: string,
  row: QueryResultRow,
): E {
  const values = entity as Record<string, unknown>
  for (const { propertyName } of columns) values[propertyName] = row[`${alias}.${propertyName}`]
  return entity
}

type DeliveryOfEvent = Parameters<typeof toDeliverySummary>[0] &
  LaneWaits & {
    webhookStatus: WebhookState['status']
    deletedAt: Date | null
  }

/** Implements the port through which `events` reads the deliveries of an event. */
@Injectable()
export class StoredDeliveriesOfEvent implements DeliveriesOfEvent {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async findDeliveries(eventId: string, tags: readonly string[] | null): Promise<DeliverySummary[]> {
    const rows: DeliveryOfEvent[] = await this.dataSource.query(
      `SELECT delivery.id, delivery.webhook_id AS "webhookId", delivery.status, delivery.priority, delivery.batch_id AS "batchId",
         delivery.attempt_count AS "attemptCount", delivery.next_attempt_at AS "nextAttemptAt", delivery.completed_at AS "completedAt",
         webhook.status AS "webhookStatus", webhook.deleted_at AS "deletedAt",
         lane.paused_until AS "pausedUntil", lane.probe_at AS "probeAt",
         ${laneHeadSql('webhook.id', 'webhook.ordered')} AS head, (webhook.batch ->> 'withinSeconds')::int AS "batchSeconds"
       FROM deliveries AS delivery JOIN webhooks AS webhook ON webhook.id = delivery.webhook_id
       JOIN lanes AS lane ON lane.webhook_id = delivery.webhook_id
       WHERE delivery.event_id = $1 AND ($2::text[] IS NULL OR webhook.restricted_tags <@ $2)
       ORDER BY delivery.id`,
      [eventId, tags],
    )
    return rows.map((row) => toDeliverySummary(row, { ...row, status: row.webhookStatus }))
  }
}

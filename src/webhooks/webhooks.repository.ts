import { Injectable } from '@nestjs/common'
import { InjectRepository } from '@nestjs/typeorm'
import { Repository } from 'typeorm'
import type { EntityManager } from 'typeorm'

import { decodeId } from '../platform/database/ids.js'
import { columnsOf, Conditions, listStatement, run } from '../platform/database/statements.js'
import { notFound } from '../platform/http/problems/problem.js'
import type { CountedQuota } from '../workspaces/quotas.js'
import type { LaneColumns } from './webhook-lanes.js'
import { Webhook } from './webhook.entity.js'

export const webhookQuota: CountedQuota = {
  setting: 'WORKSPACE_WEBHOOKS',
  describe: (limit) => `${limit} webhooks`,
  remedy: 'Delete one that you no longer need',
  count: 'SELECT count(*) FROM webhooks WHERE workspace_id = $1 AND deleted_at IS NULL',
}

@Injectable()
export class WebhooksRepository {
  private columnsText: string | null = null

  constructor(@InjectRepository(Webhook) private readonly webhooks: Repository<Webhook>) {}

  async insert(tx: EntityManager, webhook: Webhook): Promise<void> {
    await tx.insert(Webhook, webhook)
  }

  async update(tx: EntityManager, id: string, changes: Partial<Webhook>): Promise<void> {
    await tx.update(Webhook, { id }, changes)
  }

  /** The id is as the caller wrote it. A malformed, unknown, deleted or foreign one is not found. */
  get(workspaceId: string, id: string): Promise<Webhook> {
    return this.find<object>('find-webhook', this.select(), workspaceId, id)
  }

  /** Like `get`, with the columns of its lane. */
  getWithLane(workspaceId: string, id: string, columns: string): Promise<Webhook & LaneColumns> {
    return this.find<LaneColumns>('find-webhook-with-lane', this.select(columns), workspaceId, id)
  }

  /** Like `getWithLane`, with the webhook locked until the transaction ends. */
  lock(tx: EntityManager, workspaceId: string, id: string, columns: string): Promise<Webhook & LaneColumns> {
    const end = 'FOR UPDATE OF webhook'
    return this.find<LaneColumns>('lock-webhook', this.select(columns), workspaceId, id, { tx, end })
  }

  /** Also finds a deleted webhook. */
  lockById(tx: EntityManager, id: string): Promise<Webhook | null> {
    return tx.findOne(Webhook, { where: { id }, lock: { mode: 'pessimistic_write' } })
  }

  /** The newest first. */
  list(
    workspaceId: string,
    before: string | null,
    limit: number,
    columns: string,
  ): Promise<(Webhook & LaneColumns)[]> {
    const where = new Conditions().add('deleted_at IS NULL')
    where.addIdsOf('workspace_id', workspaceId, { before })
    const text = `${this.select(columns)} WHERE ${where.text} ORDER BY workspace_id DESC, id DESC LIMIT ${limit}`
    return run<Webhook & LaneColumns>(
      this.webhooks.manager,
      listStatement('list-webhooks', text, limit),
      where.values,
    )
  }

  private async find<Beside extends object>(
    name: string,
    select: string,
    workspaceId: string,
    id: string,
    { tx = this.webhooks.manager, end = '' } = {},
  ): Promise<Webhook & Beside> {
    const webhookId = decodeId('wh', id)
    if (!webhookId) throw notFound('webhook')
    const text = `${select} WHERE id = $1 AND workspace_id = $2 AND deleted_at IS NULL ${end}`
    const values = [webhookId, workspaceId]
    const [found] = await run<Webhook & Beside>(tx, { name, text }, values)
    if (!found) throw notFound('webhook')
    return found
  }

  private select(beside?: string): string {
    this.columnsText ??= columnsOf(this.webhooks.metadata, 'webhook')
    const columns = beside === undefined ? this.columnsText : `${this.columnsText}, ${beside}`
    return `SELECT ${columns} FROM webhooks webhook`
  }
}

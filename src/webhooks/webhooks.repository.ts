import { Injectable } from '@nestjs/common'
import { InjectRepository } from '@nestjs/typeorm'
import { IsNull, Repository } from 'typeorm'
import type { EntityManager } from 'typeorm'

import { decodeId } from '../platform/database/ids.js'
import { selectNewest } from '../platform/database/statements.js'
import { notFound } from '../platform/http/problems/problem.js'
import type { CountedQuota } from '../workspaces/quotas.js'
import { Webhook } from './webhook.entity.js'

export const webhookQuota: CountedQuota = {
  setting: 'WORKSPACE_WEBHOOKS',
  describe: (limit) => `${limit} webhooks`,
  remedy: 'Delete one that you no longer need',
  count: 'SELECT count(*) FROM webhooks WHERE workspace_id = $1 AND deleted_at IS NULL',
}

@Injectable()
export class WebhooksRepository {
  constructor(@InjectRepository(Webhook) private readonly webhooks: Repository<Webhook>) {}

  transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.webhooks.manager.dataSource.transaction(work)
  }

  async insert(tx: EntityManager, webhook: Webhook): Promise<void> {
    await tx.insert(Webhook, webhook)
  }

  async update(tx: EntityManager, id: string, changes: Partial<Webhook>): Promise<void> {
    await tx.update(Webhook, { id }, changes)
  }

  /** Finds a webhook by its public ID. Throws `not_found` if it is unknown, deleted or in another workspace. */
  async get(workspaceId: string, id: string): Promise<Webhook> {
    return requireFound(await this.webhooks.findOneBy(byId(workspaceId, id)))
  }

  /** Like `get`, but locks the webhook until the transaction ends. */
  async lock(tx: EntityManager, workspaceId: string, id: string): Promise<Webhook> {
    const lock = { mode: 'pessimistic_write' } as const
    return requireFound(await tx.findOne(Webhook, { where: byId(workspaceId, id), lock }))
  }

  /** Also finds deleted webhooks. */
  lockById(tx: EntityManager, id: string): Promise<Webhook | null> {
    return tx.findOne(Webhook, { where: { id }, lock: { mode: 'pessimistic_write' } })
  }

  /** Lists webhooks, newest first. */
  list(workspaceId: string, before: string | null, limit: number): Promise<Webhook[]> {
    return selectNewest(this.webhooks.createQueryBuilder('webhook'), workspaceId, { before })
      .andWhere('webhook.deletedAt IS NULL')
      .limit(limit)
      .getMany()
  }
}

function byId(workspaceId: string, id: string) {
  const webhookId = decodeId('wh', id)
  if (!webhookId) throw notFound('webhook')
  return { id: webhookId, workspaceId, deletedAt: IsNull() }
}

function requireFound(webhook: Webhook | null): Webhook {
  if (!webhook) throw notFound('webhook')
  return webhook
}

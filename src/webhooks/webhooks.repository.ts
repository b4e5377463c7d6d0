import { Inject, Injectable } from '@nestjs/common'
import { InjectRepository } from '@nestjs/typeorm'
import { IsNull, Raw, Repository } from 'typeorm'
import type { EntityManager, FindOptionsWhere } from 'typeorm'

import type { Caller } from '../auth/caller.js'
import { decodeId } from '../platform/database/ids.js'
import { selectNewest } from '../platform/database/statements.js'
import { notFound } from '../platform/http/problems/problem.js'
import { SETTINGS } from '../settings.js'
import type { RunningSettings } from '../settings.js'
import { requireRoom } from '../workspaces/quotas.js'
import type { CountedQuota } from '../workspaces/quotas.js'
import { Webhook } from './webhook.entity.js'

const webhookQuota: CountedQuota = {
  setting: 'WORKSPACE_WEBHOOKS',
  describe: (limit) => `${limit} webhooks`,
  remedy: 'Delete one that you no longer need',
  count: 'SELECT count(*) FROM webhooks WHERE workspace_id = $1 AND deleted_at IS NULL',
}

/** A caller who is restricted to tags can access only webhooks that receive no events of other links. */
export type WebhookOwner = Pick<Caller, 'workspaceId' | 'tags'>

@Injectable()
export class WebhooksRepository {
  constructor(
    @InjectRepository(Webhook) private readonly webhooks: Repository<Webhook>,
    @Inject(SETTINGS) private readonly settings: RunningSettings,
  ) {}

  transaction<T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    return this.webhooks.manager.dataSource.transaction(work)
  }

  /** Throws `quota_exceeded` if the workspace has as many webhooks as it may have. */
  async insert(tx: EntityManager, webhook: Webhook): Promise<void> {
    await requireRoom(tx, webhook.workspaceId, webhookQuota, this.settings.workspaceWebhooks)
    await tx.insert(Webhook, webhook)
  }

  async update(tx: EntityManager, id: string, changes: Partial<Webhook>): Promise<void> {
    await tx.update(Webhook, { id }, changes)
  }

  /** Finds a webhook by its public ID. Throws `not_found` if it is unknown, deleted or not accessible to the caller. */
  async get(owner: WebhookOwner, id: string): Promise<Webhook> {
    return requireFound(await this.webhooks.findOneBy(byId(owner, id)))
  }

  /** Like `get`, but locks the webhook until the transaction ends. */
  async lock(tx: EntityManager, owner: WebhookOwner, id: string): Promise<Webhook> {
    const lock = { mode: 'pessimistic_write' } as const
    return requireFound(await tx.findOne(Webhook, { where: byId(owner, id), lock }))
  }

  /** Also finds deleted webhooks. */
  lockById(tx: EntityManager, id: string): Promise<Webhook | null> {
    return tx.findOne(Webhook, { where: { id }, lock: { mode: 'pessimistic_write' } })
  }

  /** Lists webhooks, newest first. */
  list({ workspaceId, tags }: WebhookOwner, before: string | null, limit: number): Promise<Webhook[]> {
    const webhooks = selectNewest(this.webhooks.createQueryBuilder('webhook'), workspaceId, { before })
      .andWhere('webhook.deletedAt IS NULL')
      .limit(limit)
    if (tags !== null) webhooks.andWhere('webhook.restrictedTags <@ :tags::text[]', { tags })
    return webhooks.getMany()
  }
}

function byId({ workspaceId, tags }: WebhookOwner, id: string): FindOptionsWhere<Webhook> {
  const webhookId = decodeId('wh', id)
  if (!webhookId) throw notFound('webhook')
  return {
    id: webhookId,
    workspaceId,
    deletedAt: IsNull(),
    // Null, for a webhook that receives events of all links, is contained in no list.
    ...(tags && { restrictedTags: Raw((column) => `${column} <@ :tags::text[]`, { tags }) }),
  }
}

function requireFound(webhook: Webhook | null): Webhook {
  if (!webhook) throw notFound('webhook')
  return webhook
}

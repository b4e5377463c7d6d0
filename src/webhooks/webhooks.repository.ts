import { Injectable } from '@nestjs/common'
import { InjectRepository } from '@nestjs/typeorm'
import { IsNull, Repository } from 'typeorm'
import type { EntityManager } from 'typeorm'

import { Webhook } from './webhook.entity.js'

@Injectable()
export class WebhooksRepository {
  constructor(@InjectRepository(Webhook) private readonly webhooks: Repository<Webhook>) {}

  async insert(tx: EntityManager, webhook: Webhook): Promise<void> {
    await tx.insert(Webhook, webhook)
  }

  async update(tx: EntityManager, webhook: Webhook): Promise<void> {
    await tx.update(Webhook, { id: webhook.id }, webhook)
  }

  find(workspaceId: string, id: string): Promise<Webhook | null> {
    return this.webhooks.findOneBy({ id, workspaceId, deletedAt: IsNull() })
  }

  findForUpdate(tx: EntityManager, workspaceId: string, id: string): Promise<Webhook | null> {
    return tx.findOne(Webhook, {
      where: { id, workspaceId, deletedAt: IsNull() },
      lock: { mode: 'pessimistic_write' },
    })
  }

  /** The newest first. */
  list(workspaceId: string, before: string | null, limit: number): Promise<Webhook[]> {
    const select = this.webhooks
      .createQueryBuilder('webhook')
      .where('webhook.workspaceId = :workspaceId AND webhook.deletedAt IS NULL', { workspaceId })
      .orderBy('webhook.id', 'DESC')
      .limit(limit)
    if (before !== null) select.andWhere('webhook.id < :before', { before })
    return select.getMany()
  }
}

import { Injectable } from '@nestjs/common'
import { InjectRepository } from '@nestjs/typeorm'
import { IsNull, Repository } from 'typeorm'

import { decodeId } from '../platform/database/ids.js'
import { Problem } from '../platform/http/problem.js'
import { Webhook } from '../webhooks/webhook.entity.js'

/** The webhook that a call is about, by its id as it came. What is malformed, unknown or another's is not found, all alike. */
@Injectable()
export class WebhookLookup {
  constructor(@InjectRepository(Webhook) private readonly webhooks: Repository<Webhook>) {}

  async get(workspaceId: string, id: string): Promise<Webhook> {
    const webhookId = decodeId('webhook', id)
    const found =
      webhookId && (await this.webhooks.findOneBy({ id: webhookId, workspaceId, deletedAt: IsNull() }))
    if (!found) throw new Problem('not_found')
    return found
  }

  async getEvenDeleted(workspaceId: string, id: string): Promise<Webhook> {
    const webhookId = decodeId('webhook', id)
    const found = webhookId && (await this.webhooks.findOneBy({ id: webhookId, workspaceId }))
    if (!found) throw new Problem('not_found')
    return found
  }
}

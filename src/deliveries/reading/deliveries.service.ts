import { Injectable } from '@nestjs/common'

import type { Caller } from '../../auth/caller.js'
import { decodeId } from '../../platform/database/ids.js'
import { Cursors } from '../../platform/http/input/page.js'
import type { Page } from '../../platform/http/input/page.js'
import { notFound } from '../../platform/http/problems/problem.js'
import { WebhooksRepository } from '../../webhooks/webhooks.repository.js'
import { DeliveriesRepository } from './deliveries.repository.js'
import { DeliveryDto, DeliveryWithAttemptsDto } from './delivery.dto.js'
import type { FoundDelivery, ListDeliveriesQuery } from './delivery.dto.js'

@Injectable()
export class DeliveriesService {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly deliveries: DeliveriesRepository,
    private readonly cursors: Cursors,
  ) {}

  async list(caller: Caller, id: string, query: ListDeliveriesQuery): Promise<Page<DeliveryDto>> {
    const { workspaceId } = caller
    const webhookId = decodeId('wh', id)
    if (!webhookId) throw notFound('webhook')
    if (caller.tags) await this.webhooks.get(caller, id)
    const page = await this.cursors.readPage(query, `deliveries of ${webhookId}`, {
      read: async (before, limit) =>
        this.deliveries.hideSubjects(
          await this.deliveries.listDeliveries(workspaceId, webhookId, query, before, limit),
          caller.tags,
        ),
      position: ({ delivery }) => delivery.id,
      show: (row) => DeliveryDto.fromDelivery(row, caller),
    })
    // Only an empty list needs this check, because a webhook with deliveries exists.
    if (page.data.length === 0) await this.webhooks.get(caller, id)
    return page
  }

  async get(caller: Caller, id: string, deliveryId: string): Promise<DeliveryWithAttemptsDto> {
    const found = await this.findDelivery(caller, id, deliveryId)
    return DeliveryWithAttemptsDto.withAttempts(
      found,
      await this.deliveries.findAttempts(found.delivery),
      caller,
    )
  }

  /** Finds a delivery by the IDs of the request. */
  private async findDelivery(caller: Caller, id: string, deliveryId: string): Promise<FoundDelivery> {
    const webhook = await this.webhooks.get(caller, id)
    const uuid = decodeId('dlv', deliveryId)
    const found = uuid && (await this.deliveries.findDelivery(webhook.id, uuid))
    if (!found) throw notFound('delivery')
    return (await this.deliveries.hideSubjects([found], caller.tags))[0]!
  }
}

import { Injectable } from '@nestjs/common'

import type { Caller } from '../../auth/caller.js'
import { decodeId } from '../../platform/database/ids.js'
import { Cursors, pageSize } from '../../platform/http/page.js'
import type { Page } from '../../platform/http/page.js'
import { WebhooksRepository } from '../../webhooks/webhooks.repository.js'
import { Problem } from '../../platform/http/problem.js'
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
    if (!webhookId) throw new Problem('not_found')
    const scope = `deliveries of ${webhookId}`
    const before = this.cursors.open(query.cursor, query, scope)
    const rows = await this.deliveries.list(workspaceId, webhookId, query, before, pageSize(query) + 1)
    // Whether there is such a webhook is asked only where the list does not show it.
    if (rows.length === 0) await this.webhooks.get(workspaceId, id)
    return this.cursors.page(
      rows,
      query,
      scope,
      ({ delivery }) => delivery.id,
      (row) => DeliveryDto.from(row),
    )
  }

  async get(caller: Caller, id: string, deliveryId: string): Promise<DeliveryWithAttemptsDto> {
    const found = await this.find(caller, id, deliveryId)
    return DeliveryWithAttemptsDto.with(found, await this.deliveries.attemptsOf(found.delivery))
  }

  /** By ids as they came. */
  async find(caller: Caller, id: string, deliveryId: string): Promise<FoundDelivery> {
    const webhook = await this.webhooks.get(caller.workspaceId, id)
    const uuid = decodeId('dlv', deliveryId)
    const found = uuid && (await this.deliveries.find(webhook.id, uuid))
    if (!found) throw new Problem('not_found')
    return found
  }
}

import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import type { Caller } from '../../auth/caller.js'
import { oldestKeptEvent } from '../../events/event.entity.js'
import { SETTINGS } from '../../settings.js'
import type { RunningSettings } from '../../settings.js'
import { afterCommit } from '../../platform/database/after-commit.js'
import { decodeId, timeOf } from '../../platform/database/ids.js'
import { Cursors } from '../../platform/http/input/page.js'
import type { Page } from '../../platform/http/input/page.js'
import { currentTime } from '../../platform/util/clock.js'
import { notFound, Problem } from '../../platform/http/problems/problem.js'
import { WebhooksRepository } from '../../webhooks/webhooks.repository.js'
import type { Delivery } from '../delivery.entity.js'
import { LaneWaker } from '../lanes.repository.js'
import { LedgerRepository } from '../ledger.repository.js'
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
    const page = await this.cursors.page(query, `deliveries of ${webhookId}`, {
      read: (before, limit) => this.deliveries.list(workspaceId, webhookId, query, before, limit),
      position: ({ delivery }) => delivery.id,
      show: (row) => DeliveryDto.from(row),
    })
    // A list with rows shows that the webhook exists, so only an empty list needs this check.
    if (page.data.length === 0) await this.webhooks.get(workspaceId, id)
    return page
  }

  async get(caller: Caller, id: string, deliveryId: string): Promise<DeliveryWithAttemptsDto> {
    const found = await this.find(caller, id, deliveryId)
    return DeliveryWithAttemptsDto.with(found, await this.deliveries.attemptsOf(found.delivery))
  }

  /** Takes the ids as the caller sent them. */
  async find(caller: Caller, id: string, deliveryId: string): Promise<FoundDelivery> {
    const webhook = await this.webhooks.get(caller.workspaceId, id)
    const uuid = decodeId('dlv', deliveryId)
    const found = uuid && (await this.deliveries.find(webhook.id, uuid))
    if (!found) throw notFound('delivery')
    return found
  }
}

/** Sends one delivery again. A completed delivery starts anew, and a pending one becomes due now. */
@Injectable()
export class RedeliveryService {
  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly deliveries: DeliveriesRepository,
    private readonly ledger: LedgerRepository,
    private readonly waker: LaneWaker,
  ) {}

  async redeliver(caller: Caller, id: string, deliveryId: string): Promise<DeliveryDto> {
    const webhookId = decodeId('wh', id)
    const uuid = decodeId('dlv', deliveryId)
    return this.dataSource.transaction(async (tx) => {
      if (!webhookId || !(await this.ledger.lockOf(tx, caller.workspaceId, webhookId)))
        throw notFound('webhook')
      if (uuid) await this.ledger.resend(tx, webhookId, uuid)
      const found = uuid && (await this.deliveries.find(webhookId, uuid, tx))
      if (!found) throw notFound('delivery')
      this.refuseWhatIsOver(found.delivery)
      if (found.webhook.status === 'active') afterCommit(tx, () => this.waker.wake([webhookId]))
      return DeliveryDto.from(found)
    })
  }

  private refuseWhatIsOver({ id, test }: Delivery): void {
    if (test)
      throw new Problem('not_redeliverable', {
        detail: 'This was a test, which is not sent again. POST to /test of the webhook for another one.',
      })
    // Retention would soon cancel it again.
    if (timeOf(id) < oldestKeptEvent(this.settings, currentTime()))
      throw new Problem('not_redeliverable', {
        detail: 'This delivery is older than events are kept, and is not sent again.',
      })
  }
}

import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { EntityManager } from 'typeorm'

import { AuditService } from '../audit/audit.service.js'
import type { Caller } from '../auth/caller.js'
import { afterCommit } from '../platform/database/after-commit.js'
import { decodeId } from '../platform/database/ids.js'
import { notFound, Problem } from '../platform/http/problems/problem.js'
import { endReasons } from './delivery-status.js'
import { LaneWaker } from './pending-deliveries.js'
import { LedgerRepository } from './ledger.repository.js'
import { DeliveriesRepository } from './reading/deliveries.repository.js'
import { DeliveryDto } from './reading/delivery.dto.js'
import type { FoundDelivery } from './reading/delivery.dto.js'

/** Cancels a pending delivery, so that an ordered webhook can send the next one. */
@Injectable()
export class SkipService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly deliveries: DeliveriesRepository,
    private readonly ledger: LedgerRepository,
    private readonly audit: AuditService,
    private readonly waker: LaneWaker,
  ) {}

  async skip(caller: Caller, id: string, deliveryId: string): Promise<DeliveryDto> {
    const webhookId = decodeId('wh', id)
    const uuid = decodeId('dlv', deliveryId)
    return this.dataSource.transaction(async (tx) => {
      if (!webhookId || !(await this.ledger.lockLane(tx, caller, webhookId))) throw notFound('webhook')
      const found = uuid && (await this.deliveries.findDelivery(webhookId, uuid, tx))
      if (!found) throw notFound('delivery')
      const { delivery } = found
      if (delivery.endReason === endReasons.skipped) return this.show(tx, caller, found)
      if (delivery.status !== 'pending')
        throw new Problem('not_skippable', {
          detail: `This delivery is ${delivery.status}. Only pending and held deliveries can be skipped.`,
        })
      await this.ledger.cancelDeliveries(tx, webhookId, [delivery.id], endReasons.skipped)
      // Announcing the webhook makes the worker drop the delivery from memory.
      await this.audit.recordAndAnnounce(tx, caller, 'webhook.delivery_skipped', 'webhook', [webhookId], {
        delivery_id: deliveryId,
      })
      afterCommit(tx, () => this.waker.wake([webhookId]))
      const skipped = await this.deliveries.findDelivery(webhookId, delivery.id, tx)
      return this.show(tx, caller, skipped!)
    })
  }

  private async show(tx: EntityManager, caller: Caller, found: FoundDelivery): Promise<DeliveryDto> {
    const [shown] = await this.deliveries.hideSubjects([found], caller.tags, tx)
    return DeliveryDto.fromDelivery(shown!, caller)
  }
}

import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import type { Caller } from '../auth/caller.js'
import { oldestKeptEvent } from '../events/event.entity.js'
import { SETTINGS } from '../settings.js'
import type { RunningSettings } from '../settings.js'
import { afterCommit } from '../platform/database/after-commit.js'
import { decodeId, getIdTime } from '../platform/database/ids.js'
import { currentTime } from '../platform/util/clock.js'
import { notFound, Problem } from '../platform/http/problems/problem.js'
import type { Delivery } from './delivery.entity.js'
import { LaneWaker } from './pending-deliveries.js'
import { LedgerRepository } from './ledger.repository.js'
import { DeliveriesRepository } from './reading/deliveries.repository.js'
import { DeliveryDto } from './reading/delivery.dto.js'

/** Redelivers a delivery. A completed delivery gets a new schedule, and a pending one becomes due now. */
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
      if (!webhookId || !(await this.ledger.lockLane(tx, caller, webhookId))) throw notFound('webhook')
      if (uuid) await this.ledger.reopenDelivery(tx, webhookId, uuid)
      const found = uuid && (await this.deliveries.findDelivery(webhookId, uuid, tx))
      if (!found) throw notFound('delivery')
      this.requireRedeliverable(found.delivery)
      if (found.webhook.status === 'active') afterCommit(tx, () => this.waker.wake([webhookId]))
      const [shown] = await this.deliveries.hideSubjects([found], caller.tags, tx)
      return DeliveryDto.fromDelivery(shown!, caller)
    })
  }

  private requireRedeliverable({ id, test }: Delivery): void {
    if (test)
      throw new Problem('not_redeliverable', {
        detail: 'A test cannot be redelivered. Send another test instead.',
      })
    // Retention would cancel the delivery again.
    if (getIdTime(id) < oldestKeptEvent(this.settings, currentTime()))
      throw new Problem('not_redeliverable', {
        detail:
          'This delivery is older than EVENT_RETENTION, so its event can no longer be sent. To keep events longer, ask the operator to raise EVENT_RETENTION.',
      })
  }
}

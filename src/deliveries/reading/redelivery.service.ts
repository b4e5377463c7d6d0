import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import type { Caller } from '../../auth/caller.js'
import { SETTINGS } from '../../platform/config/settings.js'
import type { RunningSettings } from '../../platform/config/settings.js'
import { afterCommit } from '../../platform/database/after-commit.js'
import { timeOf } from '../../platform/database/ids.js'
import { notFound, Problem } from '../../platform/http/problem.js'
import type { Delivery } from '../delivery.entity.js'
import { LaneWaker } from '../lane-waker.js'
import { LedgerRepository } from '../ledger.repository.js'
import { DeliveriesRepository } from './deliveries.repository.js'
import { DeliveriesService } from './deliveries.service.js'
import { DeliveryDto } from './delivery.dto.js'

@Injectable()
export class RedeliveryService {
  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly service: DeliveriesService,
    private readonly deliveries: DeliveriesRepository,
    private readonly ledger: LedgerRepository,
    private readonly waker: LaneWaker,
  ) {}

  async redeliver(caller: Caller, id: string, deliveryId: string): Promise<DeliveryDto> {
    const { delivery } = await this.service.find(caller, id, deliveryId)
    this.refuseWhatIsOver(delivery)
    const { webhookId } = delivery
    return this.dataSource.transaction(async (tx) => {
      await this.ledger.lock(tx, webhookId)
      const reopened = await this.ledger.reopen(tx, webhookId, [delivery.id])
      if (reopened === 0) await this.ledger.hurry(tx, webhookId, delivery.id)
      const found = await this.deliveries.find(webhookId, delivery.id, tx)
      if (!found) throw notFound('delivery', deliveryId)
      if (found.webhook.status === 'active') afterCommit(tx, () => this.waker.wake([webhookId]))
      return DeliveryDto.from(found)
    })
  }

  private refuseWhatIsOver({ id, test }: Delivery): void {
    if (test)
      throw new Problem('not_redeliverable', {
        detail: 'This was a test, which is not sent again. POST to /test of the webhook for another one.',
      })
    // It would be canceled again before long.
    if (Date.now() - timeOf(id).getTime() > this.settings.eventRetention * 1000)
      throw new Problem('not_redeliverable', {
        detail: 'This delivery is older than events are kept, and is not sent again.',
      })
  }
}

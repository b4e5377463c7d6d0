import { Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'

import { Attempt } from '../attempt.entity.js'
import { Delivery } from '../delivery.entity.js'

@Injectable()
export class TestSendsRepository {
  async insert(tx: EntityManager, delivery: Delivery, attempt: Attempt): Promise<void> {
    await tx.insert(Delivery, delivery)
    await tx.insert(Attempt, attempt)
  }
}

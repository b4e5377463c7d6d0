/** What webhooks need of the sending: a lane each, a new start for it, and how it stands. */
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { EntityManager } from 'typeorm'

import { afterCommit } from '../platform/database/after-commit.js'
import { run } from '../platform/database/statements.js'
import type { LaneState, WebhookLanes } from '../webhooks/webhook-lanes.js'
import { Lane } from './lane.entity.js'
import { LaneWaker } from './lane-waker.js'

interface StateRow extends LaneState {
  webhookId: string
}

// Counted in the index deliveries_due, which holds nothing but what is pending.
const statesOfLanes = {
  name: 'states-of-lanes',
  text: `
    SELECT lane.webhook_id AS "webhookId", lane.last_success_at AS "lastSuccessAt", lane.failing_since AS "failingSince",
      (SELECT count(*)::int FROM deliveries
       WHERE deliveries.webhook_id = lane.webhook_id AND deliveries.status = 'pending') AS waiting
    FROM lanes AS lane WHERE lane.webhook_id = ANY($1)`,
}

@Injectable()
export class LaneLedger implements WebhookLanes {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly waker: LaneWaker,
  ) {}

  async open(tx: EntityManager, webhookId: string): Promise<void> {
    await tx.insert(Lane, { webhookId })
  }

  async resume(tx: EntityManager, webhookId: string): Promise<void> {
    await tx.update(
      Lane,
      { webhookId },
      {
        pausedUntil: null,
        probeAt: null,
        failuresInARow: 0,
        failingSince: null,
        lastFailureAt: null,
        failuresSince: 0,
        warnedAt: null,
      },
    )
    afterCommit(tx, () => this.waker.wake([webhookId]))
  }

  async statesOf(
    webhookIds: readonly string[],
    db: EntityManager = this.dataSource.manager,
  ): Promise<Map<string, LaneState>> {
    if (webhookIds.length === 0) return new Map()
    const rows = await run<StateRow & object>(db, statesOfLanes, [webhookIds])
    return new Map(rows.map(({ webhookId, ...state }) => [webhookId, state]))
  }
}

import { Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'

import type { EventType } from '../events/catalogue.js'
import { wantsOne } from './wanting.js'

export interface Subscription {
  webhookId: string
  workspaceId: string
  events: string[]
  /** Something new for it is sent at once: it is active, its circuit is closed, and its receiver has not asked for a pause. */
  isReady: boolean
  /** Its last attempt succeeded. */
  isProven: boolean
}

@Injectable()
export class SubscriptionsRepository {
  /** In the order of their ids: whoever makes rows for several webhooks makes them in one order. */
  find(
    tx: EntityManager,
    workspaceIds: readonly string[],
    types: readonly EventType[],
  ): Promise<Subscription[]> {
    return tx.query(
      `SELECT id AS "webhookId", workspace_id AS "workspaceId", events,
         status = 'active' AND GREATEST(probe_at, paused_until, now()) = now() AS "isReady",
         failures_in_a_row = 0 AND last_success_at IS NOT NULL AS "isProven"
       FROM webhooks JOIN lanes ON webhook_id = id
       WHERE workspace_id = ANY($1) AND ${wantsOne} ORDER BY id`,
      [workspaceIds, [...types, '*']],
    )
  }
}

import { Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'

import type { EventType } from '../events/catalogue.js'
import { wantsOneOf } from './wanting.js'

export interface Subscription {
  webhookId: string
  workspaceId: string
  events: string[]
  isReady: boolean
  isProven: boolean
}

/** Something new for it is sent at once: it is active, its circuit is closed, and its receiver has not asked for a pause. */
export const isReady = `(status = 'active' AND GREATEST(probe_at, paused_until, now()) = now())`
/** Its last attempt succeeded. */
export const isProven = '(failures_in_a_row = 0 AND last_success_at IS NOT NULL)'

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
         ${isReady} AS "isReady", ${isProven} AS "isProven"
       FROM webhooks JOIN lanes ON webhook_id = id
       WHERE workspace_id = ANY($1) AND ${wantsOneOf('$2::text[]')} ORDER BY id`,
      [workspaceIds, [...types, '*']],
    )
  }
}

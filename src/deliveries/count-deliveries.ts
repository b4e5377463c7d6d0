/**
 * Adds new deliveries to the counters of their lanes. Transactions that create deliveries only insert a row into
 * `uncounted_deliveries`, so they never wait for a lane. Readers add these rows to the counter.
 */
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import { firstId } from '../platform/database/ids.js'
import { allowLongerStatements, backgroundTimeoutMs } from '../platform/database/pg-client.js'
import { Handles } from '../platform/queue/jobs.js'
import type { JobHandler } from '../platform/queue/jobs.js'
import { lockLanes } from './lanes.repository.js'

declare module '../platform/queue/jobs.js' {
  interface Jobs {
    /** Adds new deliveries to the counters of their lanes. */
    'count-deliveries': Record<string, never>
  }
}

/** Short, so that readers have few uncounted rows to add. */
export const countEveryMs = 5_000
/** Maximum number of lanes that a transaction locks. */
const lanesAtOnce = 100

@Injectable()
@Handles('count-deliveries')
export class CountDeliveries implements JobHandler<'count-deliveries'> {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async handle(): Promise<void> {
    let after = firstId
    for (;;) {
      const rows: { webhook_id: string }[] = await this.dataSource.query(
        `SELECT DISTINCT webhook_id FROM uncounted_deliveries WHERE webhook_id > $1 ORDER BY webhook_id LIMIT ${lanesAtOnce}`,
        [after],
      )
      const webhookIds = rows.map(({ webhook_id }) => webhook_id)
      const last = webhookIds.at(-1)
      if (last === undefined) return
      await this.countLanes(webhookIds)
      after = last
    }
  }

  private async countLanes(webhookIds: readonly string[]): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      await allowLongerStatements(tx, backgroundTimeoutMs)
      await lockLanes(tx, webhookIds)
      await tx.query(
        `WITH counted AS (
           DELETE FROM uncounted_deliveries WHERE webhook_id = ANY ($1) RETURNING webhook_id, count
         ), total AS (
           SELECT webhook_id, sum(count) AS count FROM counted GROUP BY webhook_id
         )
         UPDATE lanes SET emitted = emitted + total.count FROM total WHERE lanes.webhook_id = total.webhook_id`,
        [webhookIds],
      )
    })
  }
}

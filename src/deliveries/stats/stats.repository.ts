/** Reads the delivery statistics of a webhook. */
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import type { WebhookState } from '../delivery-status.js'
import { hoursShown, scheduleSql } from '../lane-figures.js'
import type { LaneSchedule } from '../lane-figures.js'
import { countPendingSql } from '../lanes.repository.js'
import type { Ledger, Recent } from './stats.dto.js'

@Injectable()
export class StatsRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Reads all counts in one statement, so that a delivery that completes in between is counted once. */
  async findLedger(webhookId: string): Promise<Ledger | null> {
    const [row]: (Record<'succeeded' | 'failed' | 'canceled' | 'attempts', string> &
      Pick<Ledger, 'waiting'> &
      LaneSchedule &
      WebhookState)[] = await this.dataSource.query(
      `SELECT lanes.succeeded, lanes.failed, lanes.canceled, lanes.attempts, ${countPendingSql} AS waiting,
           webhooks.status, webhooks.deleted_at AS "deletedAt",
           ${scheduleSql}
         FROM lanes JOIN webhooks ON webhooks.id = lanes.webhook_id
         WHERE lanes.webhook_id = $1`,
      [webhookId],
    )
    if (!row) return null
    const { status, deletedAt, ...lane } = row
    return {
      ...lane,
      webhook: { status, deletedAt },
      succeeded: Number(row.succeeded),
      failed: Number(row.failed),
      canceled: Number(row.canceled),
      attempts: Number(row.attempts),
    }
  }

  /** Reads the hours by primary key, and the latencies with one lookup for each of the last 1,000 deliveries. */
  async findRecent(webhookId: string): Promise<Recent> {
    const [row]: Recent[] = await this.dataSource.query(
      `SELECT (
         SELECT json_agg(json_build_object('startMs', extract(epoch FROM start) * 1000, 'attempts', attempts, 'successes', successes)
           ORDER BY start)
         FROM (
           SELECT start, coalesce(sum(attempts), 0)::int AS attempts, coalesce(sum(successes), 0)::int AS successes
           FROM generate_series(0, ${hoursShown - 1}) AS ago,
             LATERAL (SELECT date_trunc('hour', now(), 'UTC') - ago * interval '1 hour' AS start) AS begun
             LEFT JOIN lane_hours ON webhook_id = $1 AND hour >= start AND hour < start + interval '1 hour'
           GROUP BY start
         ) AS hour
       ) AS hours, (
         SELECT percentile_disc(ARRAY[0.5, 0.95, 0.99]) WITHIN GROUP (ORDER BY last.duration_ms)
         FROM (
           SELECT id FROM deliveries WHERE webhook_id = $1 AND NOT test ORDER BY id DESC LIMIT 1000
         ) AS delivery
         CROSS JOIN LATERAL (
           SELECT duration_ms, started_at FROM attempts WHERE delivery_id = delivery.id ORDER BY number DESC LIMIT 1
         ) AS last
         WHERE last.started_at > now() - interval '24 hours'
       ) AS latencies`,
      [webhookId],
    )
    return row!
  }
}

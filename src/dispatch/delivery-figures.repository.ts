/** Counts webhooks and deliveries of the whole instance for the metrics, at a bounded cost. */
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import type { Webhook } from '../webhooks/webhook.entity.js'

/** Due deliveries are counted up to this number, because each one is a row to read. */
export const maxCountedDue = 10_000

export interface WebhookFigures {
  status: Webhook['status']
  webhooks: number
  /** Webhooks whose last attempt failed. */
  failing: number
  /** Webhooks whose circuit is open or half open, or whose receiver requested a pause. */
  waiting: number
  /** Deliveries that are not completed. They are held if the webhook is not active. */
  deliveries: number
}

/** Reads only counters: one row per webhook, and one per transaction that is not counted yet. */
const webhooksStatement = `
  SELECT webhooks.status, count(*)::float8 AS webhooks,
    (count(*) FILTER (WHERE lanes.failing_since IS NOT NULL))::float8 AS failing,
    (count(*) FILTER (WHERE lanes.probe_at IS NOT NULL OR lanes.paused_until > now()))::float8 AS waiting,
    sum(lanes.emitted - lanes.succeeded - lanes.failed - lanes.canceled + COALESCE(uncounted.count, 0))::float8 AS deliveries
  FROM webhooks JOIN lanes ON lanes.webhook_id = webhooks.id
    LEFT JOIN (
      SELECT webhook_id, sum(count) AS count FROM uncounted_deliveries GROUP BY webhook_id
    ) AS uncounted ON uncounted.webhook_id = webhooks.id
  WHERE webhooks.deleted_at IS NULL
  GROUP BY webhooks.status`

/** A few index lookups per webhook that has pending deliveries, and at most $1 entries of the index of due deliveries. */
const dueStatement = `
  WITH RECURSIVE waiting AS (
    (SELECT webhook_id FROM deliveries WHERE status = 'pending' ORDER BY webhook_id LIMIT 1)
    UNION ALL
    SELECT (SELECT deliveries.webhook_id FROM deliveries
            WHERE status = 'pending' AND deliveries.webhook_id > waiting.webhook_id ORDER BY deliveries.webhook_id LIMIT 1)
    FROM waiting WHERE waiting.webhook_id IS NOT NULL
  )
  SELECT count(*)::float8 AS count FROM (
    SELECT 1
    FROM waiting JOIN webhooks ON webhooks.id = waiting.webhook_id
      CROSS JOIN (VALUES (0), (1), (2)) AS priorities (priority)
      CROSS JOIN LATERAL (
        SELECT 1 FROM deliveries
        WHERE deliveries.webhook_id = waiting.webhook_id AND status = 'pending'
          AND deliveries.priority = priorities.priority AND next_attempt_at <= now()
        LIMIT $1
      ) AS due
    WHERE webhooks.status = 'active' AND webhooks.deleted_at IS NULL
    LIMIT $1
  ) AS counted`

@Injectable()
export class DeliveryFiguresRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  readWebhooks(): Promise<WebhookFigures[]> {
    return this.dataSource.query(webhooksStatement)
  }

  /** Returns the number of due deliveries of active webhooks, at most `maxCountedDue`. */
  async countDue(): Promise<number> {
    const [row]: { count: number }[] = await this.dataSource.query(dueStatement, [maxCountedDue])
    return row!.count
  }
}

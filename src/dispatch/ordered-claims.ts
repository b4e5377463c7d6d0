/** Claims the next deliveries of ordered lanes. */
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import { orderWindow } from '../deliveries/lane-head.js'
import { lockLanesStatement } from '../deliveries/lanes.repository.js'
import { runPipelined } from '../platform/database/statements.js'
import { readDueRows } from './due-request.js'
import type { DueRequests, DueRow } from './due-request.js'
import { replayShare } from './limits.js'

/**
 * Reads the next deliveries of ordered lanes that this worker holds, up to the first one that is not due, in the order
 * of `laneHeadSql`. Reads the traceparents of their events if $6 is true. A delivery that gets its sequence number
 * becomes started (priority 0), so that it stays ahead of later deliveries, whichever worker sends it.
 */
const claimStatement = `
  WITH requested AS (
    SELECT * FROM unnest($2::uuid[], $3::int[]) AS requested (webhook_id, read_limit)
  ), lane AS MATERIALIZED (
    SELECT webhook_id, last_sequence, read_limit, probe_at IS NULL OR probe_at <= now() AS may_send_new
    FROM requested JOIN lanes USING (webhook_id) JOIN webhooks ON webhooks.id = webhook_id
    WHERE holder = $1 AND webhooks.ordered AND webhooks.batch IS NULL AND webhooks.status = 'active' AND webhooks.deleted_at IS NULL
      AND (paused_until IS NULL OR paused_until <= now())
  ), due AS MATERIALIZED (
    SELECT lane.webhook_id, found.id, found.event_id, found.attempt_count, found.schedule_start, found.priority, found.place,
      found.sequence IS NULL AS is_new,
      COALESCE(found.sequence, last_sequence + count(*) FILTER (WHERE found.sequence IS NULL) OVER in_order) AS sequence
    FROM lane CROSS JOIN LATERAL (
      SELECT *, row_number() OVER in_place AS place, bool_and(next_attempt_at <= now()) OVER in_place AS may_be_sent
      FROM (
        -- Started deliveries (priority 0)
        (SELECT id, event_id, sequence, attempt_count, schedule_start, priority, next_attempt_at FROM deliveries
         WHERE webhook_id = lane.webhook_id AND status = 'pending' AND priority = 0
         ORDER BY sequence LIMIT lane.read_limit)
        UNION ALL
        -- First attempts (priority 1)
        (SELECT * FROM (
           SELECT id, event_id, sequence, attempt_count, schedule_start, priority, next_attempt_at FROM deliveries
           WHERE webhook_id = lane.webhook_id AND status = 'pending' AND priority = 1 AND lane.may_send_new
           ORDER BY next_attempt_at, id LIMIT lane.read_limit + $4::int
         ) AS oldest ORDER BY sequence, id LIMIT lane.read_limit)
        UNION ALL
        -- Replays (priority 2)
        (SELECT id, event_id, sequence, attempt_count, schedule_start, priority, next_attempt_at FROM deliveries
         WHERE webhook_id = lane.webhook_id AND status = 'pending' AND priority = 2 AND lane.may_send_new
         ORDER BY next_attempt_at, id LIMIT GREATEST(lane.read_limit / $5::int, 1))
      ) AS candidate
      WINDOW in_place AS (
        ORDER BY priority, CASE WHEN priority < 2 THEN sequence END, CASE WHEN priority = 2 THEN next_attempt_at END, id
        ROWS UNBOUNDED PRECEDING
      )
      ORDER BY place LIMIT lane.read_limit
    ) AS found
    WHERE may_be_sent
    WINDOW in_order AS (PARTITION BY webhook_id ORDER BY place ROWS UNBOUNDED PRECEDING)
  ), numbered AS (
    UPDATE deliveries SET sequence = due.sequence, priority = 0 FROM due
    WHERE due.is_new AND deliveries.webhook_id = due.webhook_id AND deliveries.id = due.id
  ), newest AS (
    SELECT webhook_id, max(sequence) AS sequence FROM due GROUP BY webhook_id
  ), lane_numbered AS (
    UPDATE lanes SET last_sequence = GREATEST(lanes.last_sequence, newest.sequence)
    FROM newest WHERE lanes.webhook_id = newest.webhook_id
  )
  SELECT webhook_id, id, event_id, sequence, attempt_count, schedule_start, priority,
    (SELECT body FROM events WHERE events.id = due.event_id) AS body,
    CASE WHEN $6::boolean THEN (SELECT traceparent FROM events WHERE events.id = due.event_id) END AS traceparent
  FROM due
  ORDER BY webhook_id, place`

@Injectable()
export class OrderedClaims {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** The caller must hold the leases of the lanes. */
  async claimDeliveries(
    holder: string,
    lanes: readonly { webhookId: string; readLimit: number }[],
    hasTraceparents = false,
  ): Promise<DueRequests> {
    const webhookIds = lanes.map(({ webhookId }) => webhookId)
    const limits = lanes.map(({ readLimit }) => readLimit)
    const [, result] = await runPipelined(
      this.dataSource,
      { text: lockLanesStatement, values: [webhookIds] },
      {
        name: 'claim in order',
        text: claimStatement,
        values: [holder, webhookIds, limits, orderWindow, replayShare, hasTraceparents],
      },
    )
    return readDueRows(result!.rows as DueRow[])
  }
}

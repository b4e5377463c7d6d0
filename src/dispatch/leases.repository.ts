/** Claims, releases and hands over lanes. One live worker holds a lane, so deliveries need no in-flight status. */
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import { runPipelined } from '../platform/database/statements.js'
import { lockLanesStatement } from '../deliveries/lanes.repository.js'
import type { Webhook } from '../webhooks/webhook.entity.js'
import { readDueRows } from './due-request.js'
import type { DueRequests, DueRow } from './due-request.js'
import { replayShare } from './limits.js'

export interface ClaimRequest {
  webhookId: string
  /** Maximum number of retries and first attempts to read. Replays are added, up to a share of this number. */
  limit: number
  /** IDs of deliveries to exclude, because the lane has claimed them already. */
  claimedIds: readonly string[]
}

type SealedField = 'sealedSecret' | 'sealedOldSecret' | 'oldSecretEndsAt' | 'sealedHeaders'
type SentField = 'url' | 'format' | 'maxInFlight' | 'batch' | 'updatedAt' | SealedField

/** The fields of a lane's webhook that the sender needs, and the state of its circuit. */
export interface ClaimedLane extends Pick<Webhook, SentField> {
  webhookId: string
  /** Whether the lane sends one delivery at a time. `OrderedClaims` reads the deliveries of such a lane. */
  isOrdered: boolean
  failuresInARow: number
  /** Whether the last attempt to the current URL succeeded. */
  isProven: boolean
  /** Maximum number of deliveries that the claim could read, without replays. At most 1 while the circuit is open. */
  readLimit: number
}

/** Maps by webhook ID. Lanes that could not be claimed are missing from `lanes`. */
export interface ClaimResult extends DueRequests {
  lanes: Map<string, ClaimedLane>
}

interface DueWebhook {
  webhookId: string
  inMs: number
}

interface ClaimedRow extends Omit<DueRow, 'id'> {
  url: string | null
  format: Webhook['format']
  max_in_flight: number
  batch: Webhook['batch']
  ordered: boolean
  updated_at: Date
  sealed_secret: Buffer
  sealed_old_secret: Buffer | null
  old_secret_ends_at: Date | null
  sealed_headers: Buffer | null
  failures_in_a_row: number
  is_proven: boolean
  read_limit: number
  id: string | null
}

/**
 * Claims free lanes and reads their due deliveries, with the traceparents of their events if $6 is true. The caller
 * must hold the locks of the lanes. While a circuit is open, retries keep their schedule, one at a time, and other
 * deliveries wait for the next probe. Only the first row of a lane has its URL and secrets. Lanes of ordered webhooks,
 * and lanes with batches, are claimed without deliveries.
 *
 * PostgreSQL may keep using a cached plan for small tables after they have grown. Updating lanes by `ctid`, which cannot
 * change under the lock, and reading bodies by a subquery take one lookup per row under any plan.
 */
const claimStatement = `
  WITH requested AS (
    SELECT * FROM unnest($2::uuid[], $3::int[]) AS requested (webhook_id, read_limit)
  ), locked AS MATERIALIZED (
    SELECT lanes.*, lanes.ctid AS address, read_limit,
      holder IS NULL OR holder = $1
        OR NOT EXISTS (SELECT FROM workers WHERE workers.id = holder AND workers.alive_until > now()) AS is_free
    FROM requested JOIN lanes USING (webhook_id)
  ), claimable AS MATERIALIZED (
    SELECT webhook_id, last_sequence, failures_in_a_row, url, format, max_in_flight, batch, ordered, updated_at, sealed_secret,
      sealed_old_secret, old_secret_ends_at, sealed_headers, NOT ordered AND batch IS NULL AS has_deliveries,
      failures_in_a_row = 0 AND last_success_at IS NOT NULL
        AND last_success_at > COALESCE(resumed_at, '-infinity') AS is_proven,
      probe_at IS NULL OR probe_at <= now() AS may_send_new,
      CASE WHEN probe_at IS NULL THEN read_limit ELSE LEAST(read_limit, 1) END AS read_limit
    FROM locked JOIN webhooks ON webhooks.id = webhook_id
    WHERE is_free AND webhooks.status = 'active' AND webhooks.deleted_at IS NULL
      AND (paused_until IS NULL OR paused_until <= now()) AND NOT EXISTS (SELECT FROM delivery_pause)
  ), due AS MATERIALIZED (
    SELECT claimable.*, found.id, found.event_id, found.attempt_count, found.schedule_start, found.priority, found.next_attempt_at,
      found.id IS NOT NULL AND found.sequence IS NULL AS is_new,
      COALESCE(found.sequence, last_sequence + count(*) FILTER (WHERE found.sequence IS NULL) OVER in_order) AS sequence,
      row_number() OVER in_order = 1 AS is_first
    FROM claimable LEFT JOIN LATERAL (
      SELECT * FROM (
        SELECT * FROM (
          -- Retries (priority 0)
          (SELECT id, event_id, sequence, attempt_count, schedule_start, priority, next_attempt_at FROM deliveries
           WHERE webhook_id = claimable.webhook_id AND status = 'pending' AND priority = 0 AND next_attempt_at <= now()
             AND id NOT IN (SELECT unnest($4::uuid[])) AND claimable.has_deliveries
           ORDER BY next_attempt_at, id LIMIT claimable.read_limit)
          UNION ALL
          -- First attempts (priority 1)
          (SELECT id, event_id, sequence, attempt_count, schedule_start, priority, next_attempt_at FROM deliveries
           WHERE webhook_id = claimable.webhook_id AND status = 'pending' AND priority = 1 AND next_attempt_at <= now()
             AND id NOT IN (SELECT unnest($4::uuid[])) AND claimable.may_send_new AND claimable.has_deliveries
           ORDER BY next_attempt_at, id LIMIT claimable.read_limit)
        ) AS live
        ORDER BY priority, next_attempt_at, id LIMIT claimable.read_limit
      ) AS live_first
      UNION ALL
      -- Replays (priority 2)
      (SELECT id, event_id, sequence, attempt_count, schedule_start, priority, next_attempt_at FROM deliveries
       WHERE webhook_id = claimable.webhook_id AND status = 'pending' AND priority = 2 AND next_attempt_at <= now()
         AND id NOT IN (SELECT unnest($4::uuid[])) AND claimable.may_send_new AND claimable.has_deliveries
       ORDER BY next_attempt_at, id LIMIT GREATEST(claimable.read_limit / $5::int, LEAST(claimable.read_limit, 1)))
    ) AS found ON true
    WINDOW in_order AS (PARTITION BY webhook_id ORDER BY priority, next_attempt_at, id ROWS UNBOUNDED PRECEDING)
  ), numbered AS (
    UPDATE deliveries SET sequence = due.sequence FROM due
    WHERE due.is_new AND deliveries.webhook_id = due.webhook_id AND deliveries.id = due.id
  ), newest AS (
    SELECT webhook_id, max(sequence) AS sequence FROM due WHERE id IS NOT NULL GROUP BY webhook_id
  ), leased AS (
    UPDATE lanes SET
      holder = CASE WHEN claimable.webhook_id IS NULL THEN lanes.holder ELSE $1::uuid END,
      woken = NOT locked.is_free,
      last_sequence = GREATEST(lanes.last_sequence, newest.sequence)
    FROM locked LEFT JOIN claimable USING (webhook_id) LEFT JOIN newest USING (webhook_id)
    WHERE lanes.ctid = locked.address AND (claimable.webhook_id IS NOT NULL OR NOT locked.is_free)
  )
  SELECT due.webhook_id, due.max_in_flight, due.batch, due.ordered, due.updated_at, due.failures_in_a_row, due.is_proven, due.read_limit, due.id, due.event_id,
    due.sequence, due.attempt_count, due.schedule_start, due.priority,
    (SELECT body FROM events WHERE events.id = due.event_id) AS body,
    CASE WHEN $6::boolean THEN (SELECT traceparent FROM events WHERE events.id = due.event_id) END AS traceparent,
    CASE WHEN is_first THEN url END AS url,
    CASE WHEN is_first THEN format END AS format,
    CASE WHEN is_first THEN sealed_secret END AS sealed_secret,
    CASE WHEN is_first THEN sealed_old_secret END AS sealed_old_secret,
    CASE WHEN is_first THEN old_secret_ends_at END AS old_secret_ends_at,
    CASE WHEN is_first THEN sealed_headers END AS sealed_headers
  FROM due
  ORDER BY due.webhook_id, due.priority, due.next_attempt_at, due.id`

/**
 * Hands each lane with a successor to that worker, unless the worker is stopping or dead. A woken lane without such a
 * successor stays with its holder, which checks it again. All other lanes become free.
 */
const releaseStatement = `
  WITH requested AS (
    SELECT * FROM unnest($2::uuid[], $3::uuid[]) AS requested (webhook_id, successor)
  ), lane AS MATERIALIZED (
    SELECT webhook_id, (SELECT id FROM workers WHERE id = successor AND alive_until > now() AND NOT leaving) AS successor
    FROM requested JOIN lanes USING (webhook_id) WHERE holder = $1 ORDER BY webhook_id FOR UPDATE OF lanes
  ), released AS (
    UPDATE lanes SET
      holder = CASE WHEN lane.successor IS NOT NULL THEN lane.successor WHEN woken THEN holder END,
      woken = lane.successor IS NOT NULL
    FROM lane WHERE lanes.webhook_id = lane.webhook_id
    RETURNING lanes.webhook_id, holder
  ), announced AS (
    SELECT pg_notify('link_service_changes', 'worker:' || successor) FROM (SELECT DISTINCT successor FROM lane WHERE successor IS NOT NULL) AS successors
  )
  SELECT webhook_id, holder, (SELECT count(*) FROM announced) FROM released`

/**
 * Selects the webhooks that are due within $2 milliseconds, the longest overdue first. With a worker $1, skips lanes
 * that other live workers hold, and all lanes while deliveries are paused. Takes a few index lookups per webhook that
 * has pending deliveries, however many there are.
 */
const dueStatement = `
  WITH RECURSIVE waiting AS (
    (SELECT webhook_id FROM deliveries WHERE status = 'pending' ORDER BY webhook_id LIMIT 1)
    UNION ALL
    SELECT (SELECT deliveries.webhook_id FROM deliveries
            WHERE status = 'pending' AND deliveries.webhook_id > waiting.webhook_id ORDER BY deliveries.webhook_id LIMIT 1)
    FROM waiting WHERE waiting.webhook_id IS NOT NULL
  ), due AS (
    SELECT webhook_id, GREATEST(paused_until, CASE
      WHEN ordered AND retry_at IS NOT NULL THEN retry_at
      -- Retries (priority 0) are sent on schedule. First attempts (1) and replays (2) wait for the next probe.
      ELSE LEAST(retry_at, GREATEST(probe_at, batch_wait + COALESCE(LEAST(
        (SELECT min(next_attempt_at) FROM deliveries
         WHERE deliveries.webhook_id = waiting.webhook_id AND status = 'pending' AND priority = 1),
        (SELECT min(next_attempt_at) FROM deliveries
         WHERE deliveries.webhook_id = waiting.webhook_id AND status = 'pending' AND priority = 2)
      ), 'infinity')))
    END) AS at
    FROM waiting JOIN lanes USING (webhook_id) JOIN webhooks ON webhooks.id = webhook_id CROSS JOIN LATERAL (
      SELECT COALESCE((batch ->> 'withinSeconds')::int, 0) * interval '1 s' AS batch_wait
    ) AS batches CROSS JOIN LATERAL (
      -- In an ordered lane, the first started delivery blocks all others.
      SELECT CASE WHEN ordered THEN (
        SELECT next_attempt_at FROM deliveries
        WHERE deliveries.webhook_id = waiting.webhook_id AND status = 'pending' AND priority = 0 ORDER BY sequence LIMIT 1
      ) ELSE (
        SELECT min(next_attempt_at) FROM deliveries
        WHERE deliveries.webhook_id = waiting.webhook_id AND status = 'pending' AND priority = 0
      ) END AS retry_at
    ) AS started
    WHERE webhooks.status = 'active' AND webhooks.deleted_at IS NULL
      AND ($1::uuid IS NULL OR holder IS NULL OR holder = $1
        OR NOT EXISTS (SELECT FROM workers WHERE workers.id = holder AND workers.alive_until > now()))
  )
  SELECT webhook_id AS "webhookId", (extract(epoch FROM at - now()) * 1000)::float8 AS "inMs"
  FROM due
  WHERE at <= now() + $2 * interval '1 ms' AND ($1 IS NULL OR NOT EXISTS (SELECT FROM delivery_pause))
  ORDER BY at LIMIT $3`

@Injectable()
export class LeasesRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async claimLanes(
    holder: string,
    claims: readonly ClaimRequest[],
    hasTraceparents = false,
  ): Promise<ClaimResult> {
    const webhookIds = claims.map(({ webhookId }) => webhookId)
    const limits = claims.map(({ limit }) => limit)
    const claimedIds = claims.flatMap((claim) => claim.claimedIds)
    const [, result] = await runPipelined(
      this.dataSource,
      { text: lockLanesStatement, values: [webhookIds] },
      {
        name: 'claim',
        text: claimStatement,
        values: [holder, webhookIds, limits, claimedIds, replayShare, hasTraceparents],
      },
    )
    const rows = result!.rows as ClaimedRow[]
    const lanes = new Map<string, ClaimedLane>()
    for (const row of rows) if (row.url !== null) lanes.set(row.webhook_id, toClaimedLane(row, row.url))
    return { lanes, ...readDueRows(rows.filter((row): row is ClaimedRow & DueRow => row.id !== null)) }
  }

  /** Returns the new holder of each lane: the same worker if it must check the lane again, the successor, or null. */
  async releaseLanes(
    holder: string,
    lanes: readonly { webhookId: string; successor: string | null }[],
  ): Promise<Map<string, string | null>> {
    const rows: { webhook_id: string; holder: string | null }[] = await this.dataSource.query(
      releaseStatement,
      [holder, lanes.map(({ webhookId }) => webhookId), lanes.map(({ successor }) => successor)],
    )
    return new Map(rows.map((row) => [row.webhook_id, row.holder]))
  }

  /** Releases the lanes of deleted webhooks, even with requests in flight. No further requests are sent. */
  async releaseDeletedLanes(holder: string, webhookIds: readonly string[]): Promise<void> {
    await this.dataSource.query(
      `UPDATE lanes SET holder = NULL
       WHERE holder = $1 AND webhook_id = ANY ($2)
         AND EXISTS (SELECT FROM webhooks WHERE id = webhook_id AND deleted_at IS NOT NULL)`,
      [holder, webhookIds],
    )
  }

  /** Returns the webhook with the longest overdue delivery, whichever worker holds the lane, and even during a pause. */
  async findLongestDue(): Promise<{ webhookId: string; lateSeconds: number } | null> {
    const [row]: DueWebhook[] = await this.dataSource.query(dueStatement, [null, 0, 1])
    return row ? { webhookId: row.webhookId, lateSeconds: -row.inMs / 1000 } : null
  }

  /** Returns webhooks that are due within this time and whose lanes no other worker holds. */
  async findDueWebhooks(holder: string, withinMs: number): Promise<DueWebhook[]> {
    const rows: DueWebhook[] = await this.dataSource.query(dueStatement, [holder, withinMs, null])
    return rows.map(({ webhookId, inMs }) => ({ webhookId, inMs: Math.max(0, inMs) }))
  }
}

function toClaimedLane(row: ClaimedRow, url: string): ClaimedLane {
  return {
    webhookId: row.webhook_id,
    url,
    format: row.format,
    maxInFlight: row.max_in_flight,
    batch: row.batch,
    isOrdered: row.ordered,
    updatedAt: row.updated_at,
    sealedSecret: row.sealed_secret,
    sealedOldSecret: row.sealed_old_secret,
    oldSecretEndsAt: row.old_secret_ends_at,
    sealedHeaders: row.sealed_headers,
    failuresInARow: row.failures_in_a_row,
    isProven: row.is_proven,
    readLimit: row.read_limit,
  }
}

/**
 * Writes the results of attempts in batches across lanes, so that many webhooks with one delivery each do not need one
 * statement each. A delivery stays claimed by its lane until its result is written.
 */
import { Injectable, Logger } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import type { QueryConfig } from 'pg'
import { DataSource } from 'typeorm'

import { runPipelined } from '../platform/database/statements.js'
import { createAttempt } from '../deliveries/attempt.entity.js'
import type { Attempt } from '../deliveries/attempt.entity.js'
import { Batcher } from '../platform/util/batcher.js'
import { probeInterval } from './backoff.js'
import { createDeferQuery } from './deferrals.js'
import type { Deferral } from './deferrals.js'
import { Heartbeat } from './heartbeat.js'
import { groupByLane } from './attempt-results.js'
import type { AttemptResult, LaneChange } from './attempt-results.js'
import * as limits from './limits.js'
import { endReasons } from '../deliveries/delivery-status.js'
import { lockLanes, lockLanesStatement } from '../deliveries/lanes.repository.js'
import { LedgerRepository } from '../deliveries/ledger.repository.js'

interface WaitingResult {
  result: AttemptResult
  done: () => void
}

type Row = AttemptResult & { attempt: Attempt }

/** The values of a result, in the order of $2 to $23. Each timing has its own, because unnest() flattens arrays. */
const resultValues: ((row: Row) => unknown)[] = [
  ({ webhookId }) => webhookId,
  ({ attempt }) => attempt.deliveryId,
  ({ attempt }) => attempt.number,
  ({ status }) => status,
  ({ retryInMs }) => retryInMs,
  ({ attempt }) => attempt.id,
  ({ attempt }) => attempt.startedAt,
  ({ attempt }) => attempt.durationMs,
  ({ attempt }) => attempt.statusCode,
  ({ attempt }) => attempt.errorClass,
  ({ attempt }) => attempt.errorMessage,
  ({ attempt }) => attempt.errorPhase,
  ({ attempt }) => attempt.remoteAddress,
  ({ attempt }) => attempt.requestHeaders,
  ({ attempt }) => attempt.responseHeaders,
  ({ attempt }) => attempt.responseBody,
  ({ attempt }) => attempt.responseTruncated,
  ({ attempt }) => attempt.timings[0],
  ({ attempt }) => attempt.timings[1],
  ({ attempt }) => attempt.timings[2],
  ({ attempt }) => attempt.timings[3],
  ({ attempt }) => attempt.timings[4],
]

/** The values of a lane change, in the order of $24 to $31. */
const changeValues: ((change: LaneChange) => unknown)[] = [
  ({ webhookId }) => webhookId,
  ({ url }) => url,
  ({ successes }) => successes,
  ({ failures }) => failures,
  ({ failuresInARow }) => failuresInARow,
  ({ failuresInARow }) => probeInterval(failuresInARow),
  ({ pauseMs }) => pauseMs,
  ({ lastError }) => lastError && JSON.stringify(lastError),
]

/**
 * Writes results only for lanes that this worker still holds: late results of a worker whose lease expired must not
 * replace those of its successor. The attempt number prevents writing a result twice. An attempt to a previous URL of
 * the webhook is counted, but does not change the state of the lane.
 *
 * CASE keeps the planner from using the index of pending deliveries, which it prefers while the tables are small,
 * although that index is slow at finding a single delivery.
 */
const writeStatement = `
  WITH result AS MATERIALIZED (
    SELECT result.* FROM unnest(
      $2::uuid[], $3::uuid[], $4::int[], $5::text[], $6::float8[], $7::uuid[], $8::timestamptz[], $9::int[],
      $10::smallint[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::text[], $17::text[],
      $18::boolean[], $19::real[], $20::real[], $21::real[], $22::real[], $23::real[]
    ) AS result (webhook_id, delivery_id, number, status, retry_in, id, started_at, duration_ms, status_code, error_class,
      error_message, error_phase, remote_address, request_headers, response_headers, response_body, response_truncated,
      dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms)
      JOIN lanes USING (webhook_id)
    WHERE holder = $1
  ), change AS MATERIALIZED (
    SELECT * FROM unnest(
      $24::uuid[], $25::text[], $26::int[], $27::int[], $28::int[], $29::float8[], $30::float8[], $31::jsonb[]
    ) AS change (webhook_id, url, successes, failures, failures_in_a_row, probe_in, pause, last_error)
  ), written AS (
    UPDATE deliveries SET
      status = result.status,
      attempt_count = result.number,
      priority = 0, -- a retry
      next_attempt_at = now() + result.retry_in * interval '1 ms',
      completed_at = CASE WHEN result.status <> 'pending' THEN now() END,
      last_error_class = result.error_class
    FROM result
    WHERE deliveries.webhook_id = result.webhook_id AND deliveries.id = result.delivery_id
      AND CASE deliveries.status WHEN 'pending' THEN deliveries.attempt_count = result.number - 1 END
    RETURNING result.*
  ), inserted_attempt AS (
    INSERT INTO attempts (delivery_id, number, id, started_at, duration_ms, status_code, error_class, error_message,
      error_phase, remote_address, request_headers, response_headers, response_body, response_truncated, timings)
    SELECT delivery_id, number, id, started_at, duration_ms, status_code, error_class, error_message,
      error_phase, remote_address, request_headers, response_headers, response_body, response_truncated,
      ARRAY[dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms]
    FROM written
  ), learned AS (
    SELECT * FROM change WHERE url = (SELECT url FROM webhooks WHERE id = change.webhook_id)
  ), counted AS (
    SELECT webhook_id, count(*) AS attempts, count(*) FILTER (WHERE status = 'succeeded') AS succeeded,
      count(*) FILTER (WHERE status = 'failed') AS failed
    FROM written GROUP BY webhook_id
  ), hours AS (
    INSERT INTO lane_hours (webhook_id, hour, attempts, successes)
    SELECT webhook_id, date_trunc('hour', now(), 'UTC'), attempts, succeeded FROM counted ORDER BY webhook_id
    ON CONFLICT (webhook_id, hour) DO UPDATE SET
      attempts = lane_hours.attempts + excluded.attempts, successes = lane_hours.successes + excluded.successes
  )
  UPDATE lanes SET
    succeeded = lanes.succeeded + counted.succeeded,
    failed = lanes.failed + counted.failed,
    attempts = lanes.attempts + counted.attempts,
    failures_in_a_row = COALESCE(learned.failures_in_a_row, lanes.failures_in_a_row),
    probe_at = CASE WHEN learned.url IS NULL THEN lanes.probe_at ELSE now() + learned.probe_in * interval '1 ms' END,
    paused_until = GREATEST(lanes.paused_until, now() + learned.pause * interval '1 ms'),
    last_success_at = CASE WHEN learned.successes > 0 THEN now() ELSE lanes.last_success_at END,
    last_failure_at = CASE WHEN learned.failures > 0 THEN now() ELSE lanes.last_failure_at END,
    failing_since = CASE WHEN learned.failures > 0 AND (learned.successes > 0 OR lanes.failing_since IS NULL) THEN now()
      WHEN learned.successes > 0 THEN NULL ELSE lanes.failing_since END,
    failures_since = COALESCE(learned.failures, 0) + CASE WHEN learned.successes > 0 THEN 0 ELSE lanes.failures_since END,
    warned_at = CASE WHEN learned.successes > 0 THEN NULL ELSE lanes.warned_at END,
    recovered_at = CASE WHEN learned.successes > 0 AND lanes.reported_at IS NOT NULL
      THEN COALESCE(lanes.recovered_at, now()) ELSE lanes.recovered_at END,
    last_error = COALESCE(learned.last_error, lanes.last_error)
  FROM counted LEFT JOIN learned USING (webhook_id)
  WHERE lanes.webhook_id = counted.webhook_id`

@Injectable()
export class ResultsWriter {
  private readonly logger = new Logger(ResultsWriter.name)
  /** Retries until the results are written, however long the database is down. */
  private readonly batcher = new Batcher<WaitingResult>(
    {
      ...limits.results,
      getItemSize: ({ result }) => result.deliveries.length,
      gatherMs: ({ result }) =>
        result.outcome.error === null ? limits.successGathersMs : limits.failureGathersMs,
    },
    (batch) => this.writeBatch(batch),
    (error) => this.logger.warn(`Cannot write results of deliveries, retrying: ${error.message}`),
  )

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly ledger: LedgerRepository,
    private readonly heartbeat: Heartbeat,
  ) {}

  /** Resolves when the result is written. Results are written in the order of the calls. */
  addResult(result: AttemptResult): Promise<void> {
    return new Promise((done) => this.batcher.addItem({ result, done }))
  }

  /**
   * Cancels deliveries whose events have been deleted. A replay of old events can create such deliveries. Wakes their
   * lanes, because later deliveries may be waiting.
   */
  async cancelExpired(expired: ReadonlyMap<string, readonly string[]>): Promise<void> {
    const webhookIds = [...expired.keys()]
    await this.dataSource.transaction(async (tx) => {
      await lockLanes(tx, webhookIds)
      for (const [webhookId, ids] of expired)
        await this.ledger.cancelDeliveries(tx, webhookId, ids, endReasons.retention)
      await tx.query('UPDATE lanes SET woken = true WHERE webhook_id = ANY ($1) AND holder IS NOT NULL', [
        webhookIds,
      ])
    })
  }

  private async writeBatch(batch: readonly WaitingResult[]): Promise<void> {
    await this.writeResults(batch.map(({ result }) => result))
    for (const { done } of batch) done()
  }

  private async writeResults(results: readonly AttemptResult[]): Promise<void> {
    const rows = results.flatMap((result) =>
      result.deliveries.map(({ id, attemptCount }) => ({
        ...result,
        attempt: createAttempt(id, attemptCount + 1, result),
      })),
    )
    const lock = {
      text: lockLanesStatement,
      values: [[...new Set(results.map(({ webhookId }) => webhookId))]],
    }
    const charged = results.filter(({ isCharged }) => isCharged)
    const deferred = rows.filter(({ isCharged }) => !isCharged)
    await runPipelined(
      this.dataSource,
      lock,
      ...(charged.length > 0
        ? [
            this.createWriteQuery(
              charged,
              rows.filter(({ isCharged }) => isCharged),
            ),
          ]
        : []),
      ...(deferred.length > 0 ? [createDeferQuery(this.heartbeat.worker, deferred.map(toDeferral))] : []),
    )
  }

  private createWriteQuery(results: readonly AttemptResult[], rows: readonly Row[]): QueryConfig {
    const changes = groupByLane(results)
    return {
      name: 'write results',
      text: writeStatement,
      values: [
        this.heartbeat.worker,
        ...resultValues.map((value) => rows.map(value)),
        ...changeValues.map((value) => changes.map(value)),
      ],
    }
  }
}

function toDeferral(row: Row): Deferral {
  const { webhookId, attempt } = row
  return { webhookId, attempt, retryInMs: row.retryInMs ?? 0 }
}

/**
 * Writes attempts that failed in the egress proxy. They are not charged to the receiver: they do not use up retries,
 * and change neither the state nor the statistics of the lane.
 */
import type { QueryConfig } from 'pg'

import type { Attempt } from '../deliveries/attempt.entity.js'
import { proxyErrorClass } from '../platform/outbound/outcome.js'

export interface Deferral {
  webhookId: string
  retryInMs: number
  attempt: Attempt
}

/**
 * An attempt replaces the previous one if that failed in the proxy too, so that a long outage adds one attempt to a
 * delivery. The priority is kept, because the delivery never reached its receiver.
 */
const deferStatement = `
  WITH result AS MATERIALIZED (
    SELECT result.*, deliveries.last_error_class IS NOT DISTINCT FROM $3 AS is_repeated
    FROM unnest(
      $2::uuid[], $4::uuid[], $5::int[], $6::float8[], $7::uuid[], $8::timestamptz[], $9::int[], $10::text[],
      $11::text[], $12::text[], $13::real[], $14::real[]
    ) AS result (webhook_id, delivery_id, number, retry_in, id, started_at, duration_ms, error_message,
      error_phase, request_headers, connect_ms, total_ms)
      JOIN lanes USING (webhook_id)
      JOIN deliveries ON deliveries.webhook_id = result.webhook_id AND deliveries.id = result.delivery_id
    WHERE holder = $1 AND CASE deliveries.status WHEN 'pending' THEN deliveries.attempt_count = number - 1 END
  ), written AS (
    UPDATE deliveries SET
      attempt_count = attempt_count + CASE WHEN is_repeated THEN 0 ELSE 1 END,
      schedule_start = schedule_start + CASE WHEN is_repeated THEN 0 ELSE 1 END,
      next_attempt_at = now() + retry_in * interval '1 ms',
      last_error_class = $3
    FROM result
    WHERE deliveries.webhook_id = result.webhook_id AND deliveries.id = result.delivery_id
  )
  INSERT INTO attempts (delivery_id, number, id, started_at, duration_ms, error_class, error_message, error_phase,
    request_headers, response_truncated, timings)
  SELECT delivery_id, number - CASE WHEN is_repeated THEN 1 ELSE 0 END, id, started_at, duration_ms, $3, error_message,
    error_phase, request_headers, false, ARRAY['NaN', connect_ms, 'NaN', 'NaN', total_ms]::real[]
  FROM result
  ON CONFLICT (delivery_id, number) DO UPDATE SET
    started_at = excluded.started_at, duration_ms = excluded.duration_ms, error_message = excluded.error_message,
    error_phase = excluded.error_phase, request_headers = excluded.request_headers, timings = excluded.timings`

const values: ((deferral: Deferral) => unknown)[] = [
  ({ attempt }) => attempt.deliveryId,
  ({ attempt }) => attempt.number,
  ({ retryInMs }) => retryInMs,
  ({ attempt }) => attempt.id,
  ({ attempt }) => attempt.startedAt,
  ({ attempt }) => attempt.durationMs,
  ({ attempt }) => attempt.errorMessage,
  ({ attempt }) => attempt.errorPhase,
  ({ attempt }) => attempt.requestHeaders,
  ({ attempt }) => attempt.timings[1],
  ({ attempt }) => attempt.timings[4],
]

/** The caller must hold the locks of the lanes. Writes only for lanes that this worker still holds. */
export function createDeferQuery(worker: string, deferrals: readonly Deferral[]): QueryConfig {
  return {
    name: 'defer deliveries',
    text: deferStatement,
    values: [
      worker,
      deferrals.map(({ webhookId }) => webhookId),
      proxyErrorClass,
      ...values.map((value) => deferrals.map(value)),
    ],
  }
}

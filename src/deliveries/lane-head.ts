/**
 * The head of an ordered lane: the delivery that is sent next, and that all other pending deliveries wait for. Started
 * deliveries come first, by their sequence numbers. Then come first attempts in the order of their IDs, and replays.
 */
import { getIdTime } from '../platform/database/ids.js'

export interface LaneHead {
  id: string
  priority: number
  /** Null if it is sent alone, or waits for its batch to be filled. */
  batchId: string | null
  attemptCount: number
  /** Due time in milliseconds. A pause of the receiver or an open circuit may delay the attempt further. */
  nextAttemptMs: number
  /** Start of the first attempt of the current schedule. Null if there was none. */
  firstAttemptMs: number | null
}

/**
 * Number of first attempts, by due time, that are sorted by ID. IDs follow the order of changes of the same link, but
 * no index has them in this order. Due times are those of the transactions, which may have waited for each other.
 */
export const orderWindow = 500

/** Selects the `LaneHead` of a webhook as JSON. The arguments are SQL expressions. Null for unordered webhooks. */
export function laneHeadSql(webhookId: string, isOrdered: string): string {
  const pending = `SELECT id, priority, batch_id, sequence, attempt_count, schedule_start, next_attempt_at FROM deliveries
    WHERE webhook_id = ${webhookId} AND status = 'pending'`
  return `(
    SELECT json_build_object(
      'id', id, 'priority', priority, 'batchId', batch_id, 'attemptCount', attempt_count,
      'nextAttemptMs', extract(epoch FROM next_attempt_at) * 1000,
      'firstAttemptMs', (SELECT extract(epoch FROM started_at) * 1000 FROM attempts
        WHERE attempts.delivery_id = waiting.id AND attempts.number = waiting.schedule_start + 1)
    ) FROM (
      (${pending} AND priority = 0 ORDER BY sequence LIMIT 1)
      UNION ALL
      (SELECT * FROM (${pending} AND priority = 1 ORDER BY next_attempt_at, id LIMIT ${orderWindow}) AS oldest
       ORDER BY sequence, id LIMIT 1)
      UNION ALL
      (${pending} AND priority = 2 ORDER BY next_attempt_at, id LIMIT 1)
    ) AS waiting
    WHERE ${isOrdered}
    ORDER BY priority LIMIT 1)`
}

/** Returns the time since which the lane waits for its head. */
export function waitingSince({ id, firstAttemptMs }: LaneHead): Date {
  return firstAttemptMs === null ? getIdTime(id) : new Date(firstAttemptMs)
}

/** Figures of a lane that both the record of a webhook and its statistics show. */
import type { Circuit } from '../webhooks/webhook-lanes.js'
import { getAttemptAt, getDeliveryStatus, getHeadAttemptAt } from './delivery-status.js'
import type { LaneWaits, WebhookState } from './delivery-status.js'
import { priorities } from './delivery.entity.js'
import { laneHeadSql, waitingSince } from './lane-head.js'

/** Hours of the success rate, including the current hour. */
export const hoursShown = 24

/** The waits of a lane, and when its first deliveries are due. */
export interface LaneSchedule extends LaneWaits {
  /** Earliest due times of pending retries, and of all other pending deliveries. */
  retryAt: Date | null
  firstAt: Date | null
  now: Date
}

/**
 * Selects the `LaneSchedule` of a row of `lanes` joined with `webhooks`. Each earliest time is the first entry of the
 * index deliveries_due.
 */
export const scheduleSql = `
  lanes.paused_until AS "pausedUntil", lanes.probe_at AS "probeAt", now() AS now,
  ${laneHeadSql('lanes.webhook_id', 'webhooks.ordered')} AS head,
  (webhooks.batch ->> 'withinSeconds')::int AS "batchSeconds",
  ${earliestSql(priorities.retry)} AS "retryAt",
  LEAST(${earliestSql(priorities.first)}, ${earliestSql(priorities.replay)}) AS "firstAt"`

function earliestSql(priority: number): string {
  return `(SELECT min(next_attempt_at) FROM deliveries
    WHERE deliveries.webhook_id = lanes.webhook_id AND status = 'pending' AND priority = ${priority})`
}

export function getCircuit({ pausedUntil, probeAt, now }: LaneSchedule): Circuit {
  if ((pausedUntil && pausedUntil > now) || (probeAt && probeAt > now)) return 'open'
  return probeAt ? 'half_open' : 'closed'
}

/** Returns the earliest time of the next attempt of a lane. Null if no delivery is pending. */
export function getNextLaneAttemptAt(schedule: LaneSchedule, webhook: WebhookState): Date | null {
  if (getDeliveryStatus('pending', webhook) !== 'pending') return null
  if (schedule.head) return getHeadAttemptAt(schedule.head, schedule)
  const getDueAttemptAt = (priority: number, due: Date | null) =>
    due && getAttemptAt(priority, due.getTime(), schedule)
  const retry = getDueAttemptAt(priorities.retry, schedule.retryAt)
  const first = getDueAttemptAt(priorities.first, schedule.firstAt)
  return retry && first ? (retry < first ? retry : first) : (retry ?? first)
}

export function successRate(attempts: number, successes: number): number | null {
  return attempts === 0 ? null : Math.round((successes / attempts) * 10_000) / 10_000
}

/** What an ordered lane waits for. */
export interface AwaitedDelivery {
  id: string
  since: Date
  nextAttemptAt: Date
}

/** Returns the head of an ordered lane if it has failed, or cannot be sent yet. */
export function getAwaitedDelivery(schedule: LaneSchedule, webhook: WebhookState): AwaitedDelivery | null {
  const { head, now } = schedule
  if (!head || getDeliveryStatus('pending', webhook) !== 'pending') return null
  const nextAttemptAt = getHeadAttemptAt(head, schedule)
  if (head.firstAttemptMs === null && nextAttemptAt <= now) return null
  return { id: head.id, since: waitingSince(head), nextAttemptAt }
}

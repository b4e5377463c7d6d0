/** Results of attempts, and their combined effect on a lane. */
import type { Sent } from '../deliveries/attempt.entity.js'
import type { StoredStatus } from '../deliveries/delivery.entity.js'
import type { OutcomeError } from '../platform/outbound/outcome.js'
import type { LastError } from '../webhooks/webhook-lanes.js'
import type { SentDelivery } from './due-request.js'

export interface AttemptResult extends Sent {
  webhookId: string
  deliveries: readonly SentDelivery[]
  /** The new status of each delivery. */
  status: StoredStatus
  /** Time until the next attempt. Null if there is none. */
  retryInMs: number | null
  /** Pause requested by the receiver with Retry-After. Null if it requested none. */
  pauseMs: number | null
  /** Consecutive failures of the lane, including this attempt. */
  failuresInARow: number
  /** Whether a batch is split, because the receiver rejected it as too large. This does not count as a failure. */
  isTooLarge: boolean
  /** False for a fault of the egress proxy, which neither uses up a retry nor changes the state of the lane. */
  isCharged: boolean
}

/** The combined effect of a batch of results on a lane, if the webhook still has this URL. */
export interface LaneChange {
  webhookId: string
  url: string
  successes: number
  /** Failures after the last success of the batch, or all failures if there was no success. */
  failures: number
  failuresInARow: number
  pauseMs: number | null
  /** The last failure of the batch. */
  lastError: LastError | null
}

/** Returns a change per webhook and URL, because results of a former URL do not change the state of the lane. */
export function groupByLane(results: readonly AttemptResult[]): LaneChange[] {
  const changes = new Map<string, LaneChange>()
  for (const result of results) {
    const { webhookId, url, outcome, failuresInARow, pauseMs } = result
    const key = `${webhookId} ${url}`
    const change = changes.get(key) ?? {
      webhookId,
      url,
      successes: 0,
      failures: 0,
      failuresInARow,
      pauseMs: null,
      lastError: null,
    }
    if (outcome.error === null) {
      change.successes += 1
      change.failures = 0
    } else {
      if (!result.isTooLarge) change.failures += 1
      change.lastError = createLastError(result, outcome.error)
    }
    change.failuresInARow = failuresInARow
    change.pauseMs = pauseMs ?? change.pauseMs
    changes.set(key, change)
  }
  return [...changes.values()]
}

function createLastError({ deliveries, outcome }: AttemptResult, error: OutcomeError): LastError {
  return {
    class: error.class,
    message: error.message,
    statusCode: outcome.statusCode,
    at: new Date(outcome.startedAt.getTime() + outcome.durationMs).toISOString(),
    deliveryId: deliveries[0]!.id,
  }
}

import type { EntityManager } from 'typeorm'

import type { EventType } from '../events/catalog.js'
import type { ErrorClass } from '../platform/outbound/outcome.js'
import type { Webhook } from './webhook.entity.js'

/** The last failed attempt of a webhook, as stored with its lane. */
export interface LastError {
  class: ErrorClass
  message: string
  statusCode: number | null
  /** End of the attempt, in RFC 3339. */
  at: string
  deliveryId: string
}

export const circuits = ['closed', 'open', 'half_open'] as const
export type Circuit = (typeof circuits)[number]

/** The figures of a lane that the webhook's record shows. */
export interface LaneFigures {
  /** Number of deliveries still to be sent. */
  pending: number
  /** Number of deliveries held until the webhook is active again. */
  held: number
  lastSuccessAt: Date | null
  failingSince: Date | null
  lastError: LastError | null
  /** Share of successful attempts. Null if there were no attempts. */
  successRate24h: number | null
  nextAttemptAt: Date | null
  circuit: Circuit
}

/** How long the deliveries to a webhook have been failing. */
export interface FailingLane {
  lastSuccessAt: Date | null
  /** The first failure after the last success. */
  failingSince: Date | null
  /** When `webhook.failing` was sent. */
  warnedAt: Date | null
  /** The first success after the webhook was reported. Null once `webhook.recovered` is recorded. */
  recoveredAt: Date | null
}

/** Minimum number of failures since the last success, and minimum time between the first and the last of them. */
export interface FailureThreshold {
  minFailures: number
  minSpreadSeconds: number
}

/** What webhooks need from their lanes. Another feature implements this. */
export abstract class WebhookLanes {
  /** Creates the lane of a new webhook. */
  abstract createLane(tx: EntityManager, webhookId: string): Promise<void>

  /** Clears the lane's failures and resumes it after the commit. For a reactivated webhook or a new URL. */
  abstract resumeLane(tx: EntityManager, webhookId: string): Promise<void>

  /** Checks the lane for due deliveries after the commit. For a webhook whose change lets other deliveries be sent. */
  abstract wakeAfterCommit(tx: EntityManager, webhookId: string): void

  /** Removes pending deliveries from their batches. For a webhook without batches, which sends them one by one. */
  abstract dissolveBatches(tx: EntityManager, webhookId: string): Promise<void>

  /** Returns whether deliveries of events of these types are kept. Tests do not count. */
  abstract hasDeliveries(tx: EntityManager, webhookId: string, types: readonly EventType[]): Promise<boolean>

  /** Locks the lane until the commit: a running claim ends before the deletion, and a later claim sees the deletion. */
  abstract lockForDeletion(tx: EntityManager, webhookId: string): Promise<void>

  /** Waits at most a second until no worker can start another request. Call this after the commit. */
  abstract waitUntilReleased(webhookId: string): Promise<void>

  /** Returns the figures of webhooks by ID. Inside a transaction, pass its `tx`. */
  abstract getLaneFigures(
    webhooks: readonly Webhook[],
    tx?: EntityManager,
  ): Promise<ReadonlyMap<string, LaneFigures>>

  /** Finds active webhooks that have failed for this long without a warning, longest first, up to a limit. */
  abstract failingUnwarned(seconds: number): Promise<string[]>

  /** Finds active webhooks that have failed for this long and reached the threshold, longest first. */
  abstract failingBeyond(seconds: number, threshold: FailureThreshold): Promise<string[]>

  /** Locks a lane. Lock the webhook first. */
  abstract lockLane(tx: EntityManager, webhookId: string): Promise<FailingLane | null>

  /** Finds active webhooks that have succeeded since they were reported, longest ago first, up to a limit. */
  abstract findRecovered(): Promise<string[]>

  /** Call this when `webhook.failing` or `webhook.disabled` is recorded. The next success is a recovery. */
  abstract markReported(tx: EntityManager, webhookId: string): Promise<void>

  /** Call this when `webhook.recovered` is recorded. */
  abstract clearReport(tx: EntityManager, webhookId: string): Promise<void>
}

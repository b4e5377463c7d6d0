import type { EntityManager } from 'typeorm'

import type { Webhook } from './webhook.entity.js'

/** How the sending to a webhook stands, as far as its record shows it. */
export interface LaneFigures {
  /** Deliveries that are still to be sent. */
  pending: number
  /** Deliveries that wait for the webhook to be active again. */
  held: number
  lastSuccessAt: Date | null
  failingSince: Date | null
}

/** How long the deliveries to a webhook have been failing. */
export interface FailingLane {
  lastSuccessAt: Date | null
  /** The first failure after the last success. */
  failingSince: Date | null
  /** When `webhook.failing` was sent. */
  warnedAt: Date | null
}

/** How many failures there must be since the last success, and over how long a time at least. */
export interface FailureThreshold {
  fewestFailures: number
  leastSpreadSeconds: number
}

/** What webhooks need of the sending, which belongs to another feature. */
export abstract class WebhookLanes {
  /** Creates the lane of a new webhook. */
  abstract open(tx: EntityManager, webhookId: string): Promise<void>

  /** The webhook is active again or has a new URL. Its lane forgets what stopped it, and continues after the commit. */
  abstract resume(tx: EntityManager, webhookId: string): Promise<void>

  /** The webhook is deleted. Its lane is locked until the commit, so that no claim under way misses the deletion. */
  abstract end(tx: EntityManager, webhookId: string): Promise<void>

  /** Call this after the commit. Resolves when no worker starts another request, or after a second at the latest. */
  abstract ended(webhookId: string): Promise<void>

  /** The figures of webhooks, by their ids. Inside a transaction, give its `tx`. */
  abstract figuresOf(
    webhooks: readonly Webhook[],
    tx?: EntityManager,
  ): Promise<ReadonlyMap<string, LaneFigures>>

  /** Active webhooks without a warning that have been failing for that long, the longest first, up to a limit. */
  abstract failingUnwarned(seconds: number): Promise<string[]>

  /** Active webhooks that have been failing for that long and reached the threshold, the longest first. */
  abstract failingBeyond(seconds: number, threshold: FailureThreshold): Promise<string[]>

  /** To be called after the webhook itself was locked. */
  abstract lock(tx: EntityManager, webhookId: string): Promise<FailingLane | null>

  abstract markWarned(tx: EntityManager, webhookId: string): Promise<void>
}

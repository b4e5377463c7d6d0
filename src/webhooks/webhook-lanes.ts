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

/** What a statement reads of a lane beside its webhook. */
export interface LaneColumns {
  waiting: number
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

/** Failures since the last success: how many, and over what time. */
export interface FailureThreshold {
  fewestFailures: number
  leastSpreadSeconds: number
}

/** What webhooks need of the sending, which is another feature's. */
export abstract class WebhookLanes {
  /** With a webhook comes its lane. */
  abstract open(tx: EntityManager, webhookId: string): Promise<void>

  /** The webhook is active again: whatever stopped its lane is forgotten, and it goes on after the commit. */
  abstract resume(tx: EntityManager, webhookId: string): Promise<void>

  /** The SQL of `LaneColumns`, for a statement that reads `webhooks webhook`: so both are one round trip. */
  abstract readonly columns: string

  abstract figuresFrom(webhook: Webhook, read: LaneColumns): LaneFigures

  /** Inside a transaction with its own manager. */
  abstract figuresOf(tx: EntityManager, webhook: Webhook): Promise<LaneFigures>

  /** Active webhooks that have been failing for that long, the longest first; some of them, if there are many. */
  abstract failingUnwarned(seconds: number): Promise<string[]>

  /** The same of those that failed so much. */
  abstract failingBeyond(seconds: number, threshold: FailureThreshold): Promise<string[]>

  /** To be called after the webhook itself was locked. */
  abstract lock(tx: EntityManager, webhookId: string): Promise<FailingLane | null>

  abstract markWarned(tx: EntityManager, webhookId: string): Promise<void>
}

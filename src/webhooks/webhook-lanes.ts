import type { EntityManager } from 'typeorm'

/** How the sending to a webhook stands, as far as its record shows it. */
export interface LaneState {
  /** Deliveries that are not completed: pending while the webhook is active, held otherwise. */
  waiting: number
  lastSuccessAt: Date | null
  failingSince: Date | null
}

/** What webhooks need of the sending, which is another feature's. */
export abstract class WebhookLanes {
  /** With a webhook comes its lane. */
  abstract open(tx: EntityManager, webhookId: string): Promise<void>

  /** The webhook is active again: whatever stopped its lane is forgotten, and it goes on after the commit. */
  abstract resume(tx: EntityManager, webhookId: string): Promise<void>

  /** In one query, however many there are; inside a transaction with its own manager. */
  abstract statesOf(webhookIds: readonly string[], db?: EntityManager): Promise<Map<string, LaneState>>
}

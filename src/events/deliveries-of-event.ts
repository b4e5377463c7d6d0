export interface DeliveryInShort {
  id: string
  webhookId: string
  status: 'pending' | 'held' | 'succeeded' | 'failed' | 'canceled'
  attemptCount: number
  nextAttemptAt: Date | null
  completedAt: Date | null
}

/** What became of an event. Deliveries are another feature's, which knows of events; events know nothing of it. */
export abstract class DeliveriesOfEvent {
  /** In the order in which they were made. */
  abstract find(eventId: string): Promise<DeliveryInShort[]>
}

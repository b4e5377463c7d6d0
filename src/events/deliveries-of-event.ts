export const deliveryStatuses = ['pending', 'held', 'succeeded', 'failed', 'canceled'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

export interface DeliveryInShort {
  id: string
  webhookId: string
  status: DeliveryStatus
  attemptCount: number
  nextAttemptAt: Date | null
  completedAt: Date | null
}

/** What became of an event. Deliveries are another feature's, which knows of events; events know nothing of it. */
export abstract class DeliveriesOfEvent {
  /** In the order in which they were made. */
  abstract find(eventId: string): Promise<DeliveryInShort[]>
}

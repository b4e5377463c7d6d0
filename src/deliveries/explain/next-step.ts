/** What to do next about a delivery, as a machine-readable action and a human-readable message. */
export const nextActions = ['redeliver', 'skip', 'test', 'resume', 'replay', 'update', 'none'] as const
export type NextAction = (typeof nextActions)[number]

export interface NextStep {
  action: NextAction
  message: string
  /** Start of the replay. Null for other actions. */
  since: Date | null
  /** The delivery to skip. Absent for other actions, which apply to the explained delivery. */
  deliveryId?: string
}

export function nextStep(action: Exclude<NextAction, 'replay' | 'skip'>, message: string): NextStep {
  return { action, message, since: null }
}

export function noAction(message: string): NextStep {
  return nextStep('none', message)
}

/** The event was never sent to the webhook, so the replay sends events instead of deliveries. */
export function replayEvents(since: Date, message: string): NextStep {
  return { action: 'replay', message, since }
}

export function skipDelivery(deliveryId: string, message: string): NextStep {
  return { action: 'skip', message, since: null, deliveryId }
}

/** What explanations are based on, and what they contain. */
import type { EventType } from '../../events/catalog.js'
import type { FilterCondition } from '../../events/webhook-filter.js'
import type { Webhook } from '../../webhooks/webhook.entity.js'
import type { Attempt } from '../attempt.entity.js'
import type { CurrentPause } from '../delivery-pause.js'
import type { LaneWaits } from '../delivery-status.js'
import type { Delivery } from '../delivery.entity.js'

export const reasons = [
  'delivered',
  'waiting',
  'waiting_in_order',
  'waiting_for_batch',
  'waiting_for_circuit',
  'waiting_for_proxy',
  'deliveries_paused',
  'paused_by_receiver',
  'held',
  'failed',
  'canceled',
  'test',
  'not_subscribed',
  'filtered',
  'created_later',
  'webhook_deleted',
] as const
export type Reason = (typeof reasons)[number]

export interface Facts extends LaneWaits {
  event: { type: EventType; at: Date }
  /** Whether the event is the example that a test sent. Such an event is never recorded. */
  isExample: boolean
  /** The condition of the webhook that the event does not meet now. */
  unmetCondition: FilterCondition | null
  webhook: ExplainedWebhook
  delivery: ExplainedDelivery | null
  lastAttempt: ExplainedAttempt | null
  /** Start of the oldest fault of the egress proxy that a live worker reports. Null if there is none. */
  proxyFailingSince: Date | null
  /** Null unless the operator paused all deliveries. */
  pause: CurrentPause | null
  /** Older events and deliveries are past EVENT_RETENTION, and cannot be sent again. */
  oldestKept: Date
  now: Date
}

export type ExplainedWebhook = Pick<
  Webhook,
  'status' | 'disabledReason' | 'events' | 'createdAt' | 'deletedAt'
>
export type ExplainedDelivery = Pick<
  Delivery,
  | 'id'
  | 'status'
  | 'priority'
  | 'batchId'
  | 'attemptCount'
  | 'nextAttemptAt'
  | 'completedAt'
  | 'endReason'
  | 'test'
>
export type ExplainedAttempt = Pick<Attempt, 'number' | 'statusCode' | 'errorClass' | 'errorMessage'>

export interface Explanation {
  reason: Reason
  sentence: string
  nextStep: NextStep
  nextAttemptAt: Date | null
}

export function describeResult({ number, statusCode, errorMessage, errorClass }: ExplainedAttempt): string {
  if (errorClass === null) return `Attempt ${number} succeeded with status ${statusCode ?? '2xx'}.`
  return toSentence(`Attempt ${number} failed: ${errorMessage ?? errorClass}`)
}

export function toSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

export function toIso(time: Date): string {
  return time.toISOString()
}

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

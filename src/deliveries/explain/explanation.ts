/** Decides from facts why a webhook did or did not get an event, or why there is none, and puts that into words. */
import type { Attempt } from '../attempt.entity.js'
import {
  canceledReason,
  deliveryStatus,
  endReasons,
  nextAttemptAt,
  waitsForCircuit,
} from '../delivery-status.js'
import type { LaneWaits } from '../delivery-status.js'
import type { Webhook } from '../../webhooks/webhook.entity.js'
import { subscribesTo } from '../../events/catalogue.js'
import type { EventType } from '../../events/catalogue.js'
import type { Delivery } from '../delivery.entity.js'

export const reasons = [
  'delivered',
  'waiting',
  'waiting_for_circuit',
  'paused_by_receiver',
  'held',
  'failed',
  'canceled',
  'test',
  'not_subscribed',
  'created_later',
  'webhook_deleted',
] as const
export type Reason = (typeof reasons)[number]

export interface Facts extends LaneWaits {
  event: { type: EventType; at: Date }
  /** Whether the event tells of this very webhook. */
  isAboutItself: boolean
  /** True when the event is the example that a test sent, which never happened. */
  isExample: boolean
  webhook: ExplainedWebhook
  delivery: ExplainedDelivery | null
  lastAttempt: ExplainedAttempt | null
  now: Date
}

export type ExplainedWebhook = Pick<
  Webhook,
  'status' | 'disabledReason' | 'events' | 'createdAt' | 'deletedAt'
>
export type ExplainedDelivery = Pick<
  Delivery,
  'id' | 'status' | 'priority' | 'attemptCount' | 'nextAttemptAt' | 'completedAt' | 'endReason' | 'test'
>
export type ExplainedAttempt = Pick<Attempt, 'number' | 'statusCode' | 'errorClass' | 'errorMessage'>

export interface Explanation {
  reason: Reason
  sentence: string
  nextStep: string
  nextAttemptAt: Date | null
}

/** Why there is nothing to explain: a click or a link has no event, or nobody could get it. */
export const unexplainedReasons = ['not_wanted', 'not_kept', 'none_recorded', 'no_webhook'] as const
export type UnexplainedReason = (typeof unexplainedReasons)[number]

export interface Unexplained {
  reason: UnexplainedReason
  sentence: string
  nextStep: string
}

const nothingToDo = 'Nothing needs to be done.'
const redeliver = 'POST to /redeliver of the delivery'

export function explain(facts: Facts): Explanation {
  const { delivery } = facts
  if (!delivery) return withoutDelivery(facts)
  if (delivery.test) return ofTest(facts)
  switch (deliveryStatus(delivery.status, facts.webhook)) {
    case 'succeeded':
      return delivered(facts, delivery)
    case 'failed':
      return failed(facts, delivery)
    case 'canceled':
      return canceled(facts, delivery)
    case 'held':
      return held(facts)
    case 'pending':
      return pending(facts, delivery)
  }
}

function withoutDelivery({ event, webhook, isAboutItself, isExample }: Facts): Explanation {
  const { type, at } = event
  if (type === 'webhook.test' || isExample)
    return told(
      'test',
      'A test goes only to the webhook that it was asked for, and no sending of this one to this webhook is recorded.',
      'POST to /test of the webhook for another one.',
    )
  if (webhook.createdAt > at)
    return told(
      'created_later',
      `The webhook was made at ${iso(webhook.createdAt)}, after the event happened.`,
      `To have it sent, POST to /replay of the webhook with {"from":"events","since":"${iso(at)}"}.`,
    )
  if (webhook.deletedAt && webhook.deletedAt <= at)
    return told(
      'webhook_deleted',
      `The webhook was deleted at ${iso(webhook.deletedAt)}, before the event happened.`,
      'Make a new webhook for what comes.',
    )
  if (isAboutItself)
    return told(
      'not_subscribed',
      `A ${type} goes to the other webhooks of the workspace, not to the one it is about.`,
      nothingToDo,
    )
  if (subscribesTo(webhook.events, type))
    return told(
      'not_subscribed',
      `The webhook subscribes to ${type} now, but did not when the event happened.`,
      'Read the event with GET /v1/events/:id; those that come are sent.',
    )
  return told(
    'not_subscribed',
    `The webhook subscribes to ${webhook.events.join(', ')}, and not to ${type}.`,
    `Add ${type} to its events with PATCH /v1/webhooks/:id to get those that come.`,
  )
}

function ofTest({ lastAttempt }: Facts): Explanation {
  const result = lastAttempt ? ` ${resultOf(lastAttempt)}` : ''
  return told(
    'test',
    `This was a test, sent once at the push of a button.${result}`,
    'POST to /test of the webhook for another one.',
  )
}

function delivered({ lastAttempt }: Facts, { attemptCount, completedAt }: ExplainedDelivery): Explanation {
  const answer = lastAttempt?.statusCode ? `answered ${lastAttempt.statusCode} to` : 'took'
  const when = completedAt ? ` at ${iso(completedAt)}` : ''
  return told(
    'delivered',
    `The receiver ${answer} attempt ${attemptCount}${when}.`,
    `${nothingToDo} If the receiver lost it, ${redeliver}.`,
  )
}

function failed({ lastAttempt }: Facts, { attemptCount }: ExplainedDelivery): Explanation {
  const all = attemptCount === 1 ? 'The only attempt' : `All ${attemptCount} attempts`
  const last = lastAttempt ? ` ${resultOf(lastAttempt)}` : ''
  return told(
    'failed',
    `${all} failed, and the schedule has ended.${last}`,
    `Mend the receiver, then ${redeliver}.`,
  )
}

function canceled({ webhook }: Facts, delivery: ExplainedDelivery): Explanation {
  const reason = canceledReason(delivery, webhook)
  if (reason === endReasons.webhookDeleted)
    return told(
      'webhook_deleted',
      `The webhook was deleted${webhook.deletedAt ? ` at ${iso(webhook.deletedAt)}` : ''} before the event was delivered.`,
      'Make a new webhook for what comes; read the event with GET /v1/events/:id.',
    )
  if (reason === endReasons.retention)
    return told(
      'canceled',
      'It waited longer than events are kept, and was canceled.',
      'It cannot be sent any more; read the event with GET /v1/events/:id while it is there.',
    )
  return told(
    'canceled',
    `It was canceled${reason === null ? '' : `: ${reason}`}.`,
    `If it is still wanted, ${redeliver}.`,
  )
}

function held({ webhook }: Facts): Explanation {
  const isPaused = webhook.status === 'paused'
  const because = webhook.disabledReason === null ? '' : `: ${webhook.disabledReason}`
  const state = isPaused ? 'The webhook is paused.' : asSentence(`The webhook is disabled${because}`)
  return told(
    'held',
    `${state} The event is kept for it, and is sent once it is active again.`,
    `${isPaused ? '' : 'Mend the receiver. '}To have it sent, PATCH /v1/webhooks/:id with {"status":"active"}.`,
  )
}

function pending(facts: Facts, delivery: ExplainedDelivery): Explanation {
  const { pausedUntil, probeAt, lastAttempt, now } = facts
  const due = nextAttemptAt(delivery, { ...facts.webhook, pausedUntil, probeAt }) ?? now
  if (pausedUntil && pausedUntil > now)
    return {
      reason: 'paused_by_receiver',
      sentence: `The receiver asked with Retry-After for nothing more before ${iso(pausedUntil)}.`,
      nextStep: 'Wait, or let the receiver ask for less.',
      nextAttemptAt: due,
    }
  if (probeAt && waitsForCircuit(delivery.priority, facts))
    return {
      reason: 'waiting_for_circuit',
      sentence: `Several attempts of this webhook failed in a row, so one delivery is tried ${probeAt > now ? `at ${iso(probeAt)}` : 'now'}; the others, this one among them, wait until one succeeds.`,
      nextStep: 'Mend the receiver. POST to /test of the webhook says what is wrong.',
      nextAttemptAt: due,
    }
  const isDue = due <= now
  const when = isDue ? 'is due now: it is in the line, or on its way' : `will be made at ${iso(due)}`
  const next = `Attempt ${delivery.attemptCount + 1} ${when}.`
  return {
    reason: 'waiting',
    sentence: lastAttempt?.errorClass ? `${resultOf(lastAttempt)} ${next}` : next,
    nextStep: isDue
      ? 'Wait a moment. If it stays like this, run the command doctor: it says whether a worker runs.'
      : `Wait, or ${redeliver} to have it sent now.`,
    nextAttemptAt: due,
  }
}

export const noWebhook: Unexplained = {
  reason: 'no_webhook',
  sentence: 'The workspace has no webhook, so nobody gets this event.',
  nextStep:
    'Make one with POST /v1/webhooks. POST /v1/webhooks/:id/replay with "from": "events" then sends it what was before.',
}

const kept: Omit<Unexplained, 'sentence'> = {
  reason: 'not_kept',
  nextStep: 'The operator sets with EVENT_RETENTION how long events are kept.',
}

/** Events from before `oldestKept` may have been deleted. */
export function noEventOfClick(
  { eventId, occurredAt }: { eventId: string | null; occurredAt: Date },
  oldestKept: Date,
): Unexplained {
  if (eventId !== null) return { ...kept, sentence: 'The click became an event, which is not kept any more.' }
  if (occurredAt < oldestKept)
    return {
      ...kept,
      sentence: `Events from before ${oldestKept.toISOString()} are not kept, and this click is older.`,
    }
  return {
    reason: 'not_wanted',
    sentence:
      'No webhook of the workspace subscribed to click when it was recorded, so it became no event. Events are not made of clicks afterwards.',
    nextStep:
      'Subscribe a webhook to click with POST /v1/webhooks or PATCH /v1/webhooks/:id to get those that come; read this one with GET /v1/clicks.',
  }
}

export function noEventOfLink(createdAt: Date, type: EventType | null, oldestKept: Date): Unexplained {
  const which = type ?? 'event'
  if (createdAt < oldestKept)
    return {
      ...kept,
      sentence: `There is no ${which} of this link since ${oldestKept.toISOString()}; what was before is not kept.`,
    }
  return {
    reason: 'none_recorded',
    sentence: `No ${which} of this link was ever recorded.`,
    nextStep: 'Read what happened to the workspace with GET /v1/events.',
  }
}

function told(reason: Reason, sentence: string, nextStep: string): Explanation {
  return { reason, sentence, nextStep, nextAttemptAt: null }
}

function resultOf({ number, statusCode, errorMessage, errorClass }: ExplainedAttempt): string {
  if (errorClass === null) return `Attempt ${number} was answered with ${statusCode ?? '2xx'}.`
  return asSentence(`Attempt ${number} failed: ${errorMessage ?? errorClass}`)
}

function asSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}

function iso(time: Date): string {
  return time.toISOString()
}

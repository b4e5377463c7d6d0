/** Explains why there is no event, or no webhook to send it to. */
import type { EventType } from '../../events/catalog.js'
import { describeUnmet } from '../../events/webhook-filter.js'
import type { FilterCondition } from '../../events/webhook-filter.js'
import { encodeId } from '../../platform/database/ids.js'
import { noAction } from './facts.js'
import type { NextStep } from './facts.js'

/** Reason codes for an empty list of explanations: there is no event, or no webhook to send it to. */
export const unexplainedReasons = [
  'not_wanted',
  'filtered',
  'not_kept',
  'none_recorded',
  'no_webhook',
] as const
export type UnexplainedReason = (typeof unexplainedReasons)[number]

export interface Unexplained {
  reason: UnexplainedReason
  sentence: string
  nextStep: NextStep
}

export const noWebhook: Unexplained = {
  reason: 'no_webhook',
  sentence: 'The workspace has no webhook, so this event was not sent.',
  nextStep: noAction('Create a webhook, then replay past events to it.'),
}

const eventExpired: Omit<Unexplained, 'sentence'> = {
  reason: 'not_kept',
  nextStep: noAction('To keep events longer, ask the operator to raise EVENT_RETENTION.'),
}

interface ClickWithoutEvent {
  eventId: string | null
  occurredAt: Date
  subscribers: readonly { webhookId: string; unmetCondition: FilterCondition | null }[]
}

/** Events from before `oldestKept` may have been deleted. */
export function explainMissingClickEvent(
  { eventId, occurredAt, subscribers }: ClickWithoutEvent,
  oldestKept: Date,
): Unexplained {
  if (eventId !== null) return { ...eventExpired, sentence: 'The event of this click is no longer kept.' }
  if (occurredAt < oldestKept)
    return {
      ...eventExpired,
      sentence: `Events from before ${oldestKept.toISOString()} are no longer kept, and this click is older.`,
    }
  const filtering = subscribers.flatMap(({ webhookId, unmetCondition }) =>
    unmetCondition ? [`for ${encodeId('wh', webhookId)}, ${describeUnmet(unmetCondition)}`] : [],
  )
  if (filtering.length > 0 && filtering.length === subscribers.length)
    return {
      reason: 'filtered',
      sentence: `No event was created for this click. All webhooks that subscribe to click events exclude it now: ${listFew(filtering)}. Events are not created for past clicks.`,
      nextStep: noAction(
        'To receive future clicks like this one, change the filter of a webhook. This click is available in the click list.',
      ),
    }
  return {
    reason: 'not_wanted',
    sentence:
      'When this click was recorded, no webhook in the workspace subscribed to click events, or their filters excluded it, so no event was created. Events are not created for past clicks.',
    nextStep: noAction(
      'To receive future clicks, subscribe a webhook to click events. This click is available in the click list.',
    ),
  }
}

const maxNamed = 3

function listFew(items: readonly string[]): string {
  const others = items.length - maxNamed
  return [...items.slice(0, maxNamed), ...(others > 0 ? [`and for ${others} more`] : [])].join('; ')
}

export function explainMissingLinkEvent(
  createdAt: Date,
  type: EventType | null,
  oldestKept: Date,
): Unexplained {
  const kind = type === null ? 'event' : `${type} event`
  if (createdAt < oldestKept)
    return {
      ...eventExpired,
      sentence: `This link has had no ${kind} since ${oldestKept.toISOString()}. Earlier events are no longer kept.`,
    }
  return {
    reason: 'none_recorded',
    sentence: `No ${kind} of this link was recorded.`,
    nextStep: noAction('See the event list for other events of the workspace.'),
  }
}

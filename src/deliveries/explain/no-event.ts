/** Why a click or a link has no event to explain: a decision over facts, and the words for it. */
import type { EventType } from '../../events/catalogue.js'

export const noEventReasons = ['not_wanted', 'not_kept', 'none_recorded'] as const
export type NoEventReason = (typeof noEventReasons)[number]

export interface NoEvent {
  reason: NoEventReason
  sentence: string
  nextStep: string
}

const kept: Omit<NoEvent, 'sentence'> = {
  reason: 'not_kept',
  nextStep: 'The operator sets with EVENT_RETENTION how long events are kept.',
}

/** `oldestKept`: events from before may be gone. */
export function noEventOfClick(
  { eventId, occurredAt }: { eventId: string | null; occurredAt: Date },
  oldestKept: Date,
): NoEvent {
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

export function noEventOfLink(createdAt: Date, type: EventType | null, oldestKept: Date): NoEvent {
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

/** Explains why the conditions of a webhook exclude an event. */
import type { EventType } from '../../events/catalog.js'
import { describeUnmet } from '../../events/webhook-filter.js'
import type { FilterCondition } from '../../events/webhook-filter.js'
import { nextStep, noAction } from './next-step.js'
import type { NextStep } from './next-step.js'

/** `condition` belongs to the current filter, because earlier filters are not stored. */
export function explainFiltered(
  { type, at }: { type: EventType; at: Date },
  condition: FilterCondition,
  isTooOldToReplay: boolean,
): { reason: 'filtered'; sentence: string; nextStep: NextStep; nextAttemptAt: null } {
  const reason = { reason: 'filtered', nextAttemptAt: null } as const
  if (condition === 'restricted_tags')
    return {
      ...reason,
      sentence: `The webhook subscribes to ${type}, but does not receive this event: ${describeUnmet(condition)}.`,
      nextStep: noAction(
        'To receive such events, create a webhook with a token that is not restricted to these tags.',
      ),
    }
  const advice = 'Change the filter to receive future events like this one.'
  return {
    ...reason,
    sentence: `The webhook subscribes to ${type}, but its filter excludes this event now: ${describeUnmet(condition)}.`,
    nextStep: nextStep(
      'update',
      isTooOldToReplay
        ? advice
        : `${advice} To deliver this one too, replay events since ${at.toISOString()} and ignore the filter.`,
    ),
  }
}

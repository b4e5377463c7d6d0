/** Explains why a webhook did or did not receive an event. */
import { subscribesTo } from '../../events/catalog.js'
import type { EventType } from '../../events/catalog.js'
import { describeUnmet } from '../../events/webhook-filter.js'
import type { FilterCondition } from '../../events/webhook-filter.js'
import { getIdTime } from '../../platform/database/ids.js'
import { endReasons, getCanceledReason, getDeliveryStatus } from '../delivery-status.js'
import { explainPending } from './explain-pending.js'
import type { ExplainedDelivery, Explanation, Facts, NextAction, NextStep, Reason } from './facts.js'
import { describeResult, nextStep, noAction, replayEvents, toIso, toSentence } from './facts.js'

export function explain(facts: Facts): Explanation {
  const explanation = explainFacts(facts)
  const obstacle = obstacleTo(explanation.nextStep.action, facts)
  return obstacle === null ? explanation : { ...explanation, nextStep: noAction(obstacle) }
}

/** Returns why an action is not possible, or null. */
function obstacleTo(action: NextAction, facts: Facts): string | null {
  if (action === 'none') return null
  if (facts.webhook.deletedAt) return 'The webhook was deleted. Create a webhook to receive future events.'
  return isTooOldTo(action, facts)
    ? 'The event is too old to be sent again. To keep events longer, ask the operator to raise EVENT_RETENTION.'
    : null
}

function isTooOldTo(action: NextAction, { event, delivery, oldestKept }: Facts): boolean {
  if (action === 'replay') return event.at < oldestKept
  return action === 'redeliver' && delivery !== null && getIdTime(delivery.id) < oldestKept
}

function explainFacts(facts: Facts): Explanation {
  const { delivery } = facts
  if (!delivery) return explainMissing(facts)
  if (delivery.test) return explainTest(facts)
  switch (getDeliveryStatus(delivery.status, facts.webhook)) {
    case 'succeeded':
      return explainSucceeded(facts, delivery)
    case 'failed':
      return explainFailed(facts, delivery)
    case 'canceled':
      return explainCanceled(facts, delivery)
    case 'held':
      return explainHeld(facts)
    case 'pending':
      return explainPending(facts, delivery)
  }
}

function explainMissing(facts: Facts): Explanation {
  const { event, webhook, isExample, unmetCondition } = facts
  const { type, at } = event
  if (type === 'webhook.test' || isExample)
    return buildExplanation(
      'test',
      'A test event is sent only to the webhook that is tested. No delivery of this event to this webhook is recorded.',
      nextStep('test', 'To test this webhook, send a test event to it.'),
    )
  if (webhook.createdAt > at)
    return buildExplanation(
      'created_later',
      `The webhook was created at ${toIso(webhook.createdAt)}, after the event occurred.`,
      subscribesTo(webhook.events, type)
        ? replayEvents(at, `To deliver the event anyway, replay events since ${toIso(at)} to this webhook.`)
        : nextStep(
            'update',
            isTooOldTo('replay', facts)
              ? `Subscribe the webhook to ${type} to receive future events of this type.`
              : `The webhook does not subscribe to ${type}. Subscribe it, then replay the event.`,
          ),
    )
  if (webhook.deletedAt && webhook.deletedAt <= at)
    return buildExplanation(
      'webhook_deleted',
      `The webhook was deleted at ${toIso(webhook.deletedAt)}, before the event occurred.`,
      noAction('Create a webhook to receive future events.'),
    )
  if (subscribesTo(webhook.events, type) && unmetCondition)
    return explainFiltered(event, unmetCondition, isTooOldTo('replay', facts))
  if (subscribesTo(webhook.events, type))
    return buildExplanation(
      'not_subscribed',
      `The event types and the filter of the webhook include this ${type} event now, but did not when it occurred.`,
      replayEvents(
        at,
        `New ${type} events are delivered. To deliver this one too, replay events since ${toIso(at)}.`,
      ),
    )
  return buildExplanation(
    'not_subscribed',
    `The webhook subscribes to ${webhook.events.join(', ')}, but not to ${type}.`,
    nextStep('update', `Subscribe the webhook to ${type} to receive future events of this type.`),
  )
}

function explainTest({ lastAttempt }: Facts): Explanation {
  const result = lastAttempt ? ` ${describeResult(lastAttempt)}` : ''
  return buildExplanation(
    'test',
    `This delivery was a test, sent once without retries.${result}`,
    nextStep('test', 'To try again, send another test.'),
  )
}

function explainSucceeded(facts: Facts, { attemptCount, completedAt }: ExplainedDelivery): Explanation {
  const { lastAttempt } = facts
  const response = lastAttempt?.statusCode ? `responded with ${lastAttempt.statusCode} to` : 'accepted'
  const when = completedAt ? ` at ${toIso(completedAt)}` : ''
  return buildExplanation(
    'delivered',
    `The receiver ${response} attempt ${attemptCount}${when}.`,
    noAction(
      obstacleTo('redeliver', facts) === null
        ? 'No action is needed. If the receiver lost the event, redeliver it.'
        : 'No action is needed.',
    ),
  )
}

function explainFailed({ lastAttempt }: Facts, { attemptCount }: ExplainedDelivery): Explanation {
  const all = attemptCount === 1 ? 'The only attempt' : `All ${attemptCount} attempts`
  const last = lastAttempt ? ` ${describeResult(lastAttempt)}` : ''
  return buildExplanation(
    'failed',
    `${all} failed, and no retries are left.${last}`,
    nextStep('redeliver', 'Fix the receiver, then redeliver the event.'),
  )
}

function explainCanceled({ webhook }: Facts, delivery: ExplainedDelivery): Explanation {
  const reason = getCanceledReason(delivery, webhook)
  if (reason === endReasons.webhookDeleted)
    return buildExplanation(
      'webhook_deleted',
      `The webhook was deleted${webhook.deletedAt ? ` at ${toIso(webhook.deletedAt)}` : ''} before the event was delivered.`,
      noAction('Create a webhook to receive future events. This event is available in the event list.'),
    )
  if (reason === endReasons.retention)
    return buildExplanation(
      'canceled',
      'The delivery was canceled because it was pending for longer than events are kept.',
      noAction(
        'The event can no longer be delivered. Until it is deleted, it is available in the event list.',
      ),
    )
  if (reason === endReasons.skipped)
    return buildExplanation(
      'canceled',
      'The delivery was skipped by a caller of the API.',
      nextStep('redeliver', 'If you still need the event, redeliver it.'),
    )
  return buildExplanation(
    'canceled',
    `The delivery was canceled${reason === null ? '' : `: ${reason}`}.`,
    nextStep('redeliver', 'If you still need the event, redeliver it.'),
  )
}

function explainHeld({ webhook }: Facts): Explanation {
  const isPaused = webhook.status === 'paused'
  const because = webhook.disabledReason === null ? '' : `: ${webhook.disabledReason}`
  const state = isPaused ? 'The webhook is paused.' : toSentence(`The webhook is disabled${because}`)
  return buildExplanation(
    'held',
    `${state} The event is kept and will be sent when the webhook is active again.`,
    nextStep(
      'resume',
      isPaused
        ? 'Resume the webhook to send the event.'
        : 'Fix the receiver, then resume the webhook to send the event.',
    ),
  )
}

function buildExplanation(reason: Reason, sentence: string, step: NextStep): Explanation {
  return { reason, sentence, nextStep: step, nextAttemptAt: null }
}

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

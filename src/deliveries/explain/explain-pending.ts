/** Explains what a pending delivery waits for. */
import { encodeId } from '../../platform/database/ids.js'
import { proxyErrorClass } from '../../platform/outbound/outcome.js'
import { publicCommandText } from '../../platform/util/program.js'
import { getAwaitedHead, getNextAttemptAt, waitsForBatch, waitsForCircuit } from '../delivery-status.js'
import type { CurrentPause } from '../delivery-pause.js'
import type { LaneHead } from '../lane-head.js'
import type { ExplainedDelivery, Explanation, Facts } from './facts.js'
import { describeResult, nextStep, noAction, skipDelivery, toIso } from './facts.js'

export function explainPending(facts: Facts, delivery: ExplainedDelivery): Explanation {
  const { pausedUntil, probeAt, head: laneHead, batchSeconds, lastAttempt, proxyFailingSince, now } = facts
  const waits = { ...facts.webhook, pausedUntil, probeAt, head: laneHead, batchSeconds }
  const due = getNextAttemptAt(delivery, waits) ?? now
  if (facts.pause) return explainPause(facts.pause, due)
  if (pausedUntil && pausedUntil > now)
    return {
      reason: 'paused_by_receiver',
      sentence: `The receiver requested a pause until ${toIso(pausedUntil)} with a Retry-After header.`,
      nextStep: noAction(
        'Wait until the pause ends. To shorten future pauses, change the Retry-After header of the receiver.',
      ),
      nextAttemptAt: due,
    }
  const head = getAwaitedHead(delivery, waits)
  if (head) return explainInOrder(head, due, now)
  if (probeAt && waitsForCircuit(delivery.priority, facts))
    return {
      reason: 'waiting_for_circuit',
      sentence: `Several attempts failed in a row, so only one delivery is tried ${probeAt > now ? `at ${toIso(probeAt)}` : 'now'}. All others, including this one, wait until an attempt succeeds.`,
      nextStep: nextStep('test', 'Fix the receiver, then send a test.'),
      nextAttemptAt: due,
    }
  if (waitsForBatch(delivery.priority, facts) && due > now)
    return {
      reason: 'waiting_for_batch',
      sentence: `The webhook sends events in batches. This event waits for others until ${toIso(due)}, or until the batch is full.`,
      nextStep: noAction(
        'Wait until the batch is sent. To shorten the wait, change the batch of the webhook.',
      ),
      nextAttemptAt: due,
    }
  const isDue = due <= now
  const failedInProxy = lastAttempt?.errorClass === proxyErrorClass
  if (failedInProxy || (isDue && proxyFailingSince))
    return {
      reason: 'waiting_for_proxy',
      sentence: `The egress proxy of this service ${proxyFailingSince ? `has been failing since ${toIso(proxyFailingSince)}` : 'failed'}, so the delivery waits. This does not use up retries.${failedInProxy ? ` ${describeResult(lastAttempt)}` : ''}`,
      nextStep: noAction(
        `Wait: the delivery is sent when the proxy works again. The operator can find the cause with \`${publicCommandText('doctor')}\`.`,
      ),
      nextAttemptAt: due,
    }
  const when = isDue ? 'is due now: it is queued or in progress' : `is scheduled for ${toIso(due)}`
  const next = `Attempt ${delivery.attemptCount + 1} ${when}.`
  return {
    reason: 'waiting',
    sentence: lastAttempt?.errorClass ? `${describeResult(lastAttempt)} ${next}` : next,
    nextStep: isDue
      ? noAction(
          `Wait a few seconds. If the attempt does not start, run \`${publicCommandText('doctor')}\` to check whether a worker is running.`,
        )
      : nextStep('redeliver', 'Wait, or redeliver the event to send it now.'),
    nextAttemptAt: due,
  }
}

function explainPause({ pausedAt, reason }: CurrentPause, due: Date): Explanation {
  return {
    reason: 'deliveries_paused',
    sentence: `The operator of this service paused all deliveries at ${toIso(pausedAt)}.${reason === null ? '' : ` Reason: ${reason}`}`,
    nextStep: noAction(
      `Wait: the delivery is sent when the operator resumes deliveries with \`${publicCommandText('deliveries resume')}\`.`,
    ),
    nextAttemptAt: due,
  }
}

function explainInOrder(head: LaneHead, due: Date, now: Date): Explanation {
  const attempt = `attempt ${head.attemptCount + 1} of ${encodeId('dlv', head.id)}`
  return {
    reason: 'waiting_in_order',
    sentence: `The webhook sends deliveries one at a time, in order. This one waits for ${attempt}, which is ${due <= now ? 'due now' : `scheduled for ${toIso(due)}`}.`,
    nextStep:
      due <= now
        ? noAction('Wait until the earlier deliveries are sent.')
        : skipDelivery(
            head.id,
            'Fix the receiver and redeliver the earlier delivery to send it now, or skip it to send the later ones.',
          ),
    nextAttemptAt: due,
  }
}

/** Pending deliveries, and what explains them. */
import { encodeId } from '../../../src/platform/database/ids.js'
import { priorities } from '../../../src/deliveries/delivery.entity.js'
import type { Facts } from '../../../src/deliveries/explain/facts.js'
import { at, attempt, delivery, failure, head, iso } from './explained-facts.js'

/** `next` is the time of the next attempt in minutes. */
export type ExplainedCase = [
  situation: string,
  Partial<Facts>,
  reason: string,
  sentence: string,
  next: number | null,
]

export const pendingCases: ExplainedCase[] = [
  [
    'the first attempt is scheduled',
    { delivery: delivery() },
    'waiting',
    `Attempt 1 is scheduled for ${iso(5)}.`,
    5,
  ],
  [
    'a retry is scheduled',
    { delivery: delivery({ attemptCount: 1 }), lastAttempt: failure },
    'waiting',
    `Attempt 1 failed: Nothing accepts connections. Attempt 2 is scheduled for ${iso(5)}.`,
    5,
  ],
  [
    'the attempt is due',
    { delivery: delivery({ nextAttemptAt: at(-1) }) },
    'waiting',
    'Attempt 1 is due now: it is queued or in progress.',
    -1,
  ],
  [
    'the egress proxy fails and the attempt is due',
    { delivery: delivery({ nextAttemptAt: at(-1) }), proxyFailingSince: at(-60) },
    'waiting_for_proxy',
    `The egress proxy of this service has been failing since ${iso(-60)}, so the delivery waits.`,
    -1,
  ],
  [
    'the last attempt failed in the egress proxy',
    {
      delivery: delivery({ attemptCount: 1 }),
      lastAttempt: attempt({ errorClass: 'proxy', errorMessage: 'The egress proxy cannot be reached.' }),
    },
    'waiting_for_proxy',
    'Attempt 1 failed: The egress proxy cannot be reached.',
    5,
  ],
  [
    'the egress proxy fails and the attempt is scheduled',
    { delivery: delivery({ attemptCount: 1 }), lastAttempt: failure, proxyFailingSince: at(-60) },
    'waiting',
    `Attempt 2 is scheduled for ${iso(5)}.`,
    5,
  ],
  [
    'the operator paused deliveries',
    {
      delivery: delivery(),
      pausedUntil: at(30),
      pause: { pausedAt: at(-60), reason: 'Network maintenance.' },
    },
    'deliveries_paused',
    `The operator of this service paused all deliveries at ${iso(-60)}. Reason: Network maintenance.`,
    30,
  ],
  [
    'the operator paused deliveries without a reason',
    { delivery: delivery(), pause: { pausedAt: at(-60), reason: null } },
    'deliveries_paused',
    `paused all deliveries at ${iso(-60)}.`,
    5,
  ],
  [
    'the circuit is open',
    { delivery: delivery(), probeAt: at(9) },
    'waiting_for_circuit',
    `one delivery is tried at ${iso(9)}`,
    9,
  ],
  [
    'the circuit is open and the delivery is a retry',
    {
      delivery: delivery({ priority: priorities.retry, attemptCount: 1 }),
      lastAttempt: failure,
      probeAt: at(9),
    },
    'waiting',
    `Attempt 2 is scheduled for ${iso(5)}.`,
    5,
  ],
  [
    'the probe of the circuit is due',
    { delivery: delivery(), probeAt: at(-1) },
    'waiting_for_circuit',
    'is tried now',
    5,
  ],
  [
    'the receiver sent Retry-After',
    { delivery: delivery(), pausedUntil: at(30), probeAt: at(9) },
    'paused_by_receiver',
    `requested a pause until ${iso(30)}`,
    30,
  ],
  [
    'the Retry-After of the receiver is over',
    { delivery: delivery(), pausedUntil: at(-1) },
    'waiting',
    'Attempt 1',
    5,
  ],
  [
    'an earlier delivery of an ordered webhook is retried',
    { delivery: delivery(), head: { ...head, nextAttemptMs: at(7).getTime() } },
    'waiting_in_order',
    `This one waits for attempt 3 of ${encodeId('dlv', head.id)}, which is scheduled for ${iso(7)}.`,
    7,
  ],
  [
    'an earlier delivery of an ordered webhook is in progress',
    { delivery: delivery(), head: { ...head, nextAttemptMs: at(0).getTime() } },
    'waiting_in_order',
    'which is due now.',
    0,
  ],
  [
    'the event waits for others of its batch',
    { delivery: delivery({ priority: priorities.first }), batchSeconds: 120 },
    'waiting_for_batch',
    `This event waits for others until ${iso(7)}, or until the batch is full.`,
    7,
  ],
  [
    'an earlier batch of an ordered webhook is retried',
    {
      delivery: delivery({ priority: priorities.first }),
      batchSeconds: 120,
      head: { ...head, batchId: head.id, nextAttemptMs: at(7).getTime() },
    },
    'waiting_in_order',
    `which is scheduled for ${iso(7)}.`,
    7,
  ],
  [
    'its batch is retried in an ordered webhook',
    {
      delivery: delivery({ attemptCount: 1, priority: priorities.retry, batchId: head.id }),
      batchSeconds: 120,
      head: { ...head, batchId: head.id, nextAttemptMs: at(5).getTime() },
    },
    'waiting',
    `Attempt 2 is scheduled for ${iso(5)}.`,
    5,
  ],
]

import { Attempt } from '../attempt.entity.js'
import { Delivery, priorities } from '../delivery.entity.js'
import { explain, reasons } from './explanation.js'
import type { Facts } from './explanation.js'

const at = (minutes: number) => new Date(Date.parse('2026-01-31T12:00:00Z') + minutes * 60_000)
const iso = (minutes: number) => at(minutes).toISOString()

const delivery = (fields: Partial<Delivery> = {}) =>
  Object.assign(
    new Delivery(),
    {
      status: 'pending',
      priority: priorities.first,
      attemptCount: 0,
      nextAttemptAt: at(5),
      completedAt: null,
      endReason: null,
      test: false,
    },
    fields,
  )
const attempt = (fields: Partial<Attempt> = {}) =>
  Object.assign(new Attempt(), { number: 1, statusCode: null, errorClass: null, errorMessage: null }, fields)
const refused = { errorClass: 'refused', errorMessage: 'Nothing accepts connections' } as const
const failure = attempt(refused)

const facts: Facts = {
  event: { type: 'click', at: at(-10) },
  isAboutItself: false,
  isExample: false,
  webhook: { status: 'active', disabledReason: null, events: ['click'], createdAt: at(-60), deletedAt: null },
  pausedUntil: null,
  probeAt: null,
  delivery: null,
  lastAttempt: null,
  now: at(0),
}
const webhook = (fields: Partial<Facts['webhook']>) => ({ webhook: { ...facts.webhook, ...fields } })

const cases: [what: string, Partial<Facts>, reason: string, sentence: string, next: number | null][] = [
  [
    'it was delivered at the second attempt',
    {
      delivery: delivery({ status: 'succeeded', attemptCount: 2, completedAt: at(-9), nextAttemptAt: null }),
      lastAttempt: attempt({ number: 2, statusCode: 204 }),
    },
    'delivered',
    `The receiver answered 204 to attempt 2 at ${iso(-9)}.`,
    null,
  ],
  [
    'it waits for its first attempt',
    { delivery: delivery() },
    'waiting',
    `Attempt 1 will be made at ${iso(5)}.`,
    5,
  ],
  [
    'it waits for another attempt',
    { delivery: delivery({ attemptCount: 1 }), lastAttempt: failure },
    'waiting',
    `Attempt 1 failed: Nothing accepts connections. Attempt 2 will be made at ${iso(5)}.`,
    5,
  ],
  [
    'it is due',
    { delivery: delivery({ nextAttemptAt: at(-1) }) },
    'waiting',
    'Attempt 1 is due now: it is in the line, or on its way.',
    -1,
  ],
  [
    'the circuit is open',
    { delivery: delivery(), probeAt: at(9) },
    'waiting_for_circuit',
    `one delivery is tried at ${iso(9)}`,
    9,
  ],
  [
    'the circuit is open, and it is a retry',
    {
      delivery: delivery({ priority: priorities.retry, attemptCount: 1 }),
      lastAttempt: failure,
      probeAt: at(9),
    },
    'waiting',
    `Attempt 2 will be made at ${iso(5)}.`,
    5,
  ],
  ['one is tried', { delivery: delivery(), probeAt: at(-1) }, 'waiting_for_circuit', 'is tried now', 5],
  [
    'the receiver asked for a pause',
    { delivery: delivery(), pausedUntil: at(30), probeAt: at(9) },
    'paused_by_receiver',
    `nothing more before ${iso(30)}`,
    30,
  ],
  ['that pause is over', { delivery: delivery(), pausedUntil: at(-1) }, 'waiting', 'Attempt 1', 5],
  [
    'the webhook is paused',
    { delivery: delivery(), ...webhook({ status: 'paused' }), pausedUntil: at(30) },
    'held',
    'The webhook is paused. The event is kept for it, and is sent once it is active again.',
    null,
  ],
  [
    'the webhook is disabled',
    { delivery: delivery(), ...webhook({ status: 'disabled', disabledReason: 'It answered 410' }) },
    'held',
    'The webhook is disabled: It answered 410. The event is kept',
    null,
  ],
  [
    'all attempts failed',
    {
      delivery: delivery({ status: 'failed', attemptCount: 10 }),
      lastAttempt: attempt({ ...refused, number: 10 }),
    },
    'failed',
    'All 10 attempts failed, and the schedule has ended. Attempt 10 failed: Nothing accepts connections.',
    null,
  ],
  [
    'it waited too long',
    { delivery: delivery({ status: 'canceled', endReason: 'retention' }) },
    'canceled',
    'waited longer than events are kept',
    null,
  ],
  [
    'it was canceled for something else',
    { delivery: delivery({ status: 'canceled', endReason: 'the operator said so' }) },
    'canceled',
    'It was canceled: the operator said so.',
    null,
  ],
  [
    'the webhook was deleted while it waited',
    { delivery: delivery(), ...webhook({ deletedAt: at(-5) }) },
    'webhook_deleted',
    `The webhook was deleted at ${iso(-5)} before the event was delivered.`,
    null,
  ],
  [
    'and that has been written down',
    {
      delivery: delivery({ status: 'canceled', endReason: 'webhook_deleted' }),
      ...webhook({ deletedAt: at(-5) }),
    },
    'webhook_deleted',
    `The webhook was deleted at ${iso(-5)} before the event was delivered.`,
    null,
  ],
  [
    'the webhook was deleted after it was delivered',
    {
      delivery: delivery({ status: 'succeeded', attemptCount: 1, completedAt: at(-9) }),
      lastAttempt: attempt({ statusCode: 200 }),
      ...webhook({ deletedAt: at(-5) }),
    },
    'delivered',
    'answered 200 to attempt 1',
    null,
  ],
  [
    'the webhook was deleted before it happened',
    webhook({ deletedAt: at(-20) }),
    'webhook_deleted',
    `The webhook was deleted at ${iso(-20)}, before the event happened.`,
    null,
  ],
  [
    'the webhook is younger',
    webhook({ createdAt: at(-5) }),
    'created_later',
    `The webhook was made at ${iso(-5)}, after the event happened.`,
    null,
  ],
  [
    'the webhook wants other events',
    webhook({ events: ['link.created', 'link.deleted'] }),
    'not_subscribed',
    'The webhook subscribes to link.created, link.deleted, and not to click.',
    null,
  ],
  ['it wants them only now', {}, 'not_subscribed', 'subscribes to click now, but did not', null],
  ['it wants all only now', webhook({ events: ['*'] }), 'not_subscribed', 'but did not', null],
  [
    'the event tells of the webhook itself',
    { event: { type: 'webhook.failing', at: at(-10) }, isAboutItself: true, ...webhook({ events: ['*'] }) },
    'not_subscribed',
    'A webhook.failing goes to the other webhooks',
    null,
  ],
  [
    'it was a test that failed',
    { delivery: delivery({ status: 'failed', attemptCount: 1, test: true }), lastAttempt: failure },
    'test',
    'This was a test, sent once at the push of a button. Attempt 1 failed: Nothing accepts connections.',
    null,
  ],
  [
    'it was a test that went well',
    {
      delivery: delivery({ status: 'succeeded', attemptCount: 1, test: true }),
      lastAttempt: attempt({ statusCode: 200 }),
    },
    'test',
    'Attempt 1 was answered with 200.',
    null,
  ],
  [
    'it was a test of another webhook',
    { event: { type: 'webhook.test', at: at(-10) }, ...webhook({ events: ['*'] }) },
    'test',
    'A test goes only to the webhook that it was asked for',
    null,
  ],
  [
    'it was the example that a test of another webhook sent',
    { isExample: true },
    'test',
    'A test goes only to the webhook that it was asked for',
    null,
  ],
]

it.each(cases)('when %s', (_, more, reason, sentence, next) => {
  const explanation = explain({ ...facts, ...more })
  expect(explanation.reason).toBe(reason)
  expect(explanation.sentence).toContain(sentence)
  expect(explanation.nextAttemptAt).toEqual(next === null ? null : at(next))
  for (const text of [explanation.sentence, explanation.nextStep])
    expect(text).toMatch(/^[A-Z][^\0]{10,}[.}]$/)
})

it('every reason is told of', () => {
  expect(new Set(cases.map(([, , reason]) => reason))).toEqual(new Set(reasons))
})

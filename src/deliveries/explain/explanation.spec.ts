import {
  at,
  attempt,
  delivery,
  facts,
  failure,
  iso,
  refused,
  webhook,
} from '../../../test/support/factories/explained-facts.js'
import { pendingCases } from '../../../test/support/factories/pending-cases.js'
import type { ExplainedCase } from '../../../test/support/factories/pending-cases.js'
import { explain, explainFiltered } from './explanation.js'
import { reasons } from './facts.js'
import type { Facts } from './facts.js'

const cases: ExplainedCase[] = [
  ...pendingCases,
  [
    'the second attempt succeeded',
    {
      delivery: delivery({ status: 'succeeded', attemptCount: 2, completedAt: at(-9), nextAttemptAt: null }),
      lastAttempt: attempt({ number: 2, statusCode: 204 }),
    },
    'delivered',
    `The receiver responded with 204 to attempt 2 at ${iso(-9)}.`,
    null,
  ],
  [
    'the webhook is paused',
    { delivery: delivery(), ...webhook({ status: 'paused' }), pausedUntil: at(30) },
    'held',
    'The webhook is paused. The event is kept and will be sent when the webhook is active again.',
    null,
  ],
  [
    'the webhook is disabled',
    { delivery: delivery(), ...webhook({ status: 'disabled', disabledReason: 'The receiver sent 410' }) },
    'held',
    'The webhook is disabled: The receiver sent 410. The event is kept',
    null,
  ],
  [
    'all attempts failed',
    {
      delivery: delivery({ status: 'failed', attemptCount: 10 }),
      lastAttempt: attempt({ ...refused, number: 10 }),
    },
    'failed',
    'All 10 attempts failed, and no retries are left. Attempt 10 failed: Nothing accepts connections.',
    null,
  ],
  [
    'the delivery was pending for too long',
    { delivery: delivery({ status: 'canceled', endReason: 'retention' }) },
    'canceled',
    'pending for longer than events are kept',
    null,
  ],
  [
    'the delivery was canceled for another reason',
    { delivery: delivery({ status: 'canceled', endReason: 'the operator said so' }) },
    'canceled',
    'The delivery was canceled: the operator said so.',
    null,
  ],
  [
    'the webhook was deleted while the delivery was pending',
    { delivery: delivery(), ...webhook({ deletedAt: at(-5) }) },
    'webhook_deleted',
    `The webhook was deleted at ${iso(-5)} before the event was delivered.`,
    null,
  ],
  [
    'the webhook was deleted and the delivery is recorded as canceled',
    {
      delivery: delivery({ status: 'canceled', endReason: 'webhook_deleted' }),
      ...webhook({ deletedAt: at(-5) }),
    },
    'webhook_deleted',
    `The webhook was deleted at ${iso(-5)} before the event was delivered.`,
    null,
  ],
  [
    'the webhook was deleted after the delivery',
    {
      delivery: delivery({ status: 'succeeded', attemptCount: 1, completedAt: at(-9) }),
      lastAttempt: attempt({ statusCode: 200 }),
      ...webhook({ deletedAt: at(-5) }),
    },
    'delivered',
    'responded with 200 to attempt 1',
    null,
  ],
  [
    'the webhook was deleted before the event',
    webhook({ deletedAt: at(-20) }),
    'webhook_deleted',
    `The webhook was deleted at ${iso(-20)}, before the event occurred.`,
    null,
  ],
  [
    'the webhook was created after the event',
    webhook({ createdAt: at(-5) }),
    'created_later',
    `The webhook was created at ${iso(-5)}, after the event occurred.`,
    null,
  ],
  [
    'the webhook subscribes to other events',
    webhook({ events: ['link.created', 'link.deleted'] }),
    'not_subscribed',
    'The webhook subscribes to link.created, link.deleted, but not to click.',
    null,
  ],
  [
    'the webhook subscribed after the event',
    {},
    'not_subscribed',
    'include this click event now, but did not',
    null,
  ],
  ['the webhook subscribed to * later', webhook({ events: ['*'] }), 'not_subscribed', 'but did not', null],
  ['the filter excludes the event', { unmetCondition: 'tags' }, 'filtered', 'excludes this event now', null],
  [
    'the webhook subscribes to all events, which do not include those of tokens',
    { event: { type: 'token.created', at: at(-10) }, ...webhook({ events: ['*'] }) },
    'not_subscribed',
    'The webhook subscribes to *, but not to token.created.',
    null,
  ],
  [
    'a test failed',
    { delivery: delivery({ status: 'failed', attemptCount: 1, test: true }), lastAttempt: failure },
    'test',
    'This delivery was a test, sent once without retries. Attempt 1 failed: Nothing accepts connections.',
    null,
  ],
  [
    'a test succeeded',
    {
      delivery: delivery({ status: 'succeeded', attemptCount: 1, test: true }),
      lastAttempt: attempt({ statusCode: 200 }),
    },
    'test',
    'Attempt 1 succeeded with status 200.',
    null,
  ],
  [
    'a caller skipped the delivery',
    { delivery: delivery({ status: 'canceled', endReason: 'skipped' }) },
    'canceled',
    'The delivery was skipped',
    null,
  ],
  [
    'the event was a test of another webhook',
    { event: { type: 'webhook.test', at: at(-10) }, ...webhook({ events: ['*'] }) },
    'test',
    'A test event is sent only to the webhook that is tested',
    null,
  ],
  [
    'the event was an example sent in a test of another webhook',
    { isExample: true },
    'test',
    'A test event is sent only to the webhook that is tested',
    null,
  ],
]

it.each(cases)('explains a delivery when %s', (_, fields, reason, sentence, next) => {
  const explanation = explain({ ...facts, ...fields })
  expect(explanation.reason).toBe(reason)
  expect(explanation.sentence).toContain(sentence)
  expect(explanation.nextAttemptAt).toEqual(next === null ? null : at(next))
  for (const text of [explanation.sentence, explanation.nextStep.message])
    expect(text).toMatch(/^[A-Z][^\0]{10,}[.}]$/)
})

it('covers every reason', () => {
  expect(new Set(cases.map(([, , reason]) => reason))).toEqual(new Set(reasons))
})

describe('an event past EVENT_RETENTION', () => {
  const failed = { delivery: delivery({ status: 'failed', attemptCount: 10 }), lastAttempt: failure }

  it.each<[action: string, fields: Partial<Facts>]>([
    ['redeliver', failed],
    ['redeliver', { delivery: delivery({ status: 'canceled', endReason: 'the operator said so' }) }],
    ['redeliver', { delivery: delivery({ attemptCount: 1 }), lastAttempt: failure }],
    ['replay', {}],
    ['replay', webhook({ createdAt: at(-5) })],
  ])('has no next step instead of %s', (action, fields) => {
    expect(explain({ ...facts, ...fields }).nextStep.action).toBe(action)
    expect(explain({ ...facts, ...fields, oldestKept: at(-5) }).nextStep).toEqual({
      action: 'none',
      message: expect.stringContaining('too old to be sent again'),
      since: null,
    })
  })

  const unsubscribed = webhook({ createdAt: at(-2), events: ['link.created'] })
  const succeeded = delivery({ status: 'succeeded', attemptCount: 1, completedAt: at(-9) })
  const deleted = { delivery: succeeded, ...webhook({ deletedAt: at(-5) }) }

  it.each<[situation: string, fields: Partial<Facts>, withinRetention: RegExp]>([
    ['the webhook was created later', unsubscribed, /then replay the event\.$/],
    ['the event was delivered', { delivery: succeeded }, /redeliver it\.$/],
    ['the webhook was deleted after the delivery', deleted, /^No action is needed\.$/],
  ])('does not suggest sending it again when %s', (_, fields, withinRetention) => {
    const messageWith = (more: Partial<Facts>) => explain({ ...facts, ...fields, ...more }).nextStep.message
    expect(messageWith({})).toMatch(withinRetention)
    expect(messageWith({ oldestKept: at(-5) })).not.toMatch(/replay|redeliver/)
  })
})

const event = { type: 'click', at: new Date('2026-01-31T12:00:00Z') } as const

it('names the condition, and offers to change the filter and to replay the event', () => {
  expect(explainFiltered(event, 'human_only', false)).toMatchObject({
    reason: 'filtered',
    sentence:
      'The webhook subscribes to click, but its filter excludes this event now: the click is from a bot, and `human_only` is true.',
    nextStep: {
      action: 'update',
      message:
        'Change the filter to receive future events like this one. To deliver this one too, replay events since 2026-01-31T12:00:00.000Z and ignore the filter.',
    },
  })
})

it('offers no replay of an event that is no longer kept', () => {
  const { nextStep } = explainFiltered(event, 'tags', true)
  expect(nextStep.message).toBe('Change the filter to receive future events like this one.')
})

it('offers no action if the token of the webhook was restricted', () => {
  const { sentence, nextStep } = explainFiltered(event, 'restricted_tags', false)
  expect(sentence).toContain('created by a token that is restricted to tags')
  expect(nextStep).toMatchObject({
    action: 'none',
    message: expect.stringContaining('Create a webhook'.toLowerCase()),
  })
})

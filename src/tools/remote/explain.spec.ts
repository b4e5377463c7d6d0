import type { Explanation } from '@link-service/client'

import { formatExplanationLines } from './explain.js'

const explanation = (reason: Explanation['reason'], action: Explanation['next_step']['action']) =>
  ({
    webhook_id: 'wh_1',
    reason,
    sentence: 'A reason.',
    next_step: { action, message: 'Advice.', webhook_id: 'wh_1', delivery_id: 'dlv_1', since: null },
    delivery: null,
  }) as Explanation

const linesAfterAdvice = (...args: Parameters<typeof explanation>) =>
  formatExplanationLines({ data: [explanation(...args)] }).slice(2)

it('prints the command that skips the delivery for which an ordered webhook waits', () => {
  expect(linesAfterAdvice('waiting_in_order', 'skip')).toEqual([
    expect.stringMatching(/^ {2}Run: .+ webhooks skip wh_1 dlv_1$/),
  ])
})

it('prints the command that changes the event types only if they exclude the event', () => {
  expect(linesAfterAdvice('not_subscribed', 'update')).toEqual([
    expect.stringMatching(/^ {2}Run: .+ webhooks update wh_1 --events TYPES$/),
  ])
  expect(linesAfterAdvice('filtered', 'update')).toEqual([])
})

import { groupByLane } from './attempt-results.js'
import type { AttemptResult } from './attempt-results.js'

const formerUrl = 'https://receiver.example/former'
const newUrl = 'https://receiver.example/new'

const success = (fields: Partial<AttemptResult>) =>
  ({
    webhookId: 'webhook',
    url: newUrl,
    failuresInARow: 0,
    pauseMs: null,
    isTooLarge: false,
    outcome: { error: null },
    ...fields,
  }) as AttemptResult
const failure = (fields: Partial<AttemptResult>) =>
  success({
    deliveries: [{ id: 'delivery', attemptCount: 0 }],
    outcome: {
      error: { class: 'http_status', message: 'The receiver responded with 500.', phase: null },
      statusCode: 500,
      startedAt: new Date(0),
      durationMs: 5,
    } as AttemptResult['outcome'],
    ...fields,
  })

describe('groupByLane', () => {
  it('combines the results of a webhook', () => {
    expect(
      groupByLane([
        failure({ failuresInARow: 1, pauseMs: 1_000 }),
        success({}),
        failure({ failuresInARow: 1 }),
        success({ webhookId: 'another' }),
      ]),
    ).toMatchObject([
      { webhookId: 'webhook', successes: 1, failures: 1, failuresInARow: 1, pauseMs: 1_000 },
      { webhookId: 'another', successes: 1, failures: 0, failuresInARow: 0, pauseMs: null },
    ])
  })

  it('keeps the change of the new URL when a request to the former URL ends later', () => {
    expect(
      groupByLane([
        failure({ url: newUrl, failuresInARow: 1, pauseMs: 60_000 }),
        failure({ url: formerUrl, failuresInARow: 1 }),
      ]),
    ).toMatchObject([
      { url: newUrl, failures: 1, pauseMs: 60_000 },
      { url: formerUrl, failures: 1, pauseMs: null },
    ])
  })
})

import { newId } from '../platform/database/ids.js'
import { batchBody, countFitting, maxBatchBytes } from './batch-body.js'

const createEventBody = (bytes: number) => {
  const body = JSON.stringify({ id: 'evt_1', data: 'ü' })
  return `${body.slice(0, -2)}${'x'.repeat(bytes - Buffer.byteLength(body))}"}`
}

describe('A batch body', () => {
  it('has the ID of the batch, and the events with their sequence numbers', () => {
    const events = [
      { body: '{"id":"evt_1","data":{}}', sequence: 7 },
      { body: '{"id":"evt_2","data":{}}', sequence: null },
    ]
    expect(JSON.parse(batchBody(newId(), events))).toEqual({
      batch_id: expect.stringMatching(/^bat_/),
      events: [
        { id: 'evt_1', data: {}, sequence: 7 },
        { id: 'evt_2', data: {}, sequence: null },
      ],
    })
  })

  it('has at most 1 MiB, and nearly as much if there are enough events', () => {
    const events = Array.from({ length: 1_000 }, () => ({
      body: createEventBody(2_000),
      sequence: Number.MAX_SAFE_INTEGER,
    }))
    const count = countFitting(events.map(({ body }) => Buffer.byteLength(body)))
    const bytes = Buffer.byteLength(batchBody(newId(), events.slice(0, count)))
    expect(bytes).toBeLessThanOrEqual(maxBatchBytes)
    expect(bytes).toBeGreaterThan(maxBatchBytes - 2_100)
  })

  it('has one event if the first one is too large', () => {
    expect(countFitting([2 * maxBatchBytes, 10])).toBe(1)
  })
})

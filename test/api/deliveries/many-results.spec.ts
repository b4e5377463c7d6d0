/** Results of many large batches at the same time, as after an outage of the database. A larger statement times out. */
import { Heartbeat } from '../../../src/dispatch/heartbeat.js'
import { ResultsWriter } from '../../../src/dispatch/results-writer.js'
import { newId } from '../../../src/platform/database/ids.js'
import { getWebhookUuid } from '../../support/factories/webhooks.js'
import { createHook, startSending } from '../../support/sending.js'
import type { Sending } from '../../support/sending.js'

const batches = 3
const perBatch = 1_000

let sending: Sending
beforeAll(async () => {
  sending = await startSending()
})
afterAll(() => sending.stop())

it('writes the results of many batches in statements of a limited size', async () => {
  const { db, app } = sending.service
  const webhookId = getWebhookUuid(await createHook(sending))
  await db.query(`UPDATE webhooks SET status = 'paused' WHERE id = $1`, [webhookId])
  await db.query('UPDATE lanes SET holder = $2 WHERE webhook_id = $1', [
    webhookId,
    app.get(Heartbeat, { strict: false }).worker,
  ])
  const ids = Array.from({ length: batches * perBatch }, () => newId())
  await db.query(
    `INSERT INTO deliveries (webhook_id, id, event_id, event_type, status, priority, next_attempt_at)
     SELECT $1, id, id, 'click', 'pending', 0, now() FROM unnest($2::uuid[]) AS id`,
    [webhookId, ids],
  )
  const writer = app.get(ResultsWriter, { strict: false })
  const results = Array.from({ length: batches }, (_, i) =>
    writer.addResult({
      url: 'https://receiver.example/',
      headers: {} as never,
      customNames: [],
      isBatch: true,
      webhookId,
      deliveries: ids.slice(i * perBatch, (i + 1) * perBatch).map((id) => ({ id, attemptCount: 0 })),
      status: 'succeeded',
      retryInMs: null,
      pauseMs: null,
      failuresInARow: 0,
      isTooLarge: false,
      isCharged: true,
      outcome: {
        startedAt: new Date(),
        durationMs: 5,
        statusCode: 200,
        error: null,
        remoteAddress: '127.0.0.1',
        responseHeaders: {},
        responseBody: 'ok',
        responseTruncated: false,
        timings: { dnsMs: null, connectMs: 1, tlsMs: null, firstByteMs: 1, totalMs: 5 },
        retryAfter: null,
      },
    }),
  )
  await Promise.all(results)
  const [written] = await db.query(
    `SELECT count(*)::int AS deliveries, count(DISTINCT xmin::text)::int AS transactions
     FROM deliveries WHERE webhook_id = $1 AND status = 'succeeded'`,
    [webhookId],
  )
  expect(written).toEqual({ deliveries: batches * perBatch, transactions: batches })
})

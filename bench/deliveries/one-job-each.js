/**
 * The baseline: the usual way to send webhooks with BullMQ, one job per delivery. A job reads the delivery, signs and
 * sends it, and writes the result, with the same tables and HTTP client library.
 */
import { createHmac } from 'node:crypto'

import { createPostgresBackend, setDefaultBackendFactory, Queue, Worker } from 'bullmq'
import pg from 'pg'
import { Agent, request } from 'undici'

const { databaseUrl, redisUrl, key, concurrency } = JSON.parse(process.argv[2])
if (!redisUrl) setDefaultBackendFactory(createPostgresBackend)
const connection = redisUrl
  ? { url: redisUrl, maxRetriesPerRequest: null }
  : { connectionString: databaseUrl, schema: 'baseline', migrate: true, max: 10 }

const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
const dispatcher = new Agent({ connections: 100 })
const queue = new Queue('one-job-each', { connection })

async function deliver({ data: { webhookId, id } }) {
  const { rows } = await pool.query(
    `SELECT url, body, deliveries.event_id, attempt_count FROM deliveries JOIN webhooks ON webhooks.id = webhook_id
     JOIN events ON events.id = event_id WHERE webhook_id = $1 AND deliveries.id = $2 AND deliveries.status = 'pending'`,
    [webhookId, id],
  )
  const [row] = rows
  if (!row) return
  const startedAt = new Date()
  const timestamp = Math.floor(startedAt / 1000)
  const signature = createHmac('sha256', key)
    .update(`${row.event_id}.${timestamp}.${row.body}`)
    .digest('base64')
  const { statusCode, headers, body } = await request(row.url, {
    method: 'POST',
    dispatcher,
    body: row.body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': row.event_id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,${signature}`,
    },
  })
  const text = await body.text()
  await pool.query(
    `WITH attempt AS (
       INSERT INTO attempts (delivery_id, number, id, started_at, duration_ms, status_code, request_headers, response_headers, response_body, response_truncated, timings)
       VALUES ($2, $3, gen_random_uuid(), $4, $5, $6, '{}', $7, $8, false, '{}')
     )
     UPDATE deliveries SET status = 'succeeded', attempt_count = $3, next_attempt_at = NULL, completed_at = now()
     WHERE webhook_id = $1 AND id = $2`,
    [
      webhookId,
      id,
      row.attempt_count + 1,
      startedAt,
      Date.now() - startedAt,
      statusCode,
      JSON.stringify(headers),
      text,
    ],
  )
}

await queue.waitUntilReady()
process.on('disconnect', () => process.exit(0))

let worker = null
process.on('message', async ({ jobs }) => {
  if (jobs) {
    await worker?.pause()
    for (let i = 0; i < jobs.length; i += 500)
      await queue.addBulk(
        jobs.slice(i, i + 500).map((data) => ({
          name: 'deliver',
          data,
          opts: { removeOnComplete: true, attempts: 5, backoff: { type: 'exponential', delay: 5_000 } },
        })),
      )
    return process.send({ added: true })
  }
  if (worker) worker.resume()
  else worker = new Worker('one-job-each', deliver, { connection, concurrency })
  process.send({ startedAt: Date.now() })
})
process.send({ ready: true })

/** Simulates long outages of a receiver with shortened settings. */
import { setTimeout as pause } from 'node:timers/promises'

import { decodeId } from '../../../src/platform/database/ids.js'
import { makeLink } from '../../support/factories/links.js'
import { waitFor } from '../../support/wait-for.js'
import { createHook, recordEvents, startSending, readStats } from '../../support/sending.js'
import type { Hook, Sending } from '../../support/sending.js'

let sending: Sending
let isDown = true
afterEach(() => sending.stop())
beforeEach(() => (isDown = true))

async function start(env: Record<string, string> = {}): Promise<void> {
  sending = await startSending((_request, response) => {
    response.statusCode = isDown ? 503 : 204
    response.end()
  }, env)
}

const getWebhook = async ({ id }: Hook) => (await sending.service.call('GET', `/v1/webhooks/${id}`)).body
const activate = ({ id }: Hook) =>
  sending.service.call('PATCH', `/v1/webhooks/${id}`, { body: { status: 'active' } })

/** Returns the sequences of the first attempts in the order in which they arrived. */
function sequencesReceived({ path }: Hook): number[] {
  return sending.receiver
    .requestsTo(path)
    .filter(({ headers }) => headers['webhook-attempt'] === '1')
    .map(({ headers }) => Number(headers['webhook-sequence']))
}

/** Returns the sequences of the first attempts in the order in which they started. Requests may overtake each other. */
async function sequencesStarted({ id }: Hook): Promise<number[]> {
  const rows = await sending.service.db.query<{ sequence: string }>(
    `SELECT sequence FROM deliveries JOIN attempts ON delivery_id = deliveries.id
     WHERE deliveries.webhook_id = $1 AND number = 1 ORDER BY started_at, sequence`,
    [decodeId('wh', id)],
  )
  return rows.map(({ sequence }) => Number(sequence))
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1)

it('disables a webhook after five days of failures, and delivers the held events once it is active again', async () => {
  const hourMs = 100
  const days = (count: number) => count * 24 * hourMs
  await start({
    WEBHOOK_DISABLE_AFTER: `${days(5) / 1000}s`,
    WEBHOOK_FAILING_AFTER: '3s',
    WEBHOOK_RETRY_SCHEDULE: Array(12).fill('1s').join(),
  })
  const hook = await createHook(sending, { max_in_flight: 1 })
  let events = 0
  const startedAt = Date.now()
  let disabledAfterMs = 0
  while (disabledAfterMs === 0 && Date.now() - startedAt < days(8)) {
    await makeLink(sending.service)
    events++
    await pause(hourMs)
    const { status, failing_since } = await getWebhook(hook)
    if (status === 'disabled') disabledAfterMs = Date.now() - Date.parse(failing_since as string)
  }
  expect(disabledAfterMs).toBeGreaterThanOrEqual(days(5))
  for (let i = 0; i < 20; i++, events++) await makeLink(sending.service)
  const attempted = sending.receiver.requestsTo(hook.path).length
  const { held } = await getWebhook(hook)
  expect(held).toBeGreaterThanOrEqual(20)
  await pause(2_500)
  expect(sending.receiver.requestsTo(hook.path)).toHaveLength(attempted)

  isDown = false
  const { body } = await activate(hook)
  expect(body.status).toBe('active')
  // Deliveries that ran out of attempts are failed. All others succeed.
  await waitFor('the pending deliveries', async () => (await readStats(sending, hook)).pending === 0, 30_000)
  const { emitted, succeeded, failed, canceled } = await readStats(sending, hook)
  expect({ emitted, canceled, ended: succeeded + failed }).toEqual({
    emitted: events,
    canceled: 0,
    ended: events,
  })
  expect(sequencesReceived(hook)).toEqual(upTo(events))
}, 90_000)

it('keeps a webhook active during a short outage, and then delivers 10,000 events in order', async () => {
  await start({ WEBHOOK_RETRY_SCHEDULE: '1s,2s,4s,8s,16s,32s' })
  const hook = await createHook(sending)
  await recordEvents(sending, 10_000)
  await waitFor('failures', async () => (await getWebhook(hook)).failing_since !== null)
  isDown = false
  await waitFor('all deliveries', async () => (await readStats(sending, hook)).succeeded === 10_000, 90_000)
  expect(await getWebhook(hook)).toMatchObject({ status: 'active', held: 0, pending: 0, failing_since: null })
  expect(await readStats(sending, hook)).toMatchObject({ emitted: 10_000, failed: 0, canceled: 0 })
  expect(await sequencesStarted(hook)).toEqual(upTo(10_000))
}, 180_000)

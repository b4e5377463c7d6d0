/** Late results of a worker whose lease expired, while another worker holds the lane. */
import type { ServerResponse } from 'node:http'

import { Dispatcher } from '../../../src/dispatch/dispatcher.js'
import { getWebhookUuid } from '../../support/factories/webhooks.js'
import { createHook, recordEvents, startSending, readStats } from '../../support/sending.js'
import type { Sending } from '../../support/sending.js'
import { waitFor } from '../../support/wait-for.js'

let isHolding = true
const heldBack: ServerResponse[] = []

let sending: Sending
beforeAll(async () => {
  sending = await startSending((_request, response) => {
    if (isHolding) heldBack.push(response)
    else response.end()
  })
})
afterAll(() => sending.stop())

it('drops the result of a former holder, and resends the delivery once the lane is free', async () => {
  const { db, app } = sending.service
  const dispatcher = app.get(Dispatcher, { strict: false })
  const hook = await createHook(sending)
  const uuid = getWebhookUuid(hook)
  await recordEvents(sending, 1)
  await waitFor('the request', () => heldBack.length === 1)

  const [successor] = await db.query<{ id: string }>(
    `INSERT INTO workers (id, alive_until) VALUES (gen_random_uuid(), now() + interval '1 min') RETURNING id`,
  )
  await db.query('UPDATE lanes SET holder = $2, failures_in_a_row = 3 WHERE webhook_id = $1', [
    uuid,
    successor!.id,
  ])
  isHolding = false
  heldBack[0]!.end()
  await waitFor('the lane to be released', () => !dispatcher.isServing(uuid))
  expect([...dispatcher.durations.attempts].map(({ labels }) => labels.result)).toEqual(['succeeded'])
  const [lane] = await db.query(
    `SELECT holder, failures_in_a_row, lanes.attempts::int, lanes.succeeded::int, status, attempt_count
     FROM lanes JOIN deliveries USING (webhook_id) WHERE webhook_id = $1`,
    [uuid],
  )
  expect(lane).toEqual({
    holder: successor!.id,
    failures_in_a_row: 3,
    attempts: 0,
    succeeded: 0,
    status: 'pending',
    attempt_count: 0,
  })

  await db.query('DELETE FROM workers WHERE id = $1', [successor!.id])
  await waitFor('the delivery', async () => (await readStats(sending, hook)).succeeded === 1)
  expect(sending.receiver.requestsTo(hook.path)).toHaveLength(2)
  expect(await readStats(sending, hook)).toMatchObject({ emitted: 1, attempts: 1, pending: 0 })
})

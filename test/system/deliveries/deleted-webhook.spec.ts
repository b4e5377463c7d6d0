/** No request is sent to a webhook after the response to its deletion, even if a worker is notified late. */
import { Retention } from '../../../src/deliveries/retention.js'
import { Dispatcher } from '../../../src/dispatch/dispatcher.js'
import { decodeId } from '../../../src/platform/database/ids.js'
import { createHook, recordEvents, startSending } from '../../support/sending.js'
import type { Sending } from '../../support/sending.js'
import { waitFor } from '../../support/wait-for.js'

const responseAfterMs = 20
const notifiedAfterMs = 300

let sending: Sending
beforeAll(async () => {
  sending = await startSending((_request, response) => setTimeout(() => response.end('ok'), responseAfterMs))
})
afterAll(() => sending.stop())

it('starts no request after the 204, and cancels the pending deliveries', async () => {
  const { service, receiver } = sending
  const hook = await createHook(sending, { max_in_flight: 1 })
  const uuid = decodeId('wh', hook.id)
  await recordEvents(sending, 300)
  await waitFor('deliveries', () => receiver.requestsTo(hook.path).length > 5)
  const dispatcher = service.app.get(Dispatcher, { strict: false })
  const refresh = dispatcher.refreshLanes.bind(dispatcher)
  dispatcher.refreshLanes = (webhookIds) => void setTimeout(() => refresh(webhookIds), notifiedAfterMs)

  expect((await service.call('DELETE', `/v1/webhooks/${hook.id}`)).status).toBe(204)
  const sentBefore = receiver.requestsTo(hook.path).length
  const counts = async () => {
    const [row] = await service.db.query<Record<string, number>>(
      `SELECT emitted::int, succeeded::int, failed::int, canceled::int,
         (SELECT count(*)::int FROM deliveries WHERE webhook_id = $1 AND status = 'pending') AS pending,
         (SELECT COALESCE(sum(count), 0)::int FROM uncounted_deliveries WHERE webhook_id = $1) AS uncounted
       FROM lanes WHERE webhook_id = $1`,
      [uuid],
    )
    const { emitted, succeeded, failed, canceled, pending, uncounted } = row!
    expect(emitted! + uncounted!).toBe(succeeded! + failed! + canceled! + pending!)
    return row!
  }
  expect((await counts())['pending']).toBeGreaterThan(0)
  await service.app.get(Retention, { strict: false }).handle()
  await waitFor('the pending deliveries to be canceled', async () => (await counts())['pending'] === 0)
  // A request in flight may arrive after the response.
  expect(receiver.requestsTo(hook.path).length - sentBefore).toBeLessThanOrEqual(1)
  expect((await counts())['canceled']).toBeGreaterThan(200)
})

/** The lane of an open circuit after its receiver responds again. */
import { Dispatcher } from '../../../src/dispatch/dispatcher.js'
import { DuePoller } from '../../../src/dispatch/due-poller.js'
import { getWebhookUuid } from '../../support/factories/webhooks.js'
import { createHook, recordEvents, startSending } from '../../support/sending.js'
import type { Sending } from '../../support/sending.js'
import { waitFor } from '../../support/wait-for.js'

const backlog = 20

let sending: Sending
beforeAll(async () => {
  sending = await startSending()
  // Otherwise the poller would find deliveries that the lane left behind.
  sending.service.app.get(DuePoller, { strict: false }).stop()
})
afterAll(() => sending.stop())

it.each([
  ['probe', `UPDATE lanes SET probe_at = now() WHERE webhook_id = $1`],
  [
    'retry',
    `UPDATE deliveries SET priority = 0, attempt_count = 1
     WHERE webhook_id = $1 AND id = (SELECT id FROM deliveries WHERE webhook_id = $1 LIMIT 1)`,
  ],
])('after a successful %s, the lane sends its backlog without another hint', async (_, prepareSql) => {
  const hook = await createHook(sending)
  const uuid = getWebhookUuid(hook)
  const run = (sql: string) => sending.service.db.query(sql, [uuid])
  await run(`UPDATE lanes SET failures_in_a_row = 5, probe_at = now() + interval '1 h' WHERE webhook_id = $1`)
  await recordEvents(sending, backlog)
  await run(prepareSql)
  await sending.service.app.get(Dispatcher, { strict: false }).serveLanes([uuid])
  await waitFor('all deliveries', () => sending.receiver.requestsTo(hook.path).length === backlog)
})

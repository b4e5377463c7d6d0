/** What comes after an open circuit's receiver has answered. */
import { uuidOf } from '../../support/factories/webhooks.js'
import { makeHook, recordEvents, startSending } from '../../support/sending.js'
import type { Sending } from '../../support/sending.js'
import { waitFor } from '../../support/wait-for.js'

const backlog = 20

let sending: Sending
beforeAll(async () => (sending = await startSending()))
afterAll(() => sending.stop())

it.each([
  ['a probe', `UPDATE lanes SET probe_at = now() WHERE webhook_id = $1`],
  [
    'a retry',
    `UPDATE deliveries SET turn = 0, attempt_count = 1
     WHERE webhook_id = $1 AND id = (SELECT id FROM deliveries WHERE webhook_id = $1 LIMIT 1)`,
  ],
])(
  'after %s that it took, what waits follows at once, and not when a worker next asks what is due',
  async (_, make) => {
    const hook = await makeHook(sending)
    const run = (sql: string) => sending.service.db.query(sql, [uuidOf(hook)])
    await run(
      `UPDATE lanes SET failures_in_a_row = 5, probe_at = now() + interval '1 h' WHERE webhook_id = $1`,
    )
    await recordEvents(sending, backlog)
    await run(make)
    const received = await waitFor(
      'all of them',
      () => (sending.receiver.at(hook.path).length === backlog ? sending.receiver.at(hook.path) : null),
      20_000,
    )
    expect(received[1]!.at - received[0]!.at).toBeLessThan(1_000)
  },
)

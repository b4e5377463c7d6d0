/** A replay of thousands, beside what is new. */
import { makeLink } from '../../support/factories/links.js'
import { waitFor } from '../../support/wait-for.js'
import { makeHook, recordEvents, startSending, statsOf } from '../../support/sending.js'
import type { Sending } from '../../support/sending.js'

/** More than a replay makes pending at once. */
const count = 600

let sending: Sending
beforeAll(async () => (sending = await startSending()))
afterAll(() => sending.stop())

it('sends everything again, with the same ids and sequences, and does not hold up new events', async () => {
  const hook = await makeHook(sending)
  const since = new Date(Date.now() - 1_000).toISOString()
  await recordEvents(sending, count)
  await waitFor('the first time', async () => (await statsOf(sending, hook)).succeeded === count, 30_000)
  const before = sending.receiver.at(hook.path).length

  const { status, body } = await sending.service.call('POST', `/v1/webhooks/${hook.id}/replay`, {
    body: { since, status: 'all' },
  })
  expect([status, body]).toEqual([202, { deliveries: count, note: null }])
  await waitFor('the replay to begin', () => sending.receiver.at(hook.path).length > before)
  const link = await makeLink(sending.service)
  const isNew = ({ body: sent }: { body: string }) => sent.includes(link.id)
  await waitFor('the new event', () => sending.receiver.at(hook.path).some(isNew), 5_000)

  await waitFor('the second time', async () => (await statsOf(sending, hook)).pending === 0, 30_000)
  const seen = new Map<string, Set<unknown>>()
  for (const { headers, body: sent } of sending.receiver.at(hook.path)) {
    const id = String(headers['webhook-id'])
    seen.set(id, (seen.get(id) ?? new Set()).add(`${String(headers['webhook-sequence'])} ${sent}`))
  }
  expect(seen.size).toBe(count + 1)
  expect([...seen.values()].every(({ size }) => size === 1)).toBe(true)
  expect(sending.receiver.at(hook.path)).toHaveLength(2 * count + 1)
  expect(await statsOf(sending, hook)).toMatchObject({ emitted: count + 1, succeeded: count + 1, failed: 0 })
})

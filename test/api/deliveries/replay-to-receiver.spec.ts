/** Replays of deliveries and of events to a running receiver, together with new events. */
import { makeLink } from '../../support/factories/links.js'
import { waitFor } from '../../support/wait-for.js'
import { createHook, recordEvents, startSending, readStats } from '../../support/sending.js'
import type { Sending } from '../../support/sending.js'

/** More than one batch of a replay. */
const count = 600
const eventCount = 50

let sending: Sending
beforeAll(async () => (sending = await startSending()))
afterAll(() => sending.stop())

// Must run first, because it replays all events of the workspace.
it('sends earlier and new events to a new webhook in one sequence without gaps', async () => {
  const before: string[] = []
  for (let i = 0; i < eventCount; i++) before.push((await makeLink(sending.service)).id)
  const hook = await createHook(sending)
  const { body } = await sending.service.call('POST', `/v1/webhooks/${hook.id}/replay`, {
    body: { since: '1d', from: 'events' },
  })
  expect(body.deliveries).toBe(eventCount)
  const { id } = await makeLink(sending.service)
  await waitFor(
    'all deliveries',
    async () => (await readStats(sending, hook)).succeeded === eventCount + 1,
    50_000,
  )
  const received = sending.receiver.requestsTo(hook.path).map(({ headers, body: sent }) => ({
    sequence: Number(headers['webhook-sequence']),
    link: JSON.parse(sent).data.link.id as string,
  }))
  received.sort((a, b) => a.sequence - b.sequence)
  expect(received.map(({ sequence }) => sequence)).toEqual(
    Array.from({ length: eventCount + 1 }, (_, i) => i + 1),
  )
  expect(received.map(({ link }) => link).filter((link) => link !== id)).toEqual(before)
})

it('redelivers everything with the same IDs and sequences, without delaying new events', async () => {
  const hook = await createHook(sending)
  const since = new Date(Date.now() - 1_000).toISOString()
  await recordEvents(sending, count)
  await waitFor(
    'the first deliveries',
    async () => (await readStats(sending, hook)).succeeded === count,
    30_000,
  )
  const before = sending.receiver.requestsTo(hook.path).length

  const { status, body } = await sending.service.call('POST', `/v1/webhooks/${hook.id}/replay`, {
    body: { since, status: 'all' },
  })
  expect([status, body]).toEqual([202, { deliveries: count, note: null }])
  await waitFor('the replay to start', () => sending.receiver.requestsTo(hook.path).length > before)
  const link = await makeLink(sending.service)
  const isNew = ({ body: sent }: { body: string }) => sent.includes(link.id)
  await waitFor('the new event', () => sending.receiver.requestsTo(hook.path).some(isNew))

  await waitFor(
    'the redeliveries',
    () => sending.receiver.requestsTo(hook.path).length === 2 * count + 1,
    30_000,
  )
  await waitFor('their results', async () => (await readStats(sending, hook)).pending === 0)
  const seen = new Map<string, Set<unknown>>()
  for (const { headers, body: sent } of sending.receiver.requestsTo(hook.path)) {
    const id = String(headers['webhook-id'])
    seen.set(id, (seen.get(id) ?? new Set()).add(`${String(headers['webhook-sequence'])} ${sent}`))
  }
  expect(seen.size).toBe(count + 1)
  expect([...seen.values()].every(({ size }) => size === 1)).toBe(true)
  expect(sending.receiver.requestsTo(hook.path)).toHaveLength(2 * count + 1)
  expect(await readStats(sending, hook)).toMatchObject({
    emitted: count + 1,
    succeeded: count + 1,
    failed: 0,
  })
})

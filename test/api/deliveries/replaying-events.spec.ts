/** A replay of events to a receiver that is really sent to, beside what is new. */
import { makeLink } from '../../support/factories/links.js'
import { waitFor } from '../../support/wait-for.js'
import { makeHook, startSending, statsOf } from '../../support/sending.js'
import type { Sending } from '../../support/sending.js'

const count = 50

let sending: Sending
beforeAll(async () => (sending = await startSending()))
afterAll(() => sending.stop())

it('sends a new webhook the events from before it was made, beside new ones, in one sequence without gaps', async () => {
  const before: string[] = []
  for (let i = 0; i < count; i++) before.push((await makeLink(sending.service)).id)
  const hook = await makeHook(sending)
  const { body } = await sending.service.call('POST', `/v1/webhooks/${hook.id}/replay`, {
    body: { since: '1d', from: 'events' },
  })
  expect(body.deliveries).toBe(count)
  const { id } = await makeLink(sending.service)
  await waitFor('all of it', async () => (await statsOf(sending, hook)).succeeded === count + 1, 50_000)
  const received = sending.receiver.at(hook.path).map(({ headers, body: sent }) => ({
    sequence: Number(headers['webhook-sequence']),
    link: JSON.parse(sent).data.link.id as string,
  }))
  received.sort((a, b) => a.sequence - b.sequence)
  expect(received.map(({ sequence }) => sequence)).toEqual(Array.from({ length: count + 1 }, (_, i) => i + 1))
  expect(received.map(({ link }) => link).filter((link) => link !== id)).toEqual(before)
})

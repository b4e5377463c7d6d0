/** The pause of all deliveries, which the operator starts and ends. */
import { DeliveryPauses } from '../../../src/deliveries/delivery-pause.js'
import { LeasesRepository } from '../../../src/dispatch/leases.repository.js'
import { createHook, readDeliveries, readStats, recordEvents, startSending } from '../../support/sending.js'
import type { Hook, Sending } from '../../support/sending.js'
import { waitFor } from '../../support/wait-for.js'

const { jest } = import.meta

let sending: Sending
let pauses: DeliveryPauses
let operator: string
/** Milliseconds that the receiver takes to respond. */
let delayMs = 0

beforeAll(async () => {
  sending = await startSending((_request, response) => void setTimeout(() => response.end(), delayMs))
  pauses = sending.service.app.get(DeliveryPauses, { strict: false })
  operator = (await sending.service.mint('instance:read')).token
})
afterEach(async () => {
  delayMs = 0
  await pauses.endPause()
})
afterAll(() => sending.stop())

const requestsTo = ({ path }: Hook) => sending.receiver.requestsTo(path).length

async function readState() {
  const { body } = await sending.service.call('GET', '/v1/instance/deliveries')
  return body as { status: string; paused_at: string | null; reason: string | null }
}

async function readFinding() {
  const { body } = await sending.service.call('GET', '/v1/instance', { token: operator })
  return body.findings.find(({ name }: { name: string }) => name === 'deliveries')
}

async function explainFirst(hook: Hook) {
  const [delivery] = await readDeliveries(sending, hook)
  const { body } = await sending.service.call('GET', `/v1/events/${delivery!['event_id']}/explain`)
  return body.data.find(({ webhook_id: id }: { webhook_id: string }) => id === hook.id)
}

/** Waits until no worker holds a lane, so that nothing is in flight. */
const waitForRelease = () =>
  waitFor('the release of all lanes', async () => {
    const held = await sending.service.db.query('SELECT FROM lanes WHERE holder IS NOT NULL')
    return held.length === 0
  })

it('records events but sends nothing', async () => {
  const hook = await createHook(sending)
  await pauses.startPause('Network maintenance.')
  const claim = jest.spyOn(sending.service.app.get(LeasesRepository, { strict: false }), 'claimLanes')
  await recordEvents(sending, 3)
  await waitFor('a claim', () => claim.mock.calls.length > 0)
  const claimed = await claim.mock.results[0]!.value
  claim.mockRestore()
  expect((claimed as { lanes: Map<string, unknown> }).lanes.size).toBe(0)
  await waitForRelease()
  expect(await readStats(sending, hook)).toMatchObject({ pending: 3, attempts: 0 })
  expect(requestsTo(hook)).toBe(0)
  expect(await explainFirst(hook)).toMatchObject({
    reason: 'deliveries_paused',
    sentence: expect.stringContaining('Reason: Network maintenance.'),
  })
  await pauses.endPause()
  await waitFor('three requests', () => requestsTo(hook) === 3)
})

it.each([
  ['without order', {}],
  ['in order', { ordered: true }],
  ['in batches', { batch: { max: 3, within: '1s' } }],
])('stops a webhook that sends %s after its requests in flight', async (_how, fields) => {
  delayMs = 100
  const hook = await createHook(sending, { max_in_flight: 2, ...fields })
  await recordEvents(sending, 300)
  await waitFor('the first request', () => requestsTo(hook) > 0)
  await pauses.startPause(null)
  await waitForRelease()
  const sent = requestsTo(hook)
  const { succeeded, pending } = await readStats(sending, hook)
  expect(pending).toBeGreaterThan(0)
  expect(succeeded + pending).toBe(300)
  expect(requestsTo(hook)).toBe(sent)
  delayMs = 0
  await pauses.endPause()
  await waitFor('all deliveries', async () => (await readStats(sending, hook)).succeeded === 300)
  expect(await readStats(sending, hook)).toMatchObject({ attempts: 300, failed: 0 })
})

it('shows the pause to users and operators', async () => {
  expect(await readState()).toEqual({ status: 'active', paused_at: null, reason: null })
  expect(await readFinding()).toMatchObject({ status: 'ok' })
  const { pausedAt } = await pauses.startPause('Network maintenance.')
  expect(await readState()).toEqual({
    status: 'paused',
    paused_at: pausedAt.toISOString(),
    reason: 'Network maintenance.',
  })
  expect(await readFinding()).toMatchObject({
    status: 'warn',
    message: expect.stringMatching(/paused since .* \("Network maintenance\."\)\. .*deliveries resume/),
  })
})

it('keeps the start of a pause when it is started again', async () => {
  const first = await pauses.startPause('Network maintenance.')
  expect(await pauses.startPause(null)).toEqual(first)
  expect(await pauses.startPause('Until 14:00 UTC.')).toEqual({ ...first, reason: 'Until 14:00 UTC.' })
})

it('still sends tests', async () => {
  const hook = await createHook(sending)
  await pauses.startPause(null)
  const { body } = await sending.service.call('POST', `/v1/webhooks/${hook.id}/test`)
  expect(body.delivered).toBe(true)
})

it('returns null when deliveries were not paused', async () => {
  expect(await pauses.endPause()).toBeNull()
})

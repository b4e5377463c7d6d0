/** Warnings about failing webhooks, and their disabling. Tests move the times of a lane instead of waiting for days. */
import { decodeId } from '../../../src/platform/database/ids.js'
import { WebhookHealth } from '../../../src/webhooks/webhook-health.js'
import { makeLink } from '../../support/factories/links.js'
import { waitFor } from '../../support/wait-for.js'
import { createHook, startSending, readStats } from '../../support/sending.js'
import type { Hook, Sending } from '../../support/sending.js'

const hours = (count: number) => `${count} hours`

let sending: Sending
let isDown = true
beforeAll(async () => {
  sending = await startSending((request, response) => {
    response.statusCode = isDown && !request.path.endsWith('?well') ? 500 : 200
    response.end()
  })
})
afterAll(() => sending.stop())
beforeEach(() => (isDown = true))

const judge = () => sending.service.app.get(WebhookHealth, { strict: false }).handle()
const getWebhook = async ({ id }: Hook) => (await sending.service.call('GET', `/v1/webhooks/${id}`)).body

interface Failing {
  since: string
  last?: string
  failures?: number
}

/** Creates a webhook whose lane has failed for this long. */
async function makeFailingHook({ since, last = hours(0), failures = 20 }: Failing): Promise<Hook> {
  const hook = await createHook(sending, { events: ['link.deleted'] })
  await sending.service.db.query(
    `UPDATE lanes SET failing_since = now() - $2::interval, last_failure_at = now() - $3::interval, failures_since = $4 WHERE webhook_id = $1`,
    [decodeId('wh', hook.id), since, last, failures],
  )
  return hook
}

describe('a webhook without a success', () => {
  it.each([
    ['for five days, with 20 failures over twelve hours', { since: hours(120), last: hours(108) }],
    ['for six days, with 144 failures', { since: hours(144), failures: 144 }],
  ])('%s is disabled', async (_case, failing) => {
    const hook = await makeFailingHook(failing)
    await judge()
    expect(await getWebhook(hook)).toMatchObject({
      status: 'disabled',
      disabled_reason: expect.stringMatching(/^No attempt has succeeded since \d{4}-/),
    })
  })

  it.each([
    ['for almost five days', { since: '119 hours 59 minutes', failures: 1000 }],
    ['for half an hour, with 10,000 failures', { since: '30 minutes', failures: 10_000 }],
    ['for five days, with 19 failures', { since: hours(121), failures: 19 }],
    [
      'for five days, with all failures within eleven hours',
      { since: hours(121), last: hours(110), failures: 500 },
    ],
  ])('%s stays active', async (_case, failing) => {
    const hook = await makeFailingHook(failing)
    await judge()
    expect((await getWebhook(hook)).status).toBe('active')
  })

  it('is reported once after a day, and when it is disabled', async () => {
    const watcher = await createHook(sending, {
      url: `${sending.receiver.origin}/watcher?well`,
      events: ['webhook.failing', 'webhook.disabled'],
    })
    const received = () => sending.receiver.requestsTo('/watcher?well').map(({ body }) => JSON.parse(body))
    const hook = await makeFailingHook({ since: hours(25), failures: 3 })
    const eventsAbout = () => received().filter(({ data }) => data.webhook.id === hook.id)
    await judge()
    await judge()
    await waitFor('the warning', () => eventsAbout().length > 0)
    await sending.service.db.query(
      `UPDATE lanes SET failing_since = now() - interval '6 days', failures_since = 60 WHERE webhook_id = $1`,
      [decodeId('wh', hook.id)],
    )
    await judge()
    await waitFor('the event webhook.disabled', () => eventsAbout().length === 2)
    expect(eventsAbout().map(({ type }) => type)).toEqual(['webhook.failing', 'webhook.disabled'])
    expect(eventsAbout()[1].data).toMatchObject({
      webhook: { id: hook.id, status: 'disabled' },
      reason: expect.stringMatching(/^No attempt has succeeded since/),
    })
    const { body: audit } = await sending.service.call('GET', `/v1/audit-log?action=webhook.disabled`)
    expect(audit.data.map((entry: any) => entry.object.id)).toContain(hook.id)
    await sending.service.call('DELETE', `/v1/webhooks/${watcher.id}`)
  })
})

describe('a reported webhook', () => {
  const listRecoveries = async (hook: Hook) => {
    const { body } = await sending.service.call('GET', '/v1/events?type=webhook.recovered&limit=100')
    return body.data.filter(({ data }: any) => data.webhook.id === hook.id)
  }
  const succeed = async (hook: Hook) => {
    isDown = false
    const before = (await readStats(sending, hook)).succeeded
    const { id } = await makeLink(sending.service)
    await sending.service.call('DELETE', `/v1/links/${id}`)
    await waitFor('a success', async () => (await readStats(sending, hook)).succeeded > before)
  }

  it('is reported as recovered once, after its next success', async () => {
    const hook = await makeFailingHook({ since: hours(25), failures: 3 })
    await judge()
    expect(await listRecoveries(hook)).toEqual([])
    await succeed(hook)
    await Promise.all([judge(), judge()])
    const [event, ...others] = await listRecoveries(hook)
    expect(event.data).toMatchObject({
      webhook: { id: hook.id, status: 'active', failing_since: null },
      reason: expect.stringMatching(/^An attempt succeeded at \d{4}-/),
    })
    expect(others).toEqual([])
    await succeed(hook)
    await judge()
    expect(await listRecoveries(hook)).toHaveLength(1)
  })

  it('is reported as recovered after it was disabled, resumed and reached', async () => {
    const hook = await makeFailingHook({ since: hours(144), failures: 144 })
    await judge()
    expect((await getWebhook(hook)).status).toBe('disabled')
    await sending.service.call('PATCH', `/v1/webhooks/${hook.id}`, { body: { status: 'active' } })
    await judge()
    expect(await listRecoveries(hook)).toEqual([])
    await succeed(hook)
    await judge()
    expect(await listRecoveries(hook)).toHaveLength(1)
  })

  it('receives the events about itself, held while it is disabled', async () => {
    const hook = await createHook(sending, {
      url: `${sending.receiver.origin}/itself?well`,
      events: ['webhook.failing', 'webhook.disabled'],
    })
    await sending.service.db.query(
      `UPDATE lanes SET failing_since = now() - interval '6 days', last_failure_at = now(), failures_since = 60 WHERE webhook_id = $1`,
      [decodeId('wh', hook.id)],
    )
    await judge()
    expect(await getWebhook(hook)).toMatchObject({ status: 'disabled', held: 1 })
    await sending.service.call('PATCH', `/v1/webhooks/${hook.id}`, { body: { status: 'active' } })
    await waitFor('the event', () => sending.receiver.requestsTo('/itself?well').length > 0)
    const [request] = sending.receiver.requestsTo('/itself?well')
    expect(JSON.parse(request!.body)).toMatchObject({
      type: 'webhook.disabled',
      data: { webhook: { id: hook.id } },
    })
  })

  it('that succeeded before is not reported as recovered', async () => {
    const hook = await createHook(sending, { events: ['link.deleted'] })
    await succeed(hook)
    await judge()
    expect(await listRecoveries(hook)).toEqual([])
  })
})

it('a resumed webhook receives its held deliveries in order, and a success ends its failing state', async () => {
  const hook = await createHook(sending, { max_in_flight: 1 })
  const webhookId = decodeId('wh', hook.id)
  const lane = async () =>
    (await sending.service.db.query<any>('SELECT * FROM lanes WHERE webhook_id = $1', [webhookId]))[0]
  await makeLink(sending.service)
  await waitFor('a failure', async () => (await lane()).failing_since !== null)
  expect((await getWebhook(hook)).failing_since).not.toBeNull()
  await sending.service.db.query(
    `UPDATE lanes SET failing_since = now() - interval '6 days', failures_since = 60 WHERE webhook_id = $1`,
    [webhookId],
  )
  await judge()
  expect((await getWebhook(hook)).status).toBe('disabled')
  const before = sending.receiver.requestsTo(hook.path).length
  for (let i = 0; i < 30; i++) await makeLink(sending.service)
  expect(await getWebhook(hook)).toMatchObject({ held: 31, pending: 0 })

  isDown = false
  const { body } = await sending.service.call('PATCH', `/v1/webhooks/${hook.id}`, {
    body: { status: 'active' },
  })
  expect(Number(body.held) + Number(body.pending)).toBe(31)
  await waitFor('all deliveries', async () => (await readStats(sending, hook)).succeeded === 31, 20_000)
  const firsts = sending.receiver
    .requestsTo(hook.path)
    .slice(before)
    .filter(({ headers }) => headers['webhook-attempt'] === '1')
    .map(({ headers }) => Number(headers['webhook-sequence']))
  expect(firsts).toEqual(Array.from({ length: 30 }, (_, i) => i + 2))
  expect(await getWebhook(hook)).toMatchObject({ failing_since: null, held: 0, pending: 0 })
})

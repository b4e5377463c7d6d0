/** Deliveries through the egress proxy: faults of the proxy delay deliveries, and are not charged to receivers. */
import { hang, refuseWith, startEgressProxy } from '../../support/egress-proxy.js'
import type { TestProxy } from '../../support/egress-proxy.js'
import { createHook, readDeliveries, readStats, recordEvents, startSending } from '../../support/sending.js'
import type { Hook, Sending } from '../../support/sending.js'
import { waitFor } from '../../support/wait-for.js'

const password = 'hunter2-of-the-proxy'
const credentials = Buffer.from(`courier:${password}`).toString('base64')

let proxy: TestProxy
let isStopped = false
let sending: Sending
let operator: string
const log: string[] = []
/** The texts of all responses. */
const shown: string[] = []

beforeAll(async () => {
  proxy = await startEgressProxy()
  sending = await startSending(
    undefined,
    { WEBHOOK_PROXY: proxy.url.replace('//', `//courier:${password}@`), WEBHOOK_TIMEOUT: '2s' },
    (text) => log.push(text),
  )
  operator = (await sending.service.mint('instance:read')).token
})
afterAll(async () => {
  await sending.stop()
  await proxy.stop()
})
afterEach(repairProxy)

async function repairProxy() {
  proxy.fault = null
  proxy.responds = true
  if (isStopped) proxy = await startEgressProxy({ port: proxy.port })
  isStopped = false
}

async function read(path: string, token = sending.service.token) {
  const response = await sending.service.call('GET', path, { token })
  shown.push(response.text)
  return response
}

const readDelivery = async (hook: Hook) => {
  const [delivery] = await readDeliveries(sending, hook)
  const { body } = await read(`/v1/webhooks/${hook.id}/deliveries/${delivery!['id']}`)
  return body
}

async function expectHealthy(hook: Hook) {
  const { body } = await read(`/v1/webhooks/${hook.id}`)
  expect(body).toMatchObject({ status: 'active', failing_since: null, last_error: null })
  const [lane] = await sending.service.db.query(
    `SELECT failures_in_a_row, probe_at, failing_since, failures_since, last_error, paused_until FROM lanes
     JOIN webhooks ON webhooks.id = webhook_id WHERE url LIKE '%' || $1`,
    [hook.path],
  )
  expect(lane).toMatchObject({ failures_in_a_row: 0, probe_at: null, failing_since: null, failures_since: 0 })
}

it('sends through the proxy, with the credentials', async () => {
  const hook = await createHook(sending)
  await recordEvents(sending, 3)
  await waitFor('three requests', () => sending.receiver.requestsTo(hook.path).length === 3)
  expect(proxy.requests.length).toBeGreaterThan(0)
  for (const { headers } of proxy.requests)
    expect(headers['proxy-authorization']).toBe(`Basic ${credentials}`)
  await waitFor('the results', async () => (await readStats(sending, hook)).succeeded === 3)
  expect((await readDelivery(hook)).attempts[0]).toMatchObject({ status_code: 200, remote_address: null })
  await sending.service.call('DELETE', `/v1/webhooks/${hook.id}`)
})

const faults: [string, () => Promise<void> | void][] = [
  [
    'cannot be reached',
    async () => {
      isStopped = true
      await proxy.stop()
    },
  ],
  ['rejects the credentials', () => void (proxy.fault = refuseWith(407, { 'proxy-authenticate': 'Basic' }))],
  ['responds with 503', () => void (proxy.fault = refuseWith(503))],
  [
    'does not respond',
    () => {
      proxy.fault = hang
      proxy.responds = false
    },
  ],
]

describe.each(faults)('while the proxy %s', (_title, breakProxy) => {
  it('deliveries wait, webhooks stay healthy, and everything is delivered afterwards', async () => {
    const hook = await createHook(sending)
    proxy.cutTunnels()
    await breakProxy()
    await recordEvents(sending, 20)
    const [first] = await waitFor('an attempt', async () => {
      const tried = (await readDeliveries(sending, hook)).filter(({ attempt_count }) => attempt_count > 0)
      return tried.length > 0 ? tried : null
    })
    const path = `/v1/webhooks/${hook.id}/deliveries/${first!['id']}`
    const { body: delivery } = await read(path)
    expect(delivery).toMatchObject({ status: 'pending', attempt_count: 1 })
    expect(delivery.attempts).toMatchObject([
      { number: 1, status_code: null, error: { class: 'proxy', phase: 'connect' } },
    ])
    expect(delivery.attempts[0].error.message).toMatch(/^The egress proxy of this service /)
    const explained = await read(`/v1/events/${first!['event_id']}/explain?webhook_id=${hook.id}`)
    expect(explained.body).toMatchObject({ reason: 'waiting_for_proxy', next_step: { action: 'none' } })

    // The proxy is tried again, more often than the retry schedule has steps.
    const { started_at } = delivery.attempts[0]
    await waitFor('another try', async () => {
      const tried = (await readDeliveries(sending, hook)).filter(({ attempt_count }) => attempt_count > 0)
      return tried.length > 1 || (await read(path)).body.attempts[0].started_at > started_at
    })
    await expectHealthy(hook)
    expect(await readStats(sending, hook)).toMatchObject({ attempts: 0, failed: 0, pending: 20 })
    expect((await read('/metrics')).text).toContain(`egress_proxy_up{proxy="127.0.0.1:${proxy.port}"} 0`)
    const instance = (await read('/v1/instance', operator)).body
    const finding = instance.findings.find(({ name }: { name: string }) => name === 'egress_proxy')
    expect(finding).toMatchObject({
      status: 'warn',
      message: expect.stringContaining(`127.0.0.1:${proxy.port}`),
    })

    await repairProxy()
    await waitFor('all deliveries', async () => (await readStats(sending, hook)).succeeded === 20, 60_000)
    await expectHealthy(hook)
    expect(
      new Set(sending.receiver.requestsTo(hook.path).map(({ headers }) => headers['webhook-id'])).size,
    ).toBe(20)
    const recovered = (await read(path)).body
    expect(recovered.attempts.map((each: any) => each.error?.class ?? null)).toEqual(['proxy', null])
    await waitFor('the metric', async () =>
      (await read('/metrics')).text.includes(`egress_proxy_up{proxy="127.0.0.1:${proxy.port}"} 1`),
    )
    await sending.service.call('DELETE', `/v1/webhooks/${hook.id}`)
  })
})

it('charges a receiver that the proxy cannot reach', async () => {
  proxy.cutTunnels()
  proxy.fault = refuseWith(502)
  const hook = await createHook(sending)
  await recordEvents(sending, 1)
  await waitFor('all attempts', async () => (await readStats(sending, hook)).failed === 1, 60_000)
  const { attempts } = await readDelivery(hook)
  expect(attempts).toHaveLength(4)
  for (const { error } of attempts) expect(error.class).toBe('refused')
  expect((await read(`/v1/webhooks/${hook.id}`)).body.failing_since).not.toBeNull()
  await sending.service.call('DELETE', `/v1/webhooks/${hook.id}`)
})

it('keeps the order of an ordered webhook', async () => {
  const hook = await createHook(sending, { ordered: true })
  proxy.cutTunnels()
  proxy.fault = refuseWith(500)
  await recordEvents(sending, 10)
  await waitFor('an attempt', async () =>
    (await readDeliveries(sending, hook)).some(({ attempt_count }) => attempt_count > 0),
  )
  await repairProxy()
  await waitFor('all deliveries', async () => (await readStats(sending, hook)).succeeded === 10, 60_000)
  const sequences = sending.receiver
    .requestsTo(hook.path)
    .map(({ headers }) => Number(headers['webhook-sequence']))
  expect(sequences).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  await sending.service.call('DELETE', `/v1/webhooks/${hook.id}`)
})

it('explains a test that failed in the proxy', async () => {
  const hook = await createHook(sending)
  proxy.cutTunnels()
  proxy.fault = refuseWith(407)
  const { body, text } = await sending.service.call('POST', `/v1/webhooks/${hook.id}/test`)
  shown.push(text)
  expect(body).toMatchObject({
    delivered: false,
    verdict: expect.stringContaining('did not reach the receiver'),
    attempt: { error: { class: 'proxy' } },
  })
  await expectHealthy(hook)
  await sending.service.call('DELETE', `/v1/webhooks/${hook.id}`)
})

it('rejects a private address', async () => {
  const before = proxy.countConnections()
  const { status, body } = await sending.service.call('POST', '/v1/webhooks', {
    body: { url: 'https://10.0.0.1/', events: ['*'] },
  })
  expect(status).toBe(422)
  expect(JSON.stringify(body)).toContain('blocked_address')
  expect(proxy.countConnections()).toBe(before)
})

it('shows the credentials nowhere', async () => {
  const rows = await sending.service.db.query<{ text: string }>(
    `SELECT string_agg(attempts::text, '') || (SELECT string_agg(workers::text, '') FROM workers) AS text FROM attempts`,
  )
  const texts = [...shown, ...log, rows[0]!.text].join('\n')
  expect(texts.length).toBeGreaterThan(10_000)
  for (const secret of [password, credentials, 'courier']) expect(texts).not.toContain(secret)
})

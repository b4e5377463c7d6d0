/** Custom headers reach the receiver. Their values appear nowhere else, even if the receiver returns its request. */
import { readAllRows } from '../../support/database.js'
import { makeLink } from '../../support/factories/links.js'
import { startReceiver } from '../../support/receiver.js'
import type { Receiver } from '../../support/receiver.js'
import { startService } from '../../support/service.js'
import type { ServiceResponse, Service } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

const credentials = ['kQ7vX2-first-credential', 'mZ4wY8-second-credential', 'pT6uR1-rejected-credential']
const [first, second, rejected] = credentials as [string, string, string]

let service: Service
let receiver: Receiver
let log = ''
const responses: ServiceResponse[] = []
beforeAll(async () => {
  receiver = await startReceiver((request, response) => {
    const { 'x-api-key': key, authorization } = request.headers
    const echo = { ...request.headers, text: `${String(key)} ${authorization}` }
    response
      .writeHead(request.path === '/redirect' ? 307 : 500, {
        'x-echo': String(key),
        ...(request.path === '/redirect'
          ? { location: `https://elsewhere.example/?key=${String(key)}` }
          : {}),
      })
      .end(JSON.stringify(echo))
  })
  service = await startService({
    env: {
      ROLE: 'all',
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
      WEBHOOK_RETRY_SCHEDULE: '1s,1s',
    },
    onLog: (text) => (log += text),
  })
})
afterAll(async () => {
  await service.stop()
  await receiver.stop()
})

async function call(method: string, path: string, options: Parameters<Service['call']>[2] = {}) {
  const response = await service.call(method, path, options)
  responses.push(response)
  return response
}

it('a value appears in no response, attempt, log line, audit entry, export or dump', async () => {
  const headers = { 'X-Api-Key': first, Authorization: `Bearer ${second}` }
  const hooks: string[] = []
  for (const path of ['/echo', '/redirect']) {
    const body = { url: receiver.origin + path, events: ['link.created'], headers }
    const options = { body, headers: { 'idempotency-key': `create${path}` } }
    hooks.push((await call('POST', '/v1/webhooks', options)).body.id as string)
    await call('POST', '/v1/webhooks', options)
  }
  const [echo, redirect] = hooks as [string, string]
  await call('PATCH', `/v1/webhooks/${echo}`, { body: { headers: { 'x-api-key': first, 'x-b': '1' } } })
  await call('PATCH', `/v1/webhooks/${echo}`, { body: { headers: { 'x-api-key': `${rejected}\n` } } })
  await call('PATCH', `/v1/webhooks/${echo}`, { body: { headers: { 'webhook-id': rejected } } })
  await call('PATCH', `/v1/webhooks/${echo}`, { body: { url: 'https://elsewhere.example' } })

  const link = await makeLink(service)
  const deliveries = async (id: string) => (await call('GET', `/v1/webhooks/${id}/deliveries`)).body.data
  for (const id of hooks)
    await waitFor('the last attempt', async () => (await deliveries(id))[0]?.status === 'failed', 20_000)

  for (const id of hooks) {
    const [{ id: delivery }] = await deliveries(id)
    const { body } = await call('GET', `/v1/webhooks/${id}/deliveries/${delivery}`)
    expect(body.attempts).toHaveLength(3)
    for (const attempt of body.attempts) {
      expect(attempt.request_headers).toMatchObject({ 'x-api-key': '…', authorization: '…' })
      expect(attempt.response_headers['x-echo']).toBe('…')
      expect(attempt.response_body).toContain('"text":"… Bearer …"')
    }
    await call('GET', `/v1/webhooks/${id}`)
    await call('GET', `/v1/webhooks/${id}/stats`)
    for (const event of ['webhook.test', 'link.created', 'webhook.failing']) {
      const { request, attempt } = (await call('POST', `/v1/webhooks/${id}/test`, { body: { event } })).body
      expect(request.headers).toMatchObject({ 'x-api-key': '…', authorization: '…' })
      expect(request.headers).toEqual(attempt.request_headers)
      expect(request.curl).toContain("-H 'x-api-key: …'")
    }
  }
  await call('GET', `/v1/links/${link.id}/explain`)
  await call('GET', '/v1/webhooks')
  await call('GET', '/v1/events')
  await call('GET', '/v1/audit-log?limit=100')
  await call('GET', '/v1/links/export')
  await call('GET', '/metrics', { undocumented: true })
  await call('DELETE', `/v1/webhooks/${redirect}`, { headers: { 'x-request-id': 'last-request' } })
  await waitFor('the last line of the log', () => log.includes('last-request'))

  const sent = receiver.requestsTo('/echo')
  expect(sent).toHaveLength(6)
  for (const { headers: received } of sent)
    expect(received).toMatchObject({ 'x-api-key': first, authorization: `Bearer ${second}`, 'x-b': '1' })

  const stored = await readAllRows(service.db)
  expect(stored).toContain(receiver.origin)
  for (const credential of credentials) {
    for (const { text } of responses) expect(text).not.toContain(credential)
    expect(log).not.toContain(credential)
    const bytes = Buffer.from(credential)
    for (const form of [credential, bytes.toString('hex'), bytes.toString('base64')])
      expect(stored.includes(form)).toBe(false)
  }
})

/** Webhooks with the format `slack` or `discord` receive a message instead of the event. */
import { Webhook as Verifier } from 'standardwebhooks'

import { expectFieldError } from '../../support/bad-input.js'
import { makeLink } from '../../support/factories/links.js'
import { createHook, readStats, startSending } from '../../support/sending.js'
import type { Sending } from '../../support/sending.js'
import { waitFor } from '../../support/wait-for.js'

let sending: Sending
const failures = new Set<string>()
beforeAll(async () => {
  sending = await startSending(({ path }, response) => {
    const isFirst = path !== '/elsewhere' && !failures.has(path)
    failures.add(path)
    response.writeHead(isFirst ? 500 : 200).end('ok')
  })
})
afterAll(() => sending.stop())

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const patch = (id: string, body: object) => sending.service.call('PATCH', `/v1/webhooks/${id}`, { body })

it.each(['slack', 'discord'])('%s: sends the same signed message in every attempt', async (format) => {
  const { service, receiver } = sending
  const hook = await createHook(sending, { format, secret })
  const link = await makeLink(service, { title: 'A <title>' })
  await waitFor('the success', async () => (await readStats(sending, hook)).succeeded === 1)

  const received = receiver.requestsTo(hook.path)
  expect(received).toHaveLength(2)
  expect(new Set(received.map(({ body }) => body)).size).toBe(1)
  const [{ body, headers }] = received as [(typeof received)[0]]
  expect(JSON.parse(body)).toHaveProperty(format === 'slack' ? 'blocks' : 'allowed_mentions')
  expect(body).toContain(`Link created`)
  expect(body).toContain(`/${link.slug}>`)
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-sequence': '1' })
  expect(() => new Verifier(secret).verify(body, headers as Record<string, string>)).not.toThrow()
})

it('a test shows the message that was sent, and the event', async () => {
  const { service, receiver } = sending
  const hook = await createHook(sending, { format: 'slack' })
  failures.add(hook.path)
  const { body } = await service.call('POST', `/v1/webhooks/${hook.id}/test`, { body: { event: 'click' } })
  expect(body).toMatchObject({ delivered: true, event: { type: 'click' }, attempt: { response_body: 'ok' } })
  expect(receiver.requestsTo(hook.path)[0]!.body).toBe(body.request.body)
  expect(JSON.parse(body.request.body).text).toContain('Germany (DE)')
})

it('a changed format applies to deliveries that are pending', async () => {
  const hook = await createHook(sending)
  await patch(hook.id, { status: 'paused' })
  await makeLink(sending.service)
  const { body } = await patch(hook.id, { status: 'active', format: 'discord' })
  expect(body.format).toBe('discord')
  const [request] = await waitFor('a request', () => {
    const requests = sending.receiver.requestsTo(hook.path)
    return requests.length > 0 ? requests : null
  })
  expect(JSON.parse(request!.body)).toHaveProperty('content')
  const audit = await sending.service.call('GET', `/v1/audit-log?object_id=${hook.id}`)
  expect(audit.body.data[0].details.fields).toEqual(['status', 'format'])
})

it.each([null, '', 'Slack', 'teams', 1, ['slack']])('rejects the format %j', async (format) => {
  const hook = await createHook(sending)
  expectFieldError(await patch(hook.id, { format }), '/format', 'invalid_format')
})

/** Signatures are verified with the packages that receivers use. */
import { Webhook as Standard } from 'standardwebhooks'
import { Webhook as Svix } from 'svix'
import { DataSource } from 'typeorm'

import { eventTypes } from '../../../src/events/catalog.js'
import { payloads } from '../../../src/events/payloads.js'
import type { EventType } from '../../../src/events/catalog.js'
import { EventRecorder } from '../../../src/events/event-recorder.js'
import type { NewEvent } from '../../../src/events/event-recorder.js'
import { makeLink } from '../../support/factories/links.js'
import type { Received } from '../../support/receiver.js'
import { waitFor } from '../../support/wait-for.js'
import { createHook, startSending } from '../../support/sending.js'
import type { Sending } from '../../support/sending.js'

let sending: Sending
beforeAll(async () => (sending = await startSending()))
afterAll(() => sending.stop())

async function emit(type: EventType): Promise<void> {
  const { app, db } = sending.service
  const [workspace] = await db.query<{ id: string }>(`SELECT id FROM workspaces WHERE name = 'default'`)
  const event = { type, workspaceId: workspace!.id, linkId: null, data: payloads[type].example } as NewEvent
  const recorder = app.get(EventRecorder, { strict: false })
  await app.get(DataSource).transaction((tx) => recorder.record(tx, event))
}

function verify({ body, headers }: Received, secret: string): void {
  const given = headers as Record<string, string>
  const isEncoded = secret.startsWith('whsec_')
  expect(
    new Standard(isEncoded ? secret : Buffer.from(secret), isEncoded ? {} : { format: 'raw' }).verify(
      body,
      given,
    ),
  ).toEqual(JSON.parse(body))
  if (isEncoded) expect(new Svix(secret).verify(body, given)).toEqual(JSON.parse(body))
}

const arrivals = (path: string, count: number) =>
  waitFor(`${count} at ${path}`, () => {
    const received = sending.receiver.requestsTo(path)
    return received.length >= count ? received : null
  })

describe('a delivery is verified', () => {
  it.each(eventTypes)('for %s, with a generated secret and with a custom one', async (type) => {
    const generated = await createHook(sending, { events: [type] })
    const given = await createHook(sending, { events: ['*', type], secret: 'pässwörd-ключ of my own' })
    await emit(type)
    for (const { path, secret } of [generated, given]) {
      const [received] = await arrivals(path, 1)
      verify(received!, secret)
      expect(JSON.parse(received!.body)).toMatchObject({ type, data: payloads[type].example })
      await sending.service.call(
        'DELETE',
        `/v1/webhooks/${path === generated.path ? generated.id : given.id}`,
      )
    }
  })

  it('with both secrets during the overlap, and then with the new one only', async () => {
    const { id, path, secret: old } = await createHook(sending)
    const rotate = (overlap: string) =>
      sending.service.call('POST', `/v1/webhooks/${id}/secret/rotate`, { body: { overlap } })
    const { body } = await rotate('1h')
    await makeLink(sending.service)
    const [overlapping] = await arrivals(path, 1)
    verify(overlapping!, old)
    verify(overlapping!, body.secret)
    await sending.service.call('POST', `/v1/webhooks/${id}/secret/rotate`, {
      body: { secret: body.secret, overlap: '0s' },
    })
    await makeLink(sending.service)
    const [, after] = await arrivals(path, 2)
    verify(after!, body.secret)
    expect(() => verify(after!, old)).toThrow()
  })
})

it('has the documented headers and a sequence number per webhook', async () => {
  const hook = await createHook(sending)
  const link = await makeLink(sending.service)
  await arrivals(hook.path, 1)
  await makeLink(sending.service)
  const received = await arrivals(hook.path, 2)
  const [first] = received
  const event = JSON.parse(first!.body)
  expect(event).toEqual({
    id: expect.stringMatching(/^evt_/),
    type: 'link.created',
    timestamp: expect.any(String),
    data: { link: expect.objectContaining({ id: link.id }) },
  })
  expect(first!.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': expect.stringMatching(/^link-service\/\d/),
    'webhook-id': event.id,
    'webhook-attempt': '1',
  })
  expect(received.map(({ headers }) => headers['webhook-sequence'])).toEqual(['1', '2'])
  const read = await sending.service.call('GET', `/v1/events/${event.id}`)
  expect(read.body).toMatchObject(event)
})

it('stores the request headers of each attempt as received', async () => {
  const hook = await createHook(sending, { events: ['link.created'] })
  const attemptsAfter = async (count: number) => {
    const { body: page } = await sending.service.call('GET', `/v1/webhooks/${hook.id}/deliveries?limit=1`)
    return waitFor(`attempt ${count}`, async () => {
      const path = `/v1/webhooks/${hook.id}/deliveries/${page.data[0].id}`
      const { body } = await sending.service.call('GET', path)
      return body.attempts.length === count && body.status === 'succeeded' ? body : null
    })
  }
  await makeLink(sending.service)
  await arrivals(hook.path, 1)
  const { id } = await attemptsAfter(1)
  await sending.service.call('POST', `/v1/webhooks/${hook.id}/secret/rotate`)
  await sending.service.call('POST', `/v1/webhooks/${hook.id}/deliveries/${id}/redeliver`)
  const received = await arrivals(hook.path, 2)
  const { attempts, last_attempt: last } = await attemptsAfter(2)
  for (const [i, { headers }] of received.entries()) {
    const sent = attempts[i].request_headers
    expect(headers).toMatchObject(sent)
    expect(Object.keys(sent)).toEqual([
      'content-type',
      'user-agent',
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
      'webhook-attempt',
      'webhook-sequence',
    ])
  }
  expect(attempts[1].request_headers).toMatchObject({ 'webhook-attempt': '2', 'webhook-sequence': '1' })
  // During the overlap, both secrets sign the request.
  expect(attempts[1].request_headers['webhook-signature'].split(' ')).toHaveLength(2)
  expect(last).toEqual(attempts[1])
})

/** Verification of signed deliveries, and detection of gaps in sequences. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { SequenceGaps, verifyWebhook } from '@link-service/client'
import type { WebhookEvent } from '@link-service/client'

import { exampleEvent } from '../../../src/events/payloads.js'
import { createSignedHeaders, getSigningKey } from '../../../src/webhooks/signing.js'

const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`
const event = exampleEvent('link.created')
const body = JSON.stringify(event)
const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1_000)
const signed = (by = [secret], at = new Date(), text = body) =>
  createSignedHeaders({ id: event.id, body: text, attempt: 1, sequence: 7 }, by.map(getSigningKey), at)

const getErrorCode = (promise: Promise<unknown>) =>
  promise.then(
    () => 'genuine',
    (error) => error.code ?? error.message,
  )

describe('verifyWebhook', () => {
  it('accepts a Request, and headers with a body in any form', async () => {
    const headers = signed()
    const request = new Request('http://receiver.example/', { method: 'POST', headers, body })
    expect(await verifyWebhook(request, secret)).toEqual(event)
    for (const form of [body, Buffer.from(body), new TextEncoder().encode(body).buffer])
      expect(await verifyWebhook({ headers, body: form as string }, secret)).toEqual(event)
    expect(await verifyWebhook({ headers: new Headers(headers), body }, secret)).toEqual(event)
    const upper = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    )
    expect(await verifyWebhook({ headers: upper, body }, secret)).toEqual(event)
  })

  it('reads a request of Node.js up to a limit', async () => {
    const outcomes: Promise<unknown>[] = []
    const server = createServer((request, response) => {
      outcomes.push(verifyWebhook(request, secret))
      outcomes.at(-1)!.then(
        () => response.end(),
        () => response.writeHead(400).end(),
      )
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const send = (headers: Record<string, string>, text: string) =>
      fetch(origin, { method: 'POST', headers, body: text })
    expect((await send(signed(), body)).status).toBe(200)
    expect(await outcomes[0]).toEqual(event)
    const huge = ' '.repeat(1_100_000)
    await send(signed([secret], new Date(), huge), huge).catch(() => undefined)
    expect(await getErrorCode(outcomes[1]!)).toBe('body_too_large')
    server.closeAllConnections()
    server.close()
  })

  it.each([secret, 'plain words', 'Schlüssel ☃', 'YWJj', 'whsec_YQ=='])(
    'accepts only signatures by the secret %j',
    async (each) => {
      expect(await verifyWebhook({ headers: signed([each]), body }, each)).toEqual(event)
      expect(await getErrorCode(verifyWebhook({ headers: signed([`x${each}`]), body }, each))).toBe(
        'signature_mismatch',
      )
    },
  )

  it('accepts one valid signature by one of the secrets', async () => {
    const headers = signed(['the new one', secret])
    expect(await verifyWebhook({ headers, body }, ['another', 'the new one'])).toEqual(event)
    expect(await verifyWebhook({ headers, body }, secret)).toEqual(event)
    expect(await getErrorCode(verifyWebhook({ headers, body }, ['another']))).toBe('signature_mismatch')
  })

  it('rejects a changed body, ID, timestamp or signature', async () => {
    const headers = signed()
    const changed = (name: string, value: string) => ({ headers: { ...headers, [name]: value }, body })
    const now = String(Math.floor(Date.now() / 1_000) + 1)
    expect(await getErrorCode(verifyWebhook({ headers, body: `${body} ` }, secret))).toBe(
      'signature_mismatch',
    )
    expect(await getErrorCode(verifyWebhook(changed('webhook-id', 'evt_other'), secret))).toBe(
      'signature_mismatch',
    )
    expect(await getErrorCode(verifyWebhook(changed('webhook-timestamp', now), secret))).toBe(
      'signature_mismatch',
    )
    const [version, text] = headers['webhook-signature'].split(',')
    for (const wrong of ['v1', `v1a,${text}`, `${text}`, `${version},`, `v1,${text!.slice(4)}`, 'v1,!!', ','])
      expect(await getErrorCode(verifyWebhook(changed('webhook-signature', wrong), secret))).toBe(
        'signature_mismatch',
      )
  })

  it('rejects timestamps outside the tolerance', async () => {
    const at = (seconds: number, tolerance?: number) =>
      getErrorCode(
        verifyWebhook(
          { headers: signed([secret], secondsAgo(seconds)), body },
          secret,
          tolerance === undefined ? {} : { tolerance },
        ),
      )
    expect(await at(290)).toBe('genuine')
    expect(await at(310)).toBe('timestamp_out_of_tolerance')
    expect(await at(-310)).toBe('timestamp_out_of_tolerance')
    expect(await at(310, 600)).toBe('genuine')
    expect(await at(60, 10)).toBe('timestamp_out_of_tolerance')
    for (const timestamp of ['now', '-1', '1e9', 'NaN', 'Infinity'])
      expect(
        await getErrorCode(
          verifyWebhook({ headers: { ...signed(), 'webhook-timestamp': timestamp }, body }, secret),
        ),
      ).toBe('timestamp_out_of_tolerance')
  })

  it('rejects missing headers', async () => {
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
      expect(
        await getErrorCode(verifyWebhook({ headers: { ...signed(), [name]: undefined }, body }, secret)),
      ).toBe('missing_header')
  })

  it('rejects a signed body that is not an event', async () => {
    for (const text of ['', 'null', '[]', '"x"', '{"id":1}'])
      expect(
        await getErrorCode(
          verifyWebhook({ headers: signed([secret], new Date(), text), body: text }, secret),
        ),
      ).toBe('not_an_event')
  })

  it('returns events of unknown types', async () => {
    const newer = JSON.stringify({ ...event, type: 'link.archived' })
    const unknown = await verifyWebhook({ headers: signed([secret], new Date(), newer), body: newer }, secret)
    expect(describeEvent(unknown)).toBe('unknown: link.archived')
    expect(describeEvent(await verifyWebhook({ headers: signed(), body }, secret))).toBe(
      `created: ${event.data.link.slug}`,
    )
  })
})

/** Compiles only if the type of an event determines its data. */
function describeEvent(event: WebhookEvent): string {
  switch (event.type) {
    case 'link.created':
      return `created: ${event.data.link.slug}`
    case 'click':
      return `clicked: ${event.data.click.id}`
    default:
      return `unknown: ${event.type}`
  }
}

it.each([
  ['no secret', []],
  ['an empty secret', ''],
  ['an empty secret among others', [secret, '']],
  ['a missing setting', undefined as unknown as string],
])('verifyWebhook throws for %s', async (_name, secrets) => {
  expect(await getErrorCode(verifyWebhook({ headers: signed(), body }, secrets))).toContain(
    'needs the secret',
  )
})

it('verifyWebhook throws for a parsed body', async () => {
  const parsed = { headers: signed(), body: event as unknown as string }
  expect(await getErrorCode(verifyWebhook(parsed, secret))).toContain('the raw body')
})

describe('SequenceGaps', () => {
  it('tracks gaps that are filled in any order', () => {
    const gaps = new SequenceGaps({ after: 0 })
    expect([1, 2, 5, 9].map((number) => gaps.note(number))).toEqual([true, true, true, true])
    expect(gaps.missing).toEqual([
      [3, 4],
      [6, 8],
    ])
    expect([7, 4, 3].map((number) => gaps.note(number))).toEqual([true, true, true])
    expect(gaps.missing).toEqual([
      [6, 6],
      [8, 8],
    ])
    expect([1, 7, 9].map((number) => gaps.note(number))).toEqual([false, false, false])
    expect([6, 8].map((number) => gaps.note(number))).toEqual([true, true])
    expect(gaps.missing).toEqual([])
  })

  it('does not report a delivery from before the first one as repeated', () => {
    const gaps = new SequenceGaps()
    expect([10, 9, 5, 10].map((number) => gaps.note(number))).toEqual([true, true, true, false])
    expect(gaps.missing).toEqual([])
  })

  it('starts with the first delivery, reads headers, and ignores tests without a sequence', () => {
    const gaps = new SequenceGaps()
    expect(gaps.note(signed())).toBe(true)
    expect(gaps.note(signed())).toBe(false)
    expect(gaps.note({ 'Webhook-Sequence': '9' })).toBe(true)
    expect(gaps.missing).toEqual([[8, 8]])
    expect(gaps.note({})).toBe(true)
    expect(gaps.missing).toEqual([[8, 8]])
  })
})

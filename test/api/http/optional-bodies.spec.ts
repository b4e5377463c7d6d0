/** Optional bodies may be absent, empty or null, because generated clients send each of these. */
import { randomUUID } from 'node:crypto'

import { makeWebhook } from '../../support/factories/deliveries.js'
import { operations } from '../../support/openapi/document.js'
import { exchange } from '../../support/raw-socket.js'
import type { RawResponse } from '../../support/raw-socket.js'
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'

let service: Service
beforeAll(async () => {
  service = await shareService()
})
afterAll(() => service.stop())

type Headers = Record<string, string | number>

function send(method: string, path: string, headers: Headers, body: string): Promise<RawResponse> {
  const all = { host: 'localhost', authorization: `Bearer ${service.token}`, ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return exchange(service.origin, `${method} /api${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
}

const json = 'application/json'
const ways: [name: string, headers: Headers, body: string][] = [
  ['no body', {}, ''],
  ['no body, with a content type', { 'content-type': json }, ''],
  ['Content-Length: 0', { 'content-length': 0 }, ''],
  ['Content-Length: 0, with a content type', { 'content-type': json, 'content-length': 0 }, ''],
  [
    'Content-Length: 0, with the type of curl',
    { 'content-type': 'application/x-www-form-urlencoded', 'content-length': 0 },
    '',
  ],
  ['Content-Length: 0, with an empty content type', { 'content-type': '', 'content-length': 0 }, ''],
  ['Content-Length: 0, with a streamed type', { 'content-type': 'text/csv', 'content-length': 0 }, ''],
  ['an empty chunked body', { 'content-type': json, 'transfer-encoding': 'chunked' }, '0\r\n\r\n'],
  ['null', { 'content-type': json, 'content-length': 4 }, 'null'],
  ['null in whitespace', { 'content-type': json, 'content-length': 6 }, ' null\n'],
]

/** A test to a blocked address ends immediately. */
const url = 'https://127.0.0.1:2/'

/** Creates the object of an operation with an optional body, and returns its path. */
const paths: Record<string, () => Promise<string>> = {
  createPortalLink: async () => `/v1/webhooks/${(await makeWebhook(service, { url })).id}/portal`,
  rotateToken: async () => `/v1/auth/token/${(await service.mint('links:read')).id}/rotate`,
  rotateWebhookSecret: async () => `/v1/webhooks/${(await makeWebhook(service, { url })).id}/secret/rotate`,
  sendTestEvent: async () => `/v1/webhooks/${(await makeWebhook(service, { url })).id}/test`,
}

it('covers every operation with an optional body', () => {
  const optional = operations.filter(({ requestBody }) => requestBody?.required === false)
  expect(optional.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(paths).sort())
})

describe.each(Object.keys(paths))('%s', (operationId) => {
  it.each(ways)('accepts %s', async (_, headers, body) => {
    const { status } = await send('POST', await paths[operationId]!(), headers, body)
    expect(status).toBe(operationId === 'rotateToken' || operationId === 'createPortalLink' ? 201 : 200)
  })

  it.each([
    ['{', 400],
    ['[]', 422],
    ['"null"', 422],
  ])('rejects the body %s', async (body, status) => {
    const headers = { 'content-type': json, 'content-length': body.length }
    expect((await send('POST', await paths[operationId]!(), headers, body)).status).toBe(status)
  })
})

it('replays the response to all of them with the same idempotency key', async () => {
  const path = await paths['rotateToken']!()
  const key = { 'idempotency-key': randomUUID() }
  const ids = new Set<string>()
  for (const [, headers, body] of ways)
    ids.add((await send('POST', path, { ...headers, ...key }, body)).body.id)
  expect(ids.size).toBe(1)
})

const refusals: [method: string, path: string, headers: Headers, body: string, status: number][] = [
  ['POST', '/v1/auth/token', { 'content-type': json, 'content-length': 0 }, '', 400],
  ['POST', '/v1/auth/token', { 'content-type': json, 'content-length': 4 }, 'null', 422],
  ['POST', '/v1/links', { 'content-length': 0 }, '', 422],
  ['POST', '/v1/links', { 'content-type': json, 'content-length': 0 }, '', 400],
  ['POST', '/v1/links', { 'content-type': json, 'content-length': 4 }, 'null', 422],
  ['PATCH', '/v1/webhooks/wh_0', { 'content-type': json, 'content-length': 0 }, '', 400],
  ['PATCH', '/v1/webhooks/wh_0', { 'content-type': json, 'content-length': 4 }, 'null', 422],
]

it.each(refusals)(
  'rejects a missing required body: %s %s %j %s',
  async (method, path, headers, body, status) => {
    expect((await send(method, path, headers, body)).status).toBe(status)
  },
)

/** Runs the vectors of clients/conformance with the TypeScript client. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { etagOf, LinkService, verifyWebhook, verifyWebhookBatch } from '@link-service/client'

import { waitBeforeRetry } from '../../../clients/typescript/src/retry.js'
import { ServerError } from '../../../clients/typescript/src/errors.js'

const read = (name: string) => JSON.parse(readFileSync(`clients/conformance/${name}.json`, 'utf8'))
const areas = ['retries', 'pagination', 'errors', 'idempotency', 'updates', 'values', 'requests']

type Call = Record<string, any>

async function take(items: AsyncIterable<unknown>, count = Infinity): Promise<unknown[]> {
  const taken: unknown[] = []
  for await (const item of items) {
    taken.push(item)
    if (taken.length >= count) break
  }
  return taken
}

function update(client: LinkService, { path, body, change, if_match: ifMatch }: Call) {
  if (change === undefined) return client.links.update(path[0], body, { ifMatch })
  return client.links.update(path[0], ({ tags }) => change && { tags: [...tags, change.append_tag] })
}

const operations: Record<string, (client: LinkService, call: Call) => Promise<unknown>> = {
  listLinks: (client, { query, take: count }) => take(client.links.list(query), count),
  followEvents: (client, { after, take: count }) => take(client.events.follow({ after }), count),
  createLink: (client, { body, idempotency_key: idempotencyKey }) =>
    client.links.create(body, { idempotencyKey }),
  createLinks: (client, { body }) => client.links.createMany(body),
  getLink: (client, { path }) => client.links.get(path[0]),
  getLinkBySlug: (client, { path }) => client.links.getBySlug(path[0]),
  putLinkByExternalId: (client, { path, body }) => client.links.putByExternalId(path[0], body),
  updateLink: update,
  deleteLink: (client, { path, if_match: ifMatch }) => client.links.delete(path[0], { ifMatch }),
  revokeOwnToken: (client) => client.tokens.revokeSelf(),
  getWebhook: (client, { path }) => client.webhooks.get(path[0]),
  sendTestEvent: (client, { path }) => client.webhooks.test(path[0]),
  getEvent: (client, { path }) => client.events.get(path[0]),
  getAnalytics: (client, { query }) => client.analytics.get(query),
  createImport: (client, { query, file, is_stream: isStream }) =>
    client.imports.create(isStream ? new Blob([file]).stream() : file, query),
}

interface ReceivedRequest {
  method: string
  path: string
  query: Record<string, string>
  headers: Record<string, unknown>
  body: unknown
}

interface Outcome {
  result?: any
  error?: any
  waits: number[]
  requests: ReceivedRequest[]
}

async function play({ client = {}, call, exchanges }: Call): Promise<Outcome> {
  const outcome: Outcome = { waits: [], requests: [] }
  const server = createServer((request, response) => {
    readRequest(request).then(
      (received) => respond(response, exchanges[outcome.requests.push(received) - 1]?.response),
      () => response.destroy(),
    )
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { base_url_suffix: suffix = '', max_retries: maxRetries, timeout_ms: timeoutMs } = client
  const caller = new LinkService({
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${suffix}`,
    token: 'lsk_test',
    maxRetries,
    timeoutMs,
    onRetry: ({ waitMs }) => outcome.waits.push(waitMs),
  })
  try {
    outcome.result = await operations[call.operation]!(caller, call)
  } catch (error) {
    outcome.error = error
  }
  server.close()
  server.closeAllConnections()
  return outcome
}

async function readRequest(request: IncomingMessage): Promise<ReceivedRequest> {
  const text = Buffer.concat(await request.toArray()).toString()
  const { pathname, searchParams } = new URL(`http://test${request.url}`)
  return {
    method: request.method!,
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: request.headers,
    body: text === '' ? undefined : JSON.parse(text),
  }
}

function respond(response: ServerResponse, canned?: Call): void {
  if (canned?.['hang']) return
  if (!canned || canned['cut']) return void response.destroy()
  const { status, headers = {}, json, text } = canned
  for (const [name, value] of Object.entries(headers as Record<string, string>))
    response.setHeader(
      name,
      value.replace(/^\{date\+(\d+)\}$/, (_all, seconds) => httpDateIn(Number(seconds))),
    )
  response.writeHead(status, { connection: 'close' }).end(json === undefined ? text : JSON.stringify(json))
}

function httpDateIn(seconds: number): string {
  return new Date(Date.now() + seconds * 1_000).toUTCString()
}

function compareRequests(requests: ReceivedRequest[], exchanges: Call[]): void {
  expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual(
    exchanges.map(({ request: { method, path } }) => `${method} ${path}`),
  )
  for (const [index, { request: expected }] of exchanges.entries()) {
    const received = requests[index]!
    if (expected.query) expect(received.query).toEqual(expected.query)
    if (expected.body) expect(received.body).toEqual(expected.body)
    for (const [name, value] of Object.entries(expected.headers ?? {})) {
      if (value === '*') expect(received.headers[name]).toMatch(/./)
      if (value === '*') expect(received.headers[name]).toBe(requests[0]!.headers[name])
      else expect(received.headers[name] ?? null).toBe(value)
    }
  }
}

function compareError(error: any, { type, ...members }: Call): void {
  if (type === 'InvalidArgument') return expect(error).toBeInstanceOf(TypeError)
  const { name, requestId: request_id, retryAfterMs: retry_after_ms, ...rest } = error
  expect({ ...rest, type: name, request_id, retry_after_ms }).toMatchObject({ ...members, type })
}

describe.each(areas)('%s', (area) => {
  const cases: Call[] = read(area).cases
  const outcomes = new Map<string, Outcome>()
  // Run all cases in parallel, because many of them wait.
  beforeAll(async () => {
    await Promise.all(cases.map(async (each) => outcomes.set(each['name'], await play(each))))
  })

  it.each(cases.map((each) => [each['name'], each] as const))('%s', (name, expected) => {
    const { result, error, waits, requests } = outcomes.get(name)!
    compareRequests(requests, expected['exchanges'])
    if (expected['waits_ms']) {
      expect(waits).toHaveLength(expected['waits_ms'].length)
      for (const [index, [least, most]] of expected['waits_ms'].entries()) {
        expect(waits[index]).toBeGreaterThanOrEqual(least)
        expect(waits[index]).toBeLessThanOrEqual(most)
      }
    }
    if (expected['error']) return compareError(error, expected['error'])
    expect(error).toBeUndefined()
    if (expected['result'] === null) expect(result).toBeUndefined()
    else expect(result).toMatchObject(expected['result'])
    if (expected['etag'] === null) expect(() => etagOf(result)).toThrow('This object has no entity tag.')
    else if ('etag' in expected) expect(etagOf(result)).toBe(expected['etag'])
  })
})

it.each(read('retries').waits as Call[])('waits $wait_ms after $tries attempts', (each) => {
  const error = new ServerError({ message: '', status: 503, code: '', retryAfterMs: each['retry_after_ms'] })
  const limits = { maxRetries: each['max_retries'], maxRetryWaitMs: each['max_retry_wait_ms'] }
  const waitMs = waitBeforeRetry(error, each['tries'], true, limits)
  if (each['wait_ms'] === null) return expect(waitMs).toBeNull()
  expect(waitMs).toBeGreaterThanOrEqual(each['wait_ms'][0])
  expect(waitMs).toBeLessThanOrEqual(each['wait_ms'][1])
})

describe('signatures', () => {
  const { now, tolerance, cases, batches } = read('signatures')
  // A spy on `Date.now` would also change the time of the shared service, which uses the same object.
  const RealDate = Date
  beforeAll(() => {
    globalThis.Date = class extends RealDate {
      static override now = () => now * 1_000
    } as DateConstructor
  })
  afterAll(() => void (globalThis.Date = RealDate))

  it.each(cases as Call[])('$name', async ({ secrets, headers, body, event, error }) => {
    const verified = verifyWebhook({ headers, body }, secrets, { tolerance })
    if (error) await expect(verified).rejects.toMatchObject({ code: error })
    else expect(await verified).toEqual(event)
  })

  it.each(batches as Call[])('$name', async ({ secrets, headers, body, batch, error }) => {
    const verified = verifyWebhookBatch({ headers, body }, secrets, { tolerance })
    if (error) await expect(verified).rejects.toMatchObject({ code: error })
    else expect(await verified).toEqual(batch)
  })
})

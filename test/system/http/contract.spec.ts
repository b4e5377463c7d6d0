/**
 * Every operation of openapi.json is called with requests that are made from the document itself. What the document
 * allows is accepted, what it forbids is refused, and each answer is one that it declares (the helper looks).
 */
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'

import fc from 'fast-check'

import { startReceiver } from '../../support/receiver.js'
import type { Receiver } from '../../support/receiver.js'
import { startService } from '../../support/service.js'
import type { Answer, Service } from '../../support/service.js'
import { operations } from '../../support/openapi/document.js'
import type { Operation } from '../../support/openapi/document.js'
import { kindOf, Objects, unknownId } from '../../support/openapi/objects.js'
import { requestsFor, segment } from '../../support/openapi/requests.js'
import type { Chosen, GeneratedRequest } from '../../support/openapi/requests.js'

const seed = Number(process.env['CONTRACT_SEED'] ?? Date.now() % 2 ** 31)
const leastRequests = 3_000

const perOperation = Math.ceil(leastRequests / operations.length)

let service: Service
let receiver: Receiver
let objects: Objects
const counts = new Map<string, Record<string, number>>(operations.map(({ name }) => [name, {}]))

beforeAll(async () => {
  receiver = await startReceiver()
  service = await startService({
    env: {
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
      // The requests create more than a workspace may have.
      WORKSPACE_WEBHOOKS: 'off',
      WORKSPACE_IMPORTS: 'off',
      WORKSPACE_REPLAYS: 'off',
    },
  })
  objects = await Objects.make(service, receiver.origin)
})
afterAll(async () => {
  await service.stop()
  await receiver.stop()
})

describe(`${perOperation} requests for each operation (CONTRACT_SEED=${seed})`, () => {
  it.each(operations.map((operation) => [operation.name, operation] as const))(
    '%s',
    async (name, operation) => {
      const keepsItsPromise = fc.asyncProperty(requestsFor(operation), async (request) => {
        const answer = await send(operation, request)
        // A redirect is what a short link is for.
        const ofClass = answer.status < 400 ? '2xx' : `${Math.floor(answer.status / 100)}xx`
        const counted = counts.get(name)!
        counted[ofClass] = (counted[ofClass] ?? 0) + 1
        const isAsPromised = answersTo(request).includes(answer.status === 409 ? '409' : ofClass)
        expect({ isAsPromised, answer: answer.text }).toEqual({ isAsPromised: true, answer: answer.text })
      })
      await fc.assert(keepsItsPromise, { seed, numRuns: perOperation })
    },
  )

  it('each was accepted and refused at least once', () => {
    const rows = [...counts].map(([name, counted]) => `${name}: ${JSON.stringify(counted)}`)
    const sum = [...counts.values()]
      .flatMap((counted) => Object.values(counted))
      .reduce((total, count) => total + count, 0)
    console.log(`CONTRACT_SEED=${seed}: ${sum} requests\n${rows.join('\n')}`)
    expect(sum).toBeGreaterThanOrEqual(leastRequests)
    for (const [name, counted] of counts)
      expect({ name, ...counted }).toMatchObject({
        '2xx': expect.any(Number),
        '4xx': expect.any(Number),
      })
  })
})

/** A conflict with what is already there can befall every request that is right. */
function answersTo({ promised }: GeneratedRequest): string[] {
  return { accepted: ['2xx', '409'], refused: ['4xx', '409'], either: ['2xx', '4xx', '409'] }[promised]
}

async function send(operation: Operation, request: GeneratedRequest): Promise<Answer> {
  const { method, path } = operation
  const kinds = operation.parameters
    .filter(({ name }) => name in request.ids)
    .map(({ name }) => kindOf(operation, name))
  // What is only read can be read by all.
  const own =
    method === 'GET'
      ? objects.shared
      : await objects.fresh(path.startsWith('/v1/links/bulk/') ? ['lnk'] : kinds)
  const written = externalIdIn(request)
  if (written !== null) own.external_id = written
  const idFor = (name: string, chosen: Chosen) => {
    const kind = kindOf(operation, name)
    if (chosen === 'unknown') return unknownId(kind)
    return typeof chosen === 'object'
      ? segment(chosen.malformed)
      : (chosen === 'own' ? own : objects.foreign)[kind]!
  }
  const pathname = path.replace(/\{(\w+)\}/g, (_, name: string) => idFor(name, request.ids[name]!))
  const query = new URLSearchParams(
    request.query.map(([name, value]): [string, string] => [
      name,
      value === 'own' ? idFor(name, value) : asText(value),
    ]),
  )
  const token = await objects.tokenFor(request.token, operation)
  // What a PUT makes has no version before it.
  const present = () => (method === 'PUT' ? null : versionOf(pathname, token))
  const version = request.version === 'current' ? await present() : '"stale"'
  return service.call(method, query.size > 0 ? `${pathname}?${query.toString()}` : pathname, {
    token,
    undocumented: false,
    headers: {
      ...(request.body ? { 'content-type': request.body.type } : {}),
      ...(request.key === 'none' ? {} : { 'idempotency-key': keyOf(request.key) }),
      ...(request.version !== 'any' && version ? { 'if-match': version } : {}),
    },
    ...(request.body && 'json' in request.body ? { body: withIds(request.body.json, own.lnk) } : {}),
    ...(request.body && 'raw' in request.body ? { raw: request.body.raw } : {}),
  })
}

/** In place of those that the document cannot know. */
const withIds = (json: unknown, id = '') =>
  isDeepStrictEqual((json as { ids?: unknown } | null)?.ids, ['own'])
    ? { ...(json as object), ids: [id] }
    : json

/** The address must name the same as the body, if that names one. */
function externalIdIn({ body }: GeneratedRequest): string | null {
  const named = body && 'json' in body && (body.json as { external_id?: unknown } | null)?.external_id
  return typeof named === 'string' && /^[a-z0-9]{12,255}$/.test(named) ? named : null
}

const keyOf = (kind: 'short' | 'longest' | 'too long') =>
  randomUUID().padEnd({ short: 0, longest: 255, 'too long': 256 }[kind], '-')

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

async function versionOf(pathname: string, token: string | null): Promise<string | null> {
  return (await service.call('GET', pathname, { token })).headers.get('etag')
}

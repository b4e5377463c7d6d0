/**
 * Calls every operation of openapi.json with generated requests. Requests that the document allows are accepted, other
 * requests are rejected, and `call` compares each response with the document.
 */
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'

import fc from 'fast-check'

import { decodeId } from '../../../src/platform/database/ids.js'
import { startReceiver } from '../../support/receiver.js'
import type { Receiver } from '../../support/receiver.js'
import { startService } from '../../support/service.js'
import type { ServiceResponse, Service } from '../../support/service.js'
import { operations } from '../../support/openapi/document.js'
import type { Operation } from '../../support/openapi/document.js'
import { getKind, Objects, unknownId } from '../../support/openapi/objects.js'
import { requestsFor, segment } from '../../support/openapi/requests.js'
import type { Chosen, GeneratedRequest } from '../../support/openapi/requests.js'

const seed = Number(process.env['CONTRACT_SEED'] ?? Date.now() % 2 ** 31)
const minRequests = 3_000

const perOperation = Math.ceil(minRequests / operations.length)

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
      WORKSPACE_NOTICE_TARGETS: 'off',
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

describe(`${perOperation} generated requests per operation (CONTRACT_SEED=${seed})`, () => {
  it.each(operations.map((operation) => [operation.name, operation] as const))(
    '%s accepts and rejects requests as documented',
    async (name, operation) => {
      const matchesDocument = fc.asyncProperty(requestsFor(operation), async (request) => {
        // A test of notices is possible once every ten seconds.
        await service.db.query('DELETE FROM notice_tests')
        const response = await send(operation, request)
        // The redirect of a short link counts as a success.
        const statusClass = response.status < 400 ? '2xx' : `${Math.floor(response.status / 100)}xx`
        const counted = counts.get(name)!
        counted[statusClass] = (counted[statusClass] ?? 0) + 1
        const isExpected = expectedStatuses(request).includes(response.status === 409 ? '409' : statusClass)
        expect({ isExpected, response: response.text }).toEqual({ isExpected: true, response: response.text })
      })
      await fc.assert(matchesDocument, { seed, numRuns: perOperation })
    },
  )

  it('covers a success and a refusal of every operation', () => {
    const rows = [...counts].map(([name, counted]) => `${name}: ${JSON.stringify(counted)}`)
    const sum = [...counts.values()]
      .flatMap((counted) => Object.values(counted))
      .reduce((total, count) => total + count, 0)
    console.log(`CONTRACT_SEED=${seed}: ${sum} requests\n${rows.join('\n')}`)
    expect(sum).toBeGreaterThanOrEqual(minRequests)
    for (const [name, counted] of counts)
      expect({ name, ...counted }).toMatchObject({
        '2xx': expect.any(Number),
        '4xx': expect.any(Number),
      })
  })
})

/** A valid request may conflict with an existing object. */
function expectedStatuses({ promised }: GeneratedRequest): string[] {
  return { accepted: ['2xx', '409'], refused: ['4xx', '409'], either: ['2xx', '4xx', '409'] }[promised]
}

async function send(operation: Operation, request: GeneratedRequest): Promise<ServiceResponse> {
  const { method, path } = operation
  const kinds = operation.parameters
    .filter(({ name }) => name in request.ids)
    .map(({ name }) => getKind(operation, name))
  // Requests that only read share their objects.
  const own = method === 'GET' ? objects.shared : await objects.fresh([...kinds, ...kindsInBody(path)])
  if (path.endsWith('/skip')) await postpone(own.dlv!)
  const written = externalIdIn(request)
  if (written !== null) own.external_id = written
  const idFor = (name: string, chosen: Chosen) => {
    const kind = getKind(operation, name)
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
  // An object that a PUT creates has no previous version.
  const currentVersion = () => (method === 'PUT' ? null : getEtag(pathname, token))
  const version = request.version === 'current' ? await currentVersion() : '"stale"'
  return service.call(method, query.size > 0 ? `${pathname}?${query.toString()}` : pathname, {
    token,
    undocumented: false,
    headers: {
      ...(request.body ? { 'content-type': request.body.type } : {}),
      ...(request.key === 'none' ? {} : { 'idempotency-key': createKey(request.key) }),
      ...(request.version !== 'any' && version ? { 'if-match': version } : {}),
    },
    ...(request.body && 'json' in request.body ? { body: withIds(request.body.json, own) } : {}),
    ...(request.body && 'raw' in request.body ? { raw: request.body.raw } : {}),
  })
}

/** Only a pending delivery can be skipped. */
async function postpone(deliveryId: string): Promise<void> {
  await service.db.query(
    `UPDATE deliveries SET status = 'pending', completed_at = NULL, next_attempt_at = now() + interval '1 hour'
     WHERE id = $1`,
    [decodeId('dlv', deliveryId)],
  )
}

function kindsInBody(path: string): ('lnk' | 'evt')[] {
  if (path.startsWith('/v1/links/bulk/')) return ['lnk']
  return path.endsWith('/filter/test') ? ['evt'] : []
}

/** Replaces the placeholders for IDs that exist. */
function withIds(json: unknown, { lnk = '', evt = '' }: Awaited<ReturnType<Objects['fresh']>>): unknown {
  const { ids, event_id } = (json ?? {}) as { ids?: unknown; event_id?: unknown }
  if (isDeepStrictEqual(ids, ['own'])) return { ...(json as object), ids: [lnk] }
  return event_id === 'own' ? { ...(json as object), event_id: evt } : json
}

/** Returns the external ID in the body, which the path must repeat. */
function externalIdIn({ body }: GeneratedRequest): string | null {
  const named = body && 'json' in body && (body.json as { external_id?: unknown } | null)?.external_id
  return typeof named === 'string' && /^[a-z0-9]{12,255}$/.test(named) ? named : null
}

const createKey = (kind: 'short' | 'longest' | 'too long') =>
  randomUUID().padEnd({ short: 0, longest: 255, 'too long': 256 }[kind], '-')

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

async function getEtag(pathname: string, token: string | null): Promise<string | null> {
  return (await service.call('GET', pathname, { token })).headers.get('etag')
}

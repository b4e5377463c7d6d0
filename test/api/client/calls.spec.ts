/** The calls and errors of the client against the service. */
import { readFile } from 'node:fs/promises'
import { inspect } from 'node:util'

import {
  ConflictError,
  ConnectionError,
  ForbiddenError,
  LinkService,
  LinkServiceError,
  NotFoundError,
  TimeoutError,
  UnauthorizedError,
  ValidationError,
} from '@link-service/client'

import { startRelay } from '../../support/relay.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'

let service: Service
let client: LinkService
/** Nothing listens on this port, which is too low to be chosen for another server. */
const unusedOrigin = 'http://127.0.0.1:2'
beforeAll(async () => {
  service = await startService({ env: { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' } })
  client = new LinkService({ baseUrl: `${service.origin}/api`, token: service.token })
})
afterAll(() => service.stop())

const getRejection = (promise: Promise<unknown>): Promise<LinkServiceError> =>
  promise.then(
    () => {
      throw new Error('The call succeeded.')
    },
    (error: LinkServiceError) => error,
  )

it('has a call for every operation of the document', async () => {
  const { paths } = JSON.parse(await readFile('openapi.json', 'utf8'))
  const ids = Object.entries<any>(paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .flatMap(([, item]) => Object.values<any>(item).flatMap(({ operationId }) => operationId ?? []))
  const files = ['client.ts', 'live.ts', 'imports.ts']
  const texts = await Promise.all(files.map((name) => readFile(`clients/typescript/src/${name}`, 'utf8')))
  const missing = ids.filter((id: string) => !texts.some((text) => text.includes(`'${id}'`)))
  expect(missing).toEqual([])
})

it('calls an operation by its ID', async () => {
  const { id } = await client.call('createLink', { body: { url: 'https://example.com/by-id' } })
  expect(await client.call('getLink', { path: [id] })).toMatchObject({ url: 'https://example.com/by-id' })
  const { data } = await client.call('listLinks', { query: { q: 'by-id' } })
  expect(data).toHaveLength(1)
})

it('rejects the ID of an operation that it does not know', async () => {
  for (const id of ['archiveLink', 'toString'])
    await expect(client.call(id as 'getLink', {})).rejects.toThrow(
      new TypeError(`This version of the client has no operation ${id}.`),
    )
})

it('returns the settings of the service with instance:read', async () => {
  const { token } = await service.mint('instance:read')
  const { settings, findings } = await new LinkService({
    baseUrl: `${service.origin}/api`,
    token,
  }).instance.get()
  expect(settings.find(({ name }) => name === 'WEBHOOK_ALLOW_HTTP')).toMatchObject({ value: 'true' })
  expect(findings.length).toBeGreaterThan(5)
  expect(await getRejection(client.instance.get())).toBeInstanceOf(ForbiddenError)
})

it('creates, reads, updates and deletes links', async () => {
  const created = await client.links.create({ url: 'https://target.example/a', tags: ['one'] })
  expect(await client.links.get(created.id)).toEqual(created)
  const changed = await client.links.update(created.id, { title: 'A title' })
  expect(changed).toMatchObject({ id: created.id, title: 'A title', tags: ['one'] })
  expect(await client.links.delete(created.id)).toBeUndefined()
  expect(await getRejection(client.links.get(created.id))).toBeInstanceOf(NotFoundError)
  expect(
    await client.links
      .clicks(created.id)
      .page()
      .catch((error) => error.code),
  ).toBe('not_found')
})

it('creates, rotates and revokes tokens', async () => {
  const created = await client.tokens.create({ name: 'ci', scopes: ['links:read'], expires_in: '1d' })
  const own = new LinkService({
    baseUrl: `${service.origin}/api`,
    token: () => Promise.resolve(created.token),
  })
  expect(await own.tokens.self()).toMatchObject({ id: created.id, name: 'ci' })
  const rotated = await client.tokens.rotate(created.id, { overlap: '1h' })
  expect(rotated).toMatchObject({ rotated_from: created.id, token: expect.any(String) })
  expect((await client.tokens.list().toArray()).map(({ id }) => id)).toContain(rotated.id)
  await client.tokens.revoke(rotated.id, { descendants: true })
  await client.tokens.revokeByValue(created.token)
  expect(await getRejection(own.tokens.self())).toMatchObject({ code: 'token_revoked', status: 401 })
})

it('creates, tests, updates and deletes webhooks, and reads their deliveries', async () => {
  const hook = await client.webhooks.create({ url: `${unusedOrigin}/hook`, events: ['link.created'] })
  const { delivered, verdict } = await client.webhooks.test(hook.id)
  expect({ delivered, verdict }).toEqual({ delivered: false, verdict: expect.any(String) })
  expect((await client.webhooks.rotateSecret(hook.id)).id).toBe(hook.id)
  expect((await client.webhooks.update(hook.id, { status: 'paused' })).status).toBe('paused')
  const { id: linkId } = await client.links.create({ url: 'https://target.example/b' })
  const [event] = await client.events.list({ link_id: linkId }).toArray(1)
  const filterTest = { event_id: event!.id, filter: { tags: ['sale'] } }
  expect(await client.webhooks.testFilter(hook.id, filterTest)).toMatchObject({ condition: 'tags' })
  const [delivery] = await client.webhooks.deliveries(hook.id, { status: 'held' }).toArray(1)
  expect(delivery).toMatchObject({ event_id: event!.id, status: 'held' })
  expect((await client.webhooks.delivery(hook.id, delivery!.id)).attempts).toEqual([])
  expect(await client.events.explainFor(event!.id, hook.id)).toMatchObject({ reason: 'held' })
  const reasons = await client.events.explain(event!.id).toArray()
  expect(reasons.map(({ webhook_id, reason }) => [webhook_id, reason])).toContainEqual([hook.id, 'held'])
  expect(await client.links.explain(linkId)).toMatchObject({ event_id: event!.id })
  expect((await client.webhooks.stats(hook.id)).held).toBe(1)
  expect(await client.webhooks.replay(hook.id, { since: hook.created_at })).toMatchObject({ deliveries: 0 })
  expect((await client.webhooks.list().toArray()).map(({ id }) => id)).toContain(hook.id)
  expect((await client.events.types().toArray()).map(({ name }) => name)).toContain('click')
  await client.webhooks.delete(hook.id)
  const { data } = await client.auditLog.list({ object_id: hook.id }).page()
  expect(data.map(({ action }) => action)).toContain('webhook.deleted')
})

describe('an error', () => {
  it('has the code, the status, the request ID and all invalid fields', async () => {
    const error = await getRejection(client.links.create({ url: 'ftp://x', slug: 'not a slug' }))
    expect(error).toBeInstanceOf(ValidationError)
    expect(error).toMatchObject({
      name: 'ValidationError',
      code: 'validation_failed',
      status: 422,
      requestId: expect.any(String),
    })
    expect(error.errors.map(({ pointer }) => pointer).sort()).toEqual(['/slug', '/url'])
    for (const pointer of ['/slug', '/url']) expect(error.message).toContain(pointer)
  })

  it('has a class that matches the problem', async () => {
    const { slug } = await client.links.create({ url: 'https://target.example/c' })
    const conflict = await getRejection(client.links.create({ url: 'https://target.example/c', slug }))
    expect(conflict).toBeInstanceOf(ConflictError)

    const { token } = await service.mint('links:read')
    const reader = new LinkService({ baseUrl: `${service.origin}/api`, token })
    const forbidden = await getRejection(reader.links.create({ url: 'https://target.example/d' }))
    expect(forbidden).toBeInstanceOf(ForbiddenError)
    expect(forbidden.problem).toMatchObject({ required: ['links:write'], granted: ['links:read'] })

    const anonymous = new LinkService({ baseUrl: `${service.origin}/api` })
    expect(await getRejection(anonymous.links.list().page())).toBeInstanceOf(UnauthorizedError)
  })

  it('reports responses that are not from the API', async () => {
    const notApi = new LinkService({ baseUrl: `${service.origin}/openapi.json`, token: service.token })
    expect(await getRejection(notApi.tokens.self())).toBeInstanceOf(LinkServiceError)
    const page = new LinkService({
      baseUrl: 'http://elsewhere.example/api',
      fetch: () => Promise.resolve(new Response('<html>', { status: 200 })),
    })
    expect(await getRejection(page.tokens.self())).toMatchObject({ code: 'unexpected_answer', status: 200 })
  })

  it('reports failed connections and timeouts', async () => {
    const away = new LinkService({ baseUrl: `${unusedOrigin}/api`, maxRetries: 0 })
    const error = await getRejection(away.tokens.self())
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error.message).toBe(`The service at ${away.baseUrl} could not be reached.`)
    const relay = await startRelay(service.origin)
    relay.faults.push(() => undefined)
    const slow = new LinkService({ baseUrl: `${relay.origin}/api`, maxRetries: 0, timeoutMs: 200 })
    expect(await getRejection(slow.tokens.self())).toBeInstanceOf(TimeoutError)
    await relay.stop()
  })

  it("is the caller's reason when the caller aborts the call", async () => {
    const relay = await startRelay(service.origin)
    relay.faults.push(() => undefined)
    const patient = new LinkService({ baseUrl: `${relay.origin}/api`, token: service.token })
    const controller = new AbortController()
    const reason = new Error('the page was closed')
    const call = getRejection(patient.tokens.self({ signal: controller.signal }))
    controller.abort(reason)
    expect(await call).toBe(reason)
    expect(await getRejection(patient.tokens.self({ signal: controller.signal }))).toBe(reason)
    await relay.stop()
  })
})

describe('the token', () => {
  it('is not shown when the client or an error is printed', async () => {
    const error = await getRejection(client.links.get('lnk_none'))
    for (const shown of [client, client.links, error, await getRejection(client.links.create({ url: '' }))]) {
      expect(inspect(shown, { depth: 20, showHidden: true })).not.toContain(service.token)
      expect(JSON.stringify(shown)).not.toContain(service.token)
    }
  })

  it.each(['lsk\nx', ' lsk_x', 'lsk_ü', ''])(
    'is not shown in the error for a malformed token: %j',
    (token) => {
      const createClient = () => new LinkService({ token })
      expect(createClient).toThrow('The token is empty or contains invalid characters.')
    },
  )
})

describe('the client', () => {
  it.each(['', '.', '..', undefined as unknown as string])('sends no request for the ID %j', async (id) => {
    await expect(async () => client.links.delete(id)).rejects.toThrow('deleteLink needs id')
    await expect(async () => client.webhooks.delivery('wh_x', id)).rejects.toThrow('needs delivery_id')
  })

  it('encodes an ID as one path segment', async () => {
    for (const id of ['../tokens', 'a/b', '%2e%2e', '?x', '#x'])
      expect(await getRejection(client.links.get(id))).toMatchObject({ status: expect.any(Number) })
  })

  it.each(['/dashboard/api', 'localhost:3000', 'ftp://x/', 'http://me:word@x/', 'http://x/?a=1'])(
    'rejects the base URL %s',
    (baseUrl) => {
      expect(() => new LinkService({ baseUrl })).toThrow(TypeError)
      expect(() => new LinkService({ baseUrl })).not.toThrow(/word@/)
    },
  )

  it.each([
    ['http://host:1/api/', 'http://host:1/api'],
    ['http://host:1/api/v1', 'http://host:1/api'],
    ['http://host:1', 'http://host:1'],
  ])('accepts the base URL %s', (baseUrl, normalized) => {
    expect(new LinkService({ baseUrl }).baseUrl).toBe(normalized)
  })
})

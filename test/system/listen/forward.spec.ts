/** The requests that `listen` forwards to the receiver, and the lines that it prints. */
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'

import { decodeId } from '../../../src/platform/database/ids.js'
import { clickedLinkFields } from '../../../src/links/link.dto.js'
import { WorkspacesService } from '../../../src/workspaces/workspaces.service.js'
import { waitForCompleteFeed } from '../../support/factories/events.js'
import { makeLink, visit } from '../../support/factories/links.js'
import { startReceiver } from '../../support/receiver.js'
import type { Received, Receiver } from '../../support/receiver.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'
import { startApiProxy } from './api-proxy.js'
import { runListen, startListening, stop } from './listener.js'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
let service: Service
let receiver: Receiver
/** The responses of the receiver, by path. */
const responses = new Map<string, (request: Received, response: Parameters<typeof ok>[1]) => void>()
const ok = (_request: Received, response: { writeHead: any; end: any; destroy: any; write: any }) =>
  response.writeHead(204).end()

let token: string
let workspaces = 0
let path: string
beforeAll(async () => {
  service = await startService({
    env: { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' },
  })
  receiver = await startReceiver((request, response) =>
    (responses.get(request.path.split('?')[0]!) ?? ok)(request, response),
  )
})
afterAll(async () => {
  await service.stop()
  await receiver.stop()
})
beforeEach(async () => {
  const name = `listen-${++workspaces}`
  await service.app.get(WorkspacesService).create(name)
  token = (await service.mint(undefined, name)).token
  path = `/${name}`
})

const listen = (...args: string[]) =>
  startListening(service.origin, token, receiver.origin + path, '--secret', secret, ...args)
const received = () => receiver.received.filter((each) => each.path.startsWith(path))
const receivedEvents = () => received().map(({ body }) => JSON.parse(body))
const storedBody = async (eventId: string) => {
  const [row] = await service.db.query<{ body: string }>('SELECT body FROM events WHERE id = $1', [
    decodeId('evt', eventId),
  ])
  return row?.body
}
const listClicks = async (linkId: string): Promise<any[]> =>
  (await service.call('GET', `/v1/links/${linkId}/clicks`, { token })).body.data

describe('an event', () => {
  it('is forwarded with the body, headers and signature of a webhook delivery', async () => {
    const listener = await listen()
    const link = await makeLink(service, { title: 'Grüße ☃' }, token)
    const [line] = await listener.until(1)
    const [{ headers, body }] = received() as [Received]
    expect(body).toBe(await storedBody(line!.id))
    expect(JSON.parse(body)).toMatchObject({ type: 'link.created', data: { link: { id: link.id } } })
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^link-service\/\d/),
      'webhook-id': line!.id,
      'webhook-attempt': '1',
      'webhook-sequence': '1',
    })
    expect(Math.abs(Number(headers['webhook-timestamp']) - Date.now() / 1000)).toBeLessThan(60)
    for (const Verifier of [StandardWebhook, SvixWebhook]) {
      expect(new Verifier(secret).verify(body, headers as Record<string, string>)).toEqual(JSON.parse(body))
      expect(() => new Verifier(secret).verify(`${body} `, headers as Record<string, string>)).toThrow()
    }
    expect(line).toEqual({
      kind: 'forwarded',
      time: expect.stringMatching(/Z$/),
      type: 'link.created',
      id: JSON.parse(body).id,
      sequence: 1,
      status: 204,
      error: null,
      duration_ms: expect.any(Number),
      cursor: expect.any(String),
    })
    expect(await stop(listener)).toBe(0)
  })

  it('is signed with the given secret or with a generated one', async () => {
    const ownSecret = 'Schlüssel aus Wörtern'
    const own = await startListening(
      service.origin,
      token,
      receiver.origin + path,
      '--from',
      'start',
      '--secret',
      ownSecret,
    )
    const generated = await startListening(service.origin, token, receiver.origin + path, '--from', 'start')
    expect(own.lines()[0]!.secret).toBeNull()
    expect(own.output()).not.toContain('Schl')
    const generatedSecret = generated.lines()[0]!.secret!
    expect(generatedSecret).toMatch(/^whsec_/)
    await makeLink(service, {}, token)
    await Promise.all([own.until(1), generated.until(1)])
    const countVerified = (verifier: StandardWebhook) =>
      received().filter(({ body, headers }) => {
        try {
          return verifier.verify(body, headers as Record<string, string>)
        } catch {
          return false
        }
      }).length
    expect(countVerified(new StandardWebhook(Buffer.from(ownSecret), { format: 'raw' }))).toBe(1)
    expect(countVerified(new StandardWebhook(generatedSecret))).toBe(1)
    await Promise.all([stop(own), stop(generated)])
  })

  it('is forwarded only if its type is selected; * selects all types', async () => {
    const [selected, all] = [
      await listen('--events', 'link.deleted,link.updated'),
      await listen('--events', '*'),
    ]
    const { id, slug } = await makeLink(service, {}, token)
    await service.call('PATCH', `/v1/links/${id}`, { token, body: { title: 'New' } })
    await visit(service, slug)
    await all.until(3)
    await service.call('DELETE', `/v1/links/${id}`, { token })
    const types = (lines: { type: string }[]) => lines.map(({ type }) => type)
    expect(types(await selected.until(2))).toEqual(['link.updated', 'link.deleted'])
    expect(types(await all.until(4)).sort()).toEqual([
      'click',
      'link.created',
      'link.deleted',
      'link.updated',
    ])
    await Promise.all([stop(selected), stop(all)])
  })

  it('of another workspace is not forwarded', async () => {
    const listener = await listen()
    await makeLink(service)
    const { id } = await makeLink(service, {}, token)
    await listener.until(1)
    expect(receivedEvents().map(({ data }) => data.link.id)).toEqual([id])
    await stop(listener)
  })
})

describe('a click', () => {
  it('is forwarded when no webhook subscribes to clicks, without recording an event', async () => {
    const listener = await listen('--events', 'click')
    const link = await makeLink(service, { title: 'T', tags: ['a'], external_id: 'x' }, token)
    for (let i = 0; i < 3; i++) await visit(service, link.slug)
    const lines = await listener.until(3)
    expect(new Set(lines.map(({ id }) => id)).size).toBe(3)
    const clicks = await listClicks(link.id)
    for (const event of receivedEvents()) {
      expect(await storedBody(event.id)).toBeUndefined()
      const click = clicks.find(({ id }) => id === event.id.replace('evt_', 'clk_'))
      expect(event).toEqual({
        id: event.id,
        type: 'click',
        timestamp: click.occurred_at,
        data: { click, link: expect.objectContaining({ id: link.id, title: 'T', tags: ['a'] }) },
      })
      expect(Object.keys(event.data.link).sort()).toEqual([...clickedLinkFields].sort())
    }
    await stop(listener)
  })

  it('is forwarded once, with the bytes of the webhook delivery, when a webhook subscribes to clicks', async () => {
    const webhook = await service.call('POST', '/v1/webhooks', {
      token,
      body: { url: `${receiver.origin}/elsewhere`, events: ['click'] },
    })
    expect(webhook.status).toBe(201)
    const listener = await listen('--events', 'click,link.created')
    const link = await makeLink(service, { title: 'T' }, token)
    for (let i = 0; i < 3; i++) await visit(service, link.slug)
    await listener.until(4)
    // A duplicate would arrive with the next page.
    await makeLink(service, {}, token)
    const lines = await listener.until(5)
    expect(lines.filter(({ type }) => type === 'click')).toHaveLength(3)
    for (const { body } of received()) expect(body).toBe(await storedBody(JSON.parse(body).id))
    await stop(listener)
  })

  it('of a deleted link contains the fields that the click has', async () => {
    const link = await makeLink(service, { title: 'T' }, token)
    await visit(service, link.slug)
    await waitFor('the click', async () => (await listClicks(link.id)).length === 1)
    await service.call('DELETE', `/v1/links/${link.id}`, { token })
    const listener = await listen('--events', 'click', '--from', 'start')
    await listener.until(1)
    expect(receivedEvents()[0].data.link).toEqual({
      id: link.id,
      slug: link.slug,
      short_url: null,
      url: 'https://target.example/page',
      title: null,
      tags: [],
      external_id: null,
    })
    await stop(listener)
  })

  it('needs at most one lookup per link, and none when an event of the link was forwarded', async () => {
    const proxy = await startApiProxy(service.origin)
    const [one, other] = [await makeLink(service, {}, token), await makeLink(service, {}, token)]
    const listenThroughFront = (...args: string[]) =>
      startListening(proxy.origin, token, receiver.origin + path, ...args)
    for (let i = 0; i < 5; i++) await Promise.all([visit(service, one.slug), visit(service, other.slug)])
    await waitFor('the clicks', async () => (await listClicks(other.id)).length === 5)
    await waitForCompleteFeed(service, 'clicks')
    const lookups = () => proxy.requests.filter((each) => each.path.includes('/links/')).length
    const both = await listenThroughFront('--from', 'start')
    await both.until(12)
    expect(lookups()).toBe(0)
    await stop(both)
    const clicks = await listenThroughFront('--from', 'start', '--events', 'click')
    await clicks.until(10)
    expect(lookups()).toBe(2)
    await stop(clicks)
    await proxy.stop()
  })
})

describe('the starting point', () => {
  it('is now by default, and with start the oldest event', async () => {
    const old = await makeLink(service, {}, token)
    for (let i = 0; i < 3; i++) await visit(service, old.slug)
    await waitFor('the clicks', async () => (await listClicks(old.id)).length === 3)
    await service.call('DELETE', `/v1/links/${old.id}`, { token })
    await waitForCompleteFeed(service)
    const now = await listen()
    const fresh = await makeLink(service, {}, token)
    expect((await now.until(1)).map(({ type }) => type)).toEqual(['link.created'])
    expect(receivedEvents()[0].data.link.id).toBe(fresh.id)
    expect(await stop(now)).toBe(0)

    const start = await listen('--from', 'start')
    const types = (await start.until(6)).map(({ type }) => type)
    expect(types).toEqual(['link.created', 'click', 'click', 'click', 'link.deleted', 'link.created'])
    expect(await stop(start)).toBe(0)
  })

  it('may be any printed cursor, from which the sequence continues', async () => {
    for (let i = 0; i < 7; i++) await makeLink(service, {}, token)
    const first = await listen('--from', 'start')
    const lines = await first.until(7)
    expect(await stop(first)).toBe(0)
    expect(first.lines().at(-1)).toMatchObject({ kind: 'stopped', cursor: lines[6]!.cursor })
    for (const [i, line] of [lines[0]!, lines[3]!, lines[6]!].entries()) {
      const done = [1, 4, 7][i]!
      const last = await makeLink(service, {}, token)
      const resumed = await listen('--from', line.cursor)
      const after = await resumed.until(7 - done + i + 1)
      expect(after.slice(0, 7 - done).map(({ id }) => id)).toEqual(lines.slice(done).map(({ id }) => id))
      expect(after.map(({ sequence }) => sequence)).toEqual(after.map((_, n) => done + n + 1))
      expect(receivedEvents().at(-1).data.link.id).toBe(last.id)
      await stop(resumed)
    }
  })

  it('may be a cursor of a run with other event types', async () => {
    const both = await listen('--from', 'start')
    const links = await listen('--from', both.cursor(), '--events', 'link.created')
    const { slug } = await makeLink(service, {}, token)
    await links.until(1)
    await stop(links)
    await visit(service, slug)
    const again = await listen('--from', links.cursor())
    expect((await again.until(1)).map(({ type }) => type)).toEqual(['click'])
    await Promise.all([stop(both), stop(again)])
  })
})

describe('a receiver', () => {
  const failures: [name: string, status: number | null, error: string | null, respond: typeof ok][] = [
    ['responds with an error', 500, null, (_, response) => response.writeHead(500).end()],
    ['redirects', 302, null, (_, response) => response.writeHead(302, { location: '/trap' }).end()],
    [
      'closes the connection',
      null,
      'the connection was closed before the response',
      (_, response) => response.destroy(),
    ],
    [
      'closes the connection during its response',
      null,
      'the connection was closed before the response',
      (_, response) => {
        response.writeHead(200, { 'content-length': '100' })
        response.write('half', () => response.destroy())
      },
    ],
    [
      'sends an endless response',
      200,
      null,
      (_, response) => {
        const more = () => response.write('x'.repeat(4096), (error: unknown) => !error && more())
        more()
      },
    ],
  ]

  it('that fails in any way is reported and gets the next event', async () => {
    const listeners = await Promise.all(
      failures.map(([, , , respond], i) => {
        responses.set(`${path}/${i}`, respond)
        return startListening(service.origin, token, `${receiver.origin}${path}/${i}`)
      }),
    )
    const newest = async (count: number) =>
      (await Promise.all(listeners.map((listener) => listener.until(count)))).map((lines, i) => {
        const { status, error } = lines[count - 1]!
        return [failures[i]![0], status, error]
      })
    await makeLink(service, {}, token)
    expect(await newest(1)).toEqual(failures.map(([name, status, error]) => [name, status, error]))
    responses.clear()
    await makeLink(service, {}, token)
    expect(await newest(2)).toEqual(failures.map(([name]) => [name, 204, null]))
    expect(receiver.requestsTo('/trap')).toHaveLength(0)
    expect(await Promise.all(listeners.map(stop))).toEqual(failures.map(() => 0))
  })

  it('that does not listen is reported', async () => {
    const listener = await startListening(service.origin, token, 'http://127.0.0.1:9/')
    await makeLink(service, {}, token)
    expect((await listener.until(1))[0]).toMatchObject({
      status: null,
      error: 'nothing listens on 127.0.0.1:9',
    })
    await stop(listener)
  })

  it('that is slow gets one event at a time', async () => {
    let maxConcurrent = 0
    let concurrent = 0
    responses.set(path, (_request, response) => {
      maxConcurrent = Math.max(maxConcurrent, ++concurrent)
      setTimeout(() => {
        concurrent--
        response.writeHead(204).end()
      }, 30)
    })
    const listener = await listen('--from', 'start')
    for (let i = 0; i < 5; i++) await makeLink(service, {}, token)
    expect((await listener.until(5))[0]!.duration_ms).toBeGreaterThanOrEqual(29)
    expect(maxConcurrent).toBe(1)
    await stop(listener)
  })
})

describe('stopping', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('by %s finishes the event in flight', async (signal) => {
    let finish: () => void = () => undefined
    responses.set(path, (_request, response) => (finish = () => response.writeHead(200).end()))
    const listener = await listen()
    await makeLink(service, {}, token)
    await makeLink(service, {}, token)
    await waitFor('the event', () => received().length === 1)
    listener.signal(signal)
    // npm and the terminal may both send the signal, so two signals in quick succession count as one.
    listener.signal(signal)
    await waitFor('listen to handle the signal', () => listener.errors().includes('in flight'))
    finish()
    expect(await listener.gone).toBe(0)
    expect(listener.forwarded()).toHaveLength(1)
    expect(listener.lines().at(-1)).toEqual({
      kind: 'stopped',
      time: expect.any(String),
      cursor: listener.forwarded()[0]!.cursor,
    })

    responses.delete(path)
    const resumed = await listen('--from', listener.cursor())
    await resumed.until(1)
    expect(new Set(received().map(({ headers }) => headers['webhook-id'])).size).toBe(2)
    expect(received()).toHaveLength(2)
    await stop(resumed)
  })

  it('by a second signal abandons the event in flight, which the next run repeats', async () => {
    responses.set(path, () => undefined)
    const listener = await listen()
    await makeLink(service, {}, token)
    await waitFor('the event', () => received().length === 1)
    const begin = listener.cursor()
    let isGone = false
    void listener.gone.then(() => (isGone = true))
    // Signals within half a second count as one.
    await waitFor('listen to exit', () => {
      if (!isGone) listener.signal('SIGINT')
      return isGone
    })
    expect(await listener.gone).toBe(0)
    expect(listener.lines().at(-1)).toMatchObject({ kind: 'stopped' })
    responses.delete(path)
    const resumed = await listen('--from', listener.cursor())
    const [line] = await resumed.until(1)
    expect([line!.sequence, begin]).toEqual([1, expect.any(String)])
    expect(received()[1]!.body).toBe(received()[0]!.body)
    await stop(resumed)
  })

  it('is clean when the reader of standard output is gone', async () => {
    const args = ['--api', `${service.origin}/api`, '--forward-to', receiver.origin + path, '--json']
    const { child, gone, errors } = runListen(args, { LINK_SERVICE_TOKEN: token })
    child.stdout.once('data', () => child.stdout.destroy())
    await waitFor('the first line', () => child.stdout.destroyed, 30_000)
    await makeLink(service, {}, token)
    expect(await gone).toBe(0)
    expect(errors()).toBe('')
  })
})

it('prints readable lines without --json, and never the token', async () => {
  const address = `${receiver.origin}${path}?a=b`
  const { child, gone, output, errors } = runListen([
    '--api',
    `${service.origin}/api`,
    '--forward-to',
    address,
    '--events',
    'link.created,click',
    '--token',
    token,
  ])
  await waitFor('the first lines', () => output().includes('Ctrl-C'), 30_000)
  expect(output()).toMatch(
    new RegExp(
      `^Forwarding link.created, click to ${address.replace('?', '\\?')}\n\nSigning secret, generated for this run and shown only here: whsec_\\S{44}\n\nPress Ctrl-C to stop.\n`,
    ),
  )
  const { slug } = await makeLink(service, {}, token)
  await visit(service, slug)
  await waitFor('two events', () => /click {2,}evt_/.test(output()) && /link.created {2,}evt_/.test(output()))
  child.kill('SIGINT')
  expect(await gone).toBe(0)
  expect(output()).toMatch(/^\d\d:\d\d:\d\d {2}link\.created {6}evt_\w{26} {2}204 {2}\d+ ms$/m)
  expect(output()).toMatch(/^\d\d:\d\d:\d\d {2}click {13}evt_\w{26} {2}204 {2}\d+ ms$/m)
  const from = /^To continue from here: --from (\S+)$/m.exec(output())![1]!
  expect(errors()).toBe('')
  expect(output()).not.toContain('lsk_')

  await makeLink(service, {}, token)
  const resumed = await listen('--from', from)
  expect((await resumed.until(1)).map(({ type }) => type)).toEqual(['link.created'])
  await stop(resumed)
})

/** Requests through the egress proxy, and which faults are charged to the receiver. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { makeAuthority, selfSigned } from '../../support/certificates.js'
import {
  cut,
  cutMidway,
  hang,
  refuseWith,
  sendEndlessHeaders,
  sendGarbage,
  startEgressProxy,
} from '../../support/egress-proxy.js'
import type { TestProxy } from '../../support/egress-proxy.js'
import { freePort } from '../../support/free-port.js'
import { onRequest, respondWith, startHostileReceiver } from '../../support/hostile-receivers.js'
import type { HostileReceiver } from '../../support/hostile-receivers.js'
import { startClient } from '../../support/outbound-client.js'
import type { TestClient } from '../../support/outbound-client.js'

const ok = onRequest((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'))
const authority = makeAuthority()

let folder: string
let caFile: string
let proxy: TestProxy
let client: TestClient
let receiver: HostileReceiver

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'egress-proxy-'))
  caFile = join(folder, 'ca.pem')
  await writeFile(caFile, authority.cert)
})
afterAll(() => rm(folder, { recursive: true }))

beforeEach(async () => {
  proxy = await startEgressProxy()
  receiver = await startHostileReceiver(ok)
  client = start()
})
afterEach(async () => {
  client.stop()
  await receiver.stop()
  await proxy.stop()
})

const noLookUp = (host: string) => Promise.reject(new Error(`${host} was looked up`))

function start(options: Parameters<typeof startClient>[0] = {}): TestClient {
  return startClient({ proxy: proxy.url, lookUp: noLookUp, timeoutSeconds: 2, ...options })
}

const send = (host = 'hooks.example') => client.send(receiver.url.replace('127.0.0.1', host))

describe('a request through the proxy', () => {
  it('arrives, and the proxy receives the name of the receiver', async () => {
    expect(await send()).toMatchObject({ statusCode: 200, error: null, remoteAddress: null })
    expect(proxy.requests).toMatchObject([
      { authority: `hooks.example:${receiver.port}`, headers: { host: `hooks.example:${receiver.port}` } },
    ])
    expect(proxy.requests[0]!.headers).not.toHaveProperty('proxy-authorization')
  })

  it('reuses the tunnel', async () => {
    await send()
    expect(await send()).toMatchObject({ statusCode: 200, remoteAddress: null, timings: { connectMs: null } })
    expect(proxy.requests).toHaveLength(1)
  })

  it('presents the credentials to the proxy only', async () => {
    client.stop()
    client = start({ proxy: proxy.url.replace('//', '//ab%40c:d%3Ae@') })
    expect(await send()).toMatchObject({ statusCode: 200 })
    const sent = Buffer.from('ab@c:d:e').toString('base64')
    expect(proxy.requests[0]!.headers['proxy-authorization']).toBe(`Basic ${sent}`)
    expect(JSON.stringify(await send())).not.toContain(sent)
  })

  it.each(['127.0.0.1', 'localhost', '[::1]', '10.0.0.1'])('is not sent to %s', async (host) => {
    client.stop()
    client = start({ allowed: null })
    expect(await send(host)).toMatchObject({ error: { class: 'blocked_address' }, statusCode: null })
    expect(proxy.countConnections()).toBe(0)
  })

  it('may be sent to an allowed literal address', async () => {
    expect(await send('127.0.0.1')).toMatchObject({ statusCode: 200 })
  })
})

describe('TLS', () => {
  const secure = async (certificate = authority.issue({ names: ['hooks.example'] })) => {
    await receiver.stop()
    receiver = await startHostileReceiver(ok, { tls: certificate })
    client.stop()
    client = start({ caFile })
  }

  it('verifies the certificate of the receiver', async () => {
    await secure()
    expect(await send()).toMatchObject({ statusCode: 200, timings: { tlsMs: expect.any(Number) } })
    expect(await send('other.example')).toMatchObject({ error: { class: 'tls', tlsFault: 'wrong_name' } })
  })

  it('charges an invalid certificate of the receiver to the receiver', async () => {
    await secure(selfSigned({ names: ['hooks.example'] }))
    expect(await send()).toMatchObject({ error: { class: 'tls', tlsFault: 'unknown_authority' } })
    expect(client.client.proxy!.health.fault).toBeNull()
  })

  it('also protects the connection to an https proxy', async () => {
    await proxy.stop()
    proxy = await startEgressProxy({ tls: authority.issue({ names: ['proxy.example', '127.0.0.1'] }) })
    await secure()
    expect(await send()).toMatchObject({ statusCode: 200, error: null })
  })

  it('does not use an https proxy without a valid certificate', async () => {
    await proxy.stop()
    proxy = await startEgressProxy({ tls: selfSigned({ names: ['127.0.0.1'] }) })
    await secure()
    expect(await send()).toMatchObject({ error: { class: 'proxy', phase: 'connect' } })
    expect(proxy.requests).toEqual([])
  })
})

describe('a fault of the proxy', () => {
  it.each([
    ['refuses connections', null, true],
    ['requires other credentials', refuseWith(407, { 'proxy-authenticate': 'Basic' }), true],
    ['responds with 407 and without a challenge', refuseWith(407), true],
    ['responds with 500', refuseWith(500), false],
    ['responds with 503', refuseWith(503), false],
    ['responds with 405', refuseWith(405), false],
    ['responds with 302', refuseWith(302, { location: 'http://127.0.0.1/' }), false],
    ['responds with 101', refuseWith(101), false],
    ['closes the connection', cut, false],
    ['closes the connection in its response', cutMidway, false],
    ['sends garbage', sendGarbage, false],
    ['sends endless headers', sendEndlessHeaders, false],
  ])('is reported as such if the proxy %s', async (_title, fault, isTotal) => {
    if (fault === null) await proxy.stop()
    else proxy.fault = fault
    const outcome = await send()
    expect(outcome).toMatchObject({ statusCode: null, error: { class: 'proxy', phase: 'connect' } })
    expect(outcome.error!.message).toMatch(/^The egress proxy of this service /)
    expect(outcome.durationMs).toBeLessThan(1_900)
    const { health } = client.client.proxy!
    expect(health).toMatchObject({ faults: 1, fault: { message: outcome.error!.message } })
    expect(health.retryAt !== null).toBe(isTotal)
    if (fault === null) proxy = await startEgressProxy({ port: proxy.port })
    proxy.fault = null
    expect(await send()).toMatchObject({ statusCode: 200, error: null })
    expect(health).toMatchObject({ fault: null, retryAt: null })
  })

  it('is reported before the deadline if the proxy does not respond to anything', async () => {
    proxy.fault = hang
    proxy.responds = false
    const outcome = await send()
    expect(outcome.error).toMatchObject({ class: 'proxy', message: expect.stringContaining('in time') })
    expect(outcome.durationMs).toBeLessThanOrEqual(2_100)
    expect(client.client.proxy!.health.retryAt).not.toBeNull()
  })

  it('is reported if the proxy ends in the middle of a request', async () => {
    await receiver.stop()
    receiver = await startHostileReceiver(onRequest(() => void proxy.stop()))
    expect(await send()).toMatchObject({ error: { class: 'proxy' } })
    proxy = await startEgressProxy()
  })
})

describe('a fault of the receiver', () => {
  it.each([
    ['502', refuseWith(502), 'refused'],
    ['504', refuseWith(504), 'timeout'],
    ['403', refuseWith(403), 'blocked_address'],
    ['407 of Smokescreen', refuseWith(407, { 'x-smokescreen-error': 'denied' }), 'blocked_address'],
    ['503 of Squid for an unknown name', refuseWith(503, { 'x-squid-error': 'ERR_DNS_FAIL 0' }), 'dns'],
    [
      '503 of Squid for a closed port',
      refuseWith(503, { 'x-squid-error': 'ERR_CONNECT_FAIL 111' }),
      'refused',
    ],
  ])('is reported for %s', async (_title, fault, kind) => {
    proxy.fault = fault
    expect(await send()).toMatchObject({ error: { class: kind, phase: 'connect' }, statusCode: null })
    expect(client.client.proxy!.health).toMatchObject({ fault: null, faults: 0 })
  })

  it('is reported if only the proxy waits for the receiver', async () => {
    proxy.fault = hang
    expect(await send()).toMatchObject({ error: { class: 'timeout', phase: 'connect' } })
    expect(client.client.proxy!.health.fault).toBeNull()
  })

  it('is reported if the receiver closes the connection', async () => {
    await receiver.stop()
    receiver = await startHostileReceiver(onRequest((socket) => socket.destroy()))
    expect(await send()).toMatchObject({ error: { class: 'reset' } })
    expect(client.client.proxy!.health.fault).toBeNull()
  })

  it('is reported if nothing listens', async () => {
    const port = await freePort()
    expect(await client.send(`http://hooks.example:${port}/`)).toMatchObject({ error: { class: 'refused' } })
  })
})

describe('a source address', () => {
  it('is the local address of connections', async () => {
    const peers: string[] = []
    await receiver.stop()
    receiver = await startHostileReceiver((socket) => {
      peers.push(socket.remoteAddress!)
      respondWith('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')(socket)
    })
    const direct = startClient({ source: '127.0.0.9' })
    expect(await direct.send(receiver.url)).toMatchObject({ statusCode: 200 })
    direct.stop()
    expect(peers).toEqual(['127.0.0.9'])
  })

  it('prevents connections to other address families', async () => {
    const direct = startClient({ source: '::1' })
    expect(await direct.send(receiver.url)).toMatchObject({
      error: { class: 'other', message: expect.stringContaining('no IPv6 address') },
    })
    direct.stop()
  })
})

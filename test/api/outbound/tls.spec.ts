import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { StartupError } from '../../../src/platform/config/startup-error.js'
import { makeAuthority, selfSigned } from '../../support/certificates.js'
import type { Certificate } from '../../support/certificates.js'
import { hostile, onRequest, startHostileReceiver } from '../../support/hostile-receivers.js'
import type { HostileReceiver } from '../../support/hostile-receivers.js'
import { startClient } from '../../support/outbound-client.js'
import type { TestClient } from '../../support/outbound-client.js'

const authority = makeAuthority()
const names = ['hooks.example']
const response = onRequest((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'))

let folder: string
let caFile: string
let client: TestClient
let receiver: HostileReceiver | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outbound-tls-'))
  caFile = join(folder, 'ca.pem')
  await writeFile(caFile, authority.cert)
  client = startClient({ caFile, timeoutSeconds: 4, allowHttp: false })
})

afterEach(async () => {
  await receiver?.stop()
})

afterAll(async () => {
  client.stop()
  await rm(folder, { recursive: true })
})

async function sendTo(certificate: Certificate, host = 'hooks.example', from = client) {
  receiver = await startHostileReceiver(response, { tls: certificate })
  return from.send(receiver.url.replace('127.0.0.1', host))
}

describe('a receiver with TLS', () => {
  it('is reached by its name at the checked address', async () => {
    const outcome = await sendTo(authority.issue({ names }))
    expect(outcome).toMatchObject({ statusCode: 200, error: null, remoteAddress: '127.0.0.1' })
    expect(outcome.timings).toMatchObject({ dnsMs: expect.any(Number), tlsMs: expect.any(Number) })
    const again = await client.send(receiver!.url.replace('127.0.0.1', 'hooks.example'))
    expect(again).toMatchObject({ statusCode: 200, timings: { tlsMs: null }, remoteAddress: '127.0.0.1' })
    expect(receiver!.countConnections()).toBe(1)
  })

  it('may have a name with a trailing dot, or an address', async () => {
    expect(await sendTo(authority.issue({ names }), 'hooks.example.')).toMatchObject({ error: null })
    await receiver!.stop()
    expect(await sendTo(authority.issue({ names: ['127.0.0.1'] }), '127.0.0.1')).toMatchObject({
      error: null,
    })
  })

  it('is trusted only if WEBHOOK_CA_FILE contains its authority', async () => {
    const outcome = await sendTo(authority.issue({ names }), 'hooks.example', startClient())
    expect(outcome.error?.class).toBe('tls')
  })

  it('sends a long response, which is read completely', async () => {
    const body = 'x'.repeat(15_000)
    receiver = await startHostileReceiver(
      onRequest((socket) => socket.end(`HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n${body}`)),
      { tls: authority.issue({ names }) },
    )
    const outcome = await client.send(receiver.url.replace('127.0.0.1', 'hooks.example'))
    expect(outcome).toMatchObject({ error: null, responseBody: body, responseTruncated: false })
  })

  const inJune = (year: number) => new Date(`${year}-06-15T12:00:00Z`)
  it.each<[string, Certificate, string]>([
    [
      'expired',
      authority.issue({ names, notBefore: inJune(2019), notAfter: inJune(2020) }),
      'expired on 2020-06-15.',
    ],
    [
      'not valid yet',
      authority.issue({ names, notBefore: inJune(2098), notAfter: inJune(2099) }),
      'before 2098-06-15.',
    ],
    [
      'for another name',
      authority.issue({ names: ['other.example'] }),
      'for other.example, not for hooks.example.',
    ],
    ['for no name', authority.issue(), 'is not for hooks.example.'],
    ['self-signed', selfSigned({ names }), 'is self-signed'],
    ['of an unknown authority', makeAuthority('Nobody').issue({ names }), 'unknown authority'],
  ])('whose certificate is %s receives nothing', async (_name, certificate, message) => {
    const outcome = await sendTo(certificate)
    expect(outcome).toMatchObject({ statusCode: null, remoteAddress: '127.0.0.1' })
    expect(outcome.error).toMatchObject({ class: 'tls', message: expect.stringContaining(message) })
    await receiver!.waitUntilClosed()
    expect(receiver!.getReceived()).toBe('')
  })

  it('whose address is not in its certificate receives nothing', async () => {
    expect(await sendTo(authority.issue({ names }), '127.0.0.1')).toMatchObject({ error: { class: 'tls' } })
  })
})

describe('a receiver that should have TLS', () => {
  it.each([
    ['speaks plain http', hostile.brokenHttp, 'tls'],
    ['resets the connection', hostile.resetsAtOnce, 'reset'],
    ['never completes the handshake', hostile.neverResponds, 'timeout'],
  ] as const)('and %s fails one attempt', async (name, behave, error) => {
    receiver = await startHostileReceiver(
      name === 'speaks plain http' ? (socket) => socket.write('HTTP/1.1 400 No\r\n\r\n') : behave,
    )
    const outcome = await client.send(receiver.url.replace('http:', 'https:'))
    expect(outcome).toMatchObject({ statusCode: null, error: { class: error } })
    expect(receiver.countConnections()).toBe(1)
    await receiver.waitUntilClosed()
  })
})

describe('WEBHOOK_CA_FILE', () => {
  it.each([
    ['is missing', null],
    ['is empty', ''],
    ['contains a key', selfSigned().key],
    ['is broken', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'],
  ])('that %s prevents the start with a one-line error', async (_name, content) => {
    const file = join(folder, 'other.pem')
    await rm(file, { force: true })
    if (content !== null) await writeFile(file, content)
    expect(() => startClient({ caFile: file })).toThrow(StartupError)
    expect(() => startClient({ caFile: file })).toThrow(/^WEBHOOK_CA_FILE [^\n]+$/)
  })
})

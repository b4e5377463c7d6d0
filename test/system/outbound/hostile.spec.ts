/** A request to a hostile receiver ends within the deadline, with the right error and a closed connection. */
import type { ErrorClass } from '../../../src/platform/outbound/outcome.js'
import { hostile, startHostileReceiver } from '../../support/hostile-receivers.js'
import { startClient } from '../../support/outbound-client.js'

const timeoutSeconds = 2
const client = startClient({ timeoutSeconds })

afterAll(() => client.stop())

async function attempt(name: keyof typeof hostile) {
  const receiver = await startHostileReceiver(hostile[name])
  try {
    const outcome = await client.send(receiver.url)
    await receiver.waitUntilClosed()
    return { ...outcome, connections: receiver.countConnections() }
  } finally {
    await receiver.stop()
  }
}

type Row = [name: keyof typeof hostile, error: ErrorClass, status: number | null]

describe('a hostile receiver', () => {
  it.each<Row>([
    ['neverResponds', 'timeout', null],
    ['drippingHeaders', 'timeout', null],
    ['drippingBody', 'timeout', 200],
    ['manyHeaders', 'too_large', null],
    ['tinyHeaders', 'too_large', null],
    ['tinyTrailers', 'too_large', 200],
    ['giantHeader', 'too_large', null],
    ['endlessHeader', 'too_large', null],
    ['endlessStatusLine', 'too_large', null],
    ['endlessBlankLines', 'too_large', null],
    ['endlessChunkExtension', 'too_large', 200],
    ['endlessTrailers', 'too_large', 200],
    ['brokenHttp', 'other', null],
    ['tlsAlert', 'other', null],
    ['bothLengths', 'other', null],
    ['continues', 'other', null],
    ['earlyHints', 'other', null],
    ['upgrade', 'other', null],
    ['closedBeforeResponse', 'reset', null],
    ['closedInHeaders', 'reset', null],
    ['closedInBody', 'reset', 200],
    ['closedInChunk', 'reset', 200],
    ['closedTooEarlyAsAnnounced', 'reset', 200],
    ['resetInBody', 'reset', 200],
    ['resetsAtOnce', 'reset', null],
  ])('(%s) fails one attempt with the error class %s', async (name, error, status) => {
    const outcome = await attempt(name)
    expect(outcome.error).toMatchObject({
      class: error,
      message: expect.stringMatching(/^[A-Z1][^\n]{10,}\.$/),
    })
    expect(outcome).toMatchObject({ statusCode: status, connections: 1 })
    expect(outcome.responseTruncated).toBe(status !== null)
    expect(outcome.durationMs).toBeLessThan((timeoutSeconds + 1) * 1000)
  })

  it.each<keyof typeof hostile>(['endlessBody', 'endlessChunks', 'gigabyte', 'gzipBomb'])(
    '(%s) succeeds when it responds with 200 and a body that is truncated',
    async (name) => {
      const outcome = await attempt(name)
      expect(outcome).toMatchObject({ statusCode: 200, error: null, responseTruncated: true, connections: 1 })
      expect(Buffer.byteLength(outcome.responseBody!)).toBeLessThanOrEqual(3 * 16_384)
      expect(outcome.durationMs).toBeLessThan((timeoutSeconds + 1) * 1000)
    },
  )

  it('is read up to its Content-Length, and its connection is not reused', async () => {
    const outcome = await attempt('tooShortLength')
    expect(outcome).toMatchObject({ statusCode: 200, error: null, responseBody: 'this ' })
  })

  it('succeeds with a binary body, which is stored as safe text', async () => {
    const receiver = await startHostileReceiver(hostile.binaryBody)
    const { error, responseBody } = await client.send(receiver.url)
    await receiver.stop()
    expect(error).toBeNull()
    expect(responseBody).toMatch(/^[\P{Cc}\n\t]{200,}$/u)
  })

  it('may respond before it has read the request, and its connection is not reused', async () => {
    const receiver = await startHostileReceiver(hostile.respondsBeforeReading)
    const outcome = await client.send(receiver.url, { body: Buffer.alloc(16 * 1024 * 1024) })
    expect(outcome).toMatchObject({ statusCode: 413, error: { class: 'http_status' } })
    await receiver.waitUntilClosed()
    await receiver.stop()
  })

  it('fails with refused when nothing listens on its port', async () => {
    const receiver = await startHostileReceiver(hostile.neverResponds)
    await receiver.stop()
    const outcome = await client.send(receiver.url)
    expect(outcome.error).toMatchObject({
      class: 'refused',
      message: `Nothing is listening on port ${receiver.port} of 127.0.0.1.`,
    })
  })

  it('fails with timeout when the lookup of its name takes too long', async () => {
    const slow = startClient({ timeoutSeconds: 1, lookUp: () => new Promise(() => undefined) })
    const outcome = await slow.send('https://hooks.example/')
    expect(outcome.error).toMatchObject({
      class: 'timeout',
      message: 'The name hooks.example could not be looked up within 1 s.',
    })
  })
})

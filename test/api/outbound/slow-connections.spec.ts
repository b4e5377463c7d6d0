import { startHangingReceiver } from '../../support/hanging-receiver.js'
import type { HangingReceiver } from '../../support/hanging-receiver.js'
import { respondWith, startHostileReceiver } from '../../support/hostile-receivers.js'
import { startClient } from '../../support/outbound-client.js'

let receiver: HangingReceiver

beforeAll(async () => {
  receiver = await startHangingReceiver()
})

afterAll(() => receiver.stop())

describe('a receiver that never accepts the connection', () => {
  it('fails one attempt at the deadline', async () => {
    const outcome = await startClient({ timeoutSeconds: 1 }).send(`http://127.0.0.1:${receiver.port}/`)
    expect(outcome).toMatchObject({
      error: {
        class: 'timeout',
        message: '127.0.0.1 did not accept the connection within 1 s.',
        phase: 'connect',
      },
      remoteAddress: null,
    })
  })

  it('does not prevent a request to the next address of the name', async () => {
    const good = await startHostileReceiver(respondWith('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'), {
      host: '127.0.0.2',
      port: receiver.port,
    })
    const client = startClient({ lookUp: () => Promise.resolve(['127.0.0.1', '127.0.0.2']) })
    const outcome = await client.send(`http://hooks.example:${receiver.port}/`)
    expect(outcome).toMatchObject({ statusCode: 200, remoteAddress: '127.0.0.2' })
    client.stop()
    await good.stop()
  })
})

describe('a name with one address that refuses the connection', () => {
  it('is reached at the other address', async () => {
    const good = await startHostileReceiver(respondWith('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'))
    const client = startClient({ lookUp: () => Promise.resolve(['127.0.0.3', '127.0.0.1']) })
    const outcome = await client.send(`http://hooks.example:${good.port}/`)
    expect(outcome).toMatchObject({ statusCode: 200, remoteAddress: '127.0.0.1' })
    client.stop()
    await good.stop()
  })
})

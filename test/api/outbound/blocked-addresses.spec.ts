/** No request leaves for a forbidden address, however it is written and whatever a name server says. */
import { blocked, hostsOfThisMachine } from '../../support/addresses.js'
import { answering, startReceiver } from '../../support/hostile-receivers.js'
import type { Receiver } from '../../support/hostile-receivers.js'
import { startClient } from '../../support/outbound-client.js'

const unreachable = { allowed: null, timeoutSeconds: 1 }
let receiver: Receiver

beforeAll(async () => {
  receiver = await startReceiver(answering('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'))
})

afterEach(() => {
  expect(receiver.connections()).toBe(0)
})

afterAll(async () => {
  await receiver.stop()
})

function urlOf(host: string): string {
  return `http://${host}:${receiver.port}/`
}

describe('a url whose host is a forbidden address', () => {
  const hosts = blocked.map((address) => (address.includes(':') ? `[${address}]` : address))

  it.each([...hosts, ...hostsOfThisMachine])('%s is refused', async (host) => {
    const outcome = await startClient(unreachable).send(urlOf(host))
    expect(outcome).toMatchObject({ error: { class: 'blocked_address' }, remoteAddress: null })
  })
})

describe('a name', () => {
  it.each(blocked)('that leads to %s is refused', async (address) => {
    const client = startClient({ ...unreachable, lookUp: () => Promise.resolve([address]) })
    const outcome = await client.send(urlOf('hooks.example'))
    expect(outcome).toMatchObject({ error: { class: 'blocked_address' }, remoteAddress: null })
    expect(JSON.stringify(outcome)).not.toContain(address)
  })

  it('with one good and one forbidden address is refused', async () => {
    for (const addresses of [
      ['192.0.0.99', '127.0.0.1'],
      ['1.1.1.1', '127.0.0.1'],
      ['127.0.0.1', '1.1.1.1'],
    ]) {
      const client = startClient({ ...unreachable, lookUp: () => Promise.resolve(addresses) })
      expect((await client.send(urlOf('hooks.example'))).error?.class).toBe('blocked_address')
    }
  })

  it('that changes its mind after the check gains nothing: what was checked is what is connected to', async () => {
    const answers = [['127.0.0.2'], ['127.0.0.1'], ['127.0.0.1']]
    const asked: string[] = []
    const client = startClient({
      allowed: '127.0.0.2/32',
      timeoutSeconds: 1,
      lookUp: (name) => {
        asked.push(name)
        return Promise.resolve(answers[asked.length - 1]!)
      },
    })
    // Nothing listens on 127.0.0.2; a client that asked again would end up at the receiver on 127.0.0.1.
    expect((await client.send(urlOf('hooks.example'))).error?.class).toBe('refused')
    expect(asked).toHaveLength(1)
    expect((await client.send(urlOf('hooks.example'))).error?.class).toBe('blocked_address')
    expect(asked).toHaveLength(2)
  })
})

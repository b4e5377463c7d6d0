/** No request is sent to a blocked address, in any notation and whatever the name server returns. */
import { blocked, hostsOfThisMachine } from '../../support/addresses.js'
import { respondWith, startHostileReceiver } from '../../support/hostile-receivers.js'
import type { HostileReceiver } from '../../support/hostile-receivers.js'
import { startClient } from '../../support/outbound-client.js'

const unreachable = { allowed: null, timeoutSeconds: 1 }
let receiver: HostileReceiver

beforeAll(async () => {
  receiver = await startHostileReceiver(respondWith('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'))
})

afterEach(() => {
  expect(receiver.countConnections()).toBe(0)
})

afterAll(async () => {
  await receiver.stop()
})

function createUrl(host: string): string {
  return `http://${host}:${receiver.port}/`
}

describe('a URL with a blocked address as its host', () => {
  const hosts = blocked.map((address) => (address.includes(':') ? `[${address}]` : address))

  it.each([...hosts, ...hostsOfThisMachine])('%s is refused', async (host) => {
    const outcome = await startClient(unreachable).send(createUrl(host))
    expect(outcome).toMatchObject({ error: { class: 'blocked_address' }, remoteAddress: null })
  })
})

describe('a name', () => {
  it.each(blocked)('that resolves to %s is refused', async (address) => {
    const client = startClient({ ...unreachable, lookUp: () => Promise.resolve([address]) })
    const outcome = await client.send(createUrl('hooks.example'))
    expect(outcome).toMatchObject({ error: { class: 'blocked_address' }, remoteAddress: null })
    expect(JSON.stringify(outcome)).not.toContain(address)
  })

  it('that resolves to an allowed and a blocked address is rejected', async () => {
    for (const addresses of [
      ['192.0.0.99', '127.0.0.1'],
      ['1.1.1.1', '127.0.0.1'],
      ['127.0.0.1', '1.1.1.1'],
    ]) {
      const client = startClient({ ...unreachable, lookUp: () => Promise.resolve(addresses) })
      expect((await client.send(createUrl('hooks.example'))).error?.class).toBe('blocked_address')
    }
  })

  it('is connected to at the checked address, even if a later lookup returns another', async () => {
    const responses = [['127.0.0.2'], ['127.0.0.1'], ['127.0.0.1']]
    const lookups: string[] = []
    const client = startClient({
      allowed: '127.0.0.2/32',
      timeoutSeconds: 1,
      lookUp: (name) => {
        lookups.push(name)
        return Promise.resolve(responses[lookups.length - 1]!)
      },
    })
    // Nothing listens on 127.0.0.2. A client with a second lookup would reach the receiver on 127.0.0.1.
    expect((await client.send(createUrl('hooks.example'))).error?.class).toBe('refused')
    expect(lookups).toHaveLength(1)
    expect((await client.send(createUrl('hooks.example'))).error?.class).toBe('blocked_address')
    expect(lookups).toHaveLength(2)
  })
})

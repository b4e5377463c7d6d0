import { networks } from '../../../src/platform/config/rules.js'
import { Connections } from '../../../src/platform/outbound/connections.js'
import { Dialer } from '../../../src/platform/outbound/dialer.js'
import { createTrustContext } from '../../../src/platform/outbound/sockets.js'
import { Exchange } from '../../../src/platform/outbound/outbound-client.js'
import { Resolver } from '../../../src/platform/outbound/destination.js'
import { parseOrigin } from '../../../src/platform/outbound/destination.js'
import type { Outcome } from '../../../src/platform/outbound/outcome.js'
import { respondWith, startHostileReceiver } from '../../support/hostile-receivers.js'
import type { HostileReceiver } from '../../support/hostile-receivers.js'
import { waitFor } from '../../support/wait-for.js'

let receiver: HostileReceiver
let connections: Connections

beforeEach(async () => {
  receiver = await startHostileReceiver(respondWith('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'))
  const resolver = new Resolver(networks('127.0.0.0/8'), () => Promise.resolve(['127.0.0.1']))
  connections = new Connections(new Dialer(resolver, createTrustContext([])), 2)
})

afterEach(async () => {
  connections.closeIdle()
  await receiver.stop()
})

function sendTo(name: string): Promise<Outcome> {
  const origin = parseOrigin(new URL(`http://${name}:${receiver.port}`), true)
  const request = { path: '/', method: 'POST', headers: {}, body: '{}' }
  return new Promise((done) => {
    new Exchange(request, origin, { connections, proxy: null }, 5000, done).sendRequest()
  })
}

describe('idle connections', () => {
  it('are limited over all origins, and the least recently used one is closed first', async () => {
    for (const name of ['a.example', 'b.example', 'a.example', 'c.example']) await sendTo(name)
    await waitFor('the third connection to close', () => receiver.countOpenConnections() === 2)
    expect(receiver.countConnections()).toBe(3)
    await sendTo('a.example')
    await sendTo('c.example')
    expect(receiver.countConnections()).toBe(3)
    await sendTo('b.example')
    expect(receiver.countConnections()).toBe(4)
  })

  it('do not include connections in use, which are not limited', async () => {
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => sendTo('a.example')))
    expect(outcomes.every(({ error }) => error === null)).toBe(true)
    expect(receiver.countConnections()).toBe(10)
    await waitFor('the other connections to close', () => receiver.countOpenConnections() === 2)
  })
})

import { networks } from '../../../src/platform/config/rules.js'
import { Connections } from '../../../src/platform/outbound/connections.js'
import { Dialer, trusting } from '../../../src/platform/outbound/dialer.js'
import { Exchange } from '../../../src/platform/outbound/outbound-client.js'
import { Resolver } from '../../../src/platform/outbound/destination.js'
import { originOf } from '../../../src/platform/outbound/destination.js'
import type { Outcome } from '../../../src/platform/outbound/outcome.js'
import { answering, startReceiver } from '../../support/hostile-receivers.js'
import type { Receiver } from '../../support/hostile-receivers.js'
import { waitFor } from '../../support/wait-for.js'

let receiver: Receiver
let connections: Connections

beforeEach(async () => {
  receiver = await startReceiver(answering('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'))
  const resolver = new Resolver(networks('127.0.0.0/8'), () => Promise.resolve(['127.0.0.1']))
  connections = new Connections(new Dialer(resolver, trusting([])), 2)
})

afterEach(async () => {
  connections.endAll()
  await receiver.stop()
})

function sendTo(name: string): Promise<Outcome> {
  const origin = originOf(new URL(`http://${name}:${receiver.port}`), true)
  const request = { path: '/', method: 'POST', headers: {}, body: '{}' }
  return new Promise((done) => {
    new Exchange(request, origin, connections, 5000, done).run()
  })
}

describe('idle connections', () => {
  it('are limited over all origins, and the least recently used one is closed first', async () => {
    for (const name of ['a.example', 'b.example', 'a.example', 'c.example']) await sendTo(name)
    await waitFor('the third connection to close', () => receiver.open() === 2)
    expect(receiver.connections()).toBe(3)
    await sendTo('a.example')
    await sendTo('c.example')
    expect(receiver.connections()).toBe(3)
    await sendTo('b.example')
    expect(receiver.connections()).toBe(4)
  })

  it('do not include connections in use, which are not limited', async () => {
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => sendTo('a.example')))
    expect(outcomes.every(({ error }) => error === null)).toBe(true)
    expect(receiver.connections()).toBe(10)
    await waitFor('the other connections to close', () => receiver.open() === 2)
  })
})

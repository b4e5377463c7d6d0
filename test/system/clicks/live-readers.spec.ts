/** Who follows clicks costs the service little: those who do not read are ended, and many are served by one reading. */
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

import { clickOn, identityOf } from '../../support/factories/clicks.js'
import { makeLink, visit } from '../../support/factories/links.js'
import { LiveFollower } from '../../support/live-follower.js'
import { openSocket } from '../../support/raw-socket.js'
import { startProxiedService } from '../../support/proxied-service.js'
import type { ProxiedService } from '../../support/proxied-service.js'
import { SentStatements } from '../../support/statements-sent.js'
import { begin, commit } from '../../support/transactions.js'
import { waitFor } from '../../support/wait-for.js'
import { writeClicks } from '../../../src/clicks/ingest/write-clicks.js'

let proxy: ProxiedService['proxy']
let service: ProxiedService['service']
let stop: ProxiedService['stop']
beforeAll(async () => {
  ;({ proxy, service, stop } = await startProxiedService({ WORKSPACE_LIVE_STREAMS: 'off' }))
})
afterAll(() => stop())

const path = '/v1/clicks/live'
const streamsOfToken = 5
const follow = (token: string, lastId?: string) =>
  LiveFollower.start(`${service.origin}/api${path}`, {
    authorization: `Bearer ${token}`,
    ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
  })

/** Its stream has begun: something has come, and stays where it is. */
async function neverRead(token: string): Promise<Socket> {
  const socket = await openSocket(service.origin)
  socket.write(`GET /api${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`)
  await once(socket, 'readable')
  return socket
}

it('a stream outlives a database that is away for a while, and misses nothing', async () => {
  const link = await makeLink(service)
  const { token } = await service.mint('clicks:read')
  const follower = await follow(token)
  await visit(service, link.slug)
  await waitFor('the first click', () => follower.received.length === 1)
  proxy.refuse()
  // Streams are looked after twice a second.
  await pause(1_500)
  await visit(service, link.slug)
  proxy.heal()
  await waitFor('the second click', () => follower.received.length === 2 || follower.isEnded)
  expect(follower.received).toHaveLength(2)
  await follower.leave()
})

it('who reads nothing is ended, and nobody else misses anything', async () => {
  const identity = await identityOf(service, await makeLink(service))
  const [slow, quick] = [await service.mint('clicks:read'), await service.mint('clicks:read')]
  const reader = await follow(quick.token)
  const sockets: Socket[] = []
  for (let i = 0; i < streamsOfToken; i++) sockets.push(await neverRead(slow.token))
  const another = async () => {
    const follower = await follow(slow.token)
    await follower.leave()
    return follower.status
  }
  expect(await another()).toBe(429)

  // Sixteen megabytes: far more than what sockets hold.
  const url = `https://target.example/${'x'.repeat(8_000)}`
  const batches = 10
  const size = 200
  for (let batch = 0; batch < batches; batch++) {
    const runner = await begin(service)
    await writeClicks(
      runner.manager,
      Array.from({ length: size }, () => clickOn(identity, { url })),
    )
    await commit(runner)
    await waitFor('the reader', () => reader.received.length === (batch + 1) * size)
  }
  await waitFor('a place', async () => (await another()) === 200)
  expect(reader.isEnded).toBe(false)
  for (const socket of sockets) socket.destroy()
  await reader.leave()

  const resumed = await follow(quick.token, reader.received[0]!.id)
  await waitFor('all that came since', () => resumed.received.length === batches * size - 1)
  expect(resumed.ids).toEqual(reader.ids.slice(1))
  await resumed.leave()
}, 120_000)

it('many who follow a workspace are served by one reading of its feed', async () => {
  const { slug } = await makeLink(service)
  const followers: LiveFollower[] = []
  for (let tokens = 0; tokens < 8; tokens++) {
    const { token } = await service.mint('clicks:read')
    for (let i = 0; i < streamsOfToken; i++) followers.push(await follow(token))
  }
  const count = 10
  const statements = new SentStatements()
  let readings = 0
  const countReadings = () => {
    const sent = statements.read(proxy.takeSent('queries'))
    readings += sent.filter((text) => text.includes('FROM (SELECT * FROM clicks WHERE')).length
  }
  for (let i = 0; i < count; i++) {
    await visit(service, slug)
    await waitFor('the click', () => followers.every(({ received }) => received.length === i + 1))
    countReadings()
    // They were reading for themselves until the first click.
    if (i === 0) readings = 0
  }
  expect(readings).toBeGreaterThan(0)
  expect(readings).toBeLessThan(followers.length * (count - 1))
  for (const follower of followers) await follower.leave()
}, 120_000)

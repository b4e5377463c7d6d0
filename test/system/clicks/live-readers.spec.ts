/** Live streams cost little: idle readers are disconnected, and followers of a workspace share one query. */
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

import { createClick, readIdentity } from '../../support/factories/clicks.js'
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

/** Opens a stream and leaves its first bytes unread. */
async function openUnreadStream(token: string): Promise<Socket> {
  const socket = await openSocket(service.origin)
  socket.write(`GET /api${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`)
  await once(socket, 'readable')
  return socket
}

it('continues a stream after a database outage without missing clicks', async () => {
  const link = await makeLink(service)
  const { token } = await service.mint('clicks:read')
  const follower = await follow(token)
  await visit(service, link.slug)
  await waitFor('the first click', () => follower.received.length === 1)
  proxy.refuseConnections()
  // Streams are checked twice a second.
  await pause(1_500)
  await visit(service, link.slug)
  proxy.restoreConnections()
  await waitFor('the second click', () => follower.received.length === 2 || follower.isEnded)
  expect(follower.received).toHaveLength(2)
  await follower.disconnect()
})

it('ends streams whose client does not read, without affecting other streams', async () => {
  const identity = await readIdentity(service, await makeLink(service))
  const [slow, quick] = [await service.mint('clicks:read'), await service.mint('clicks:read')]
  const reader = await follow(quick.token)
  const sockets: Socket[] = []
  for (let i = 0; i < streamsOfToken; i++) sockets.push(await openUnreadStream(slow.token))
  const openNewStream = async () => {
    const follower = await follow(slow.token)
    await follower.disconnect()
    return follower.status
  }
  expect(await openNewStream()).toBe(429)

  // 16 MB, far more than socket buffers hold.
  const url = `https://target.example/${'x'.repeat(8_000)}`
  const batches = 10
  const size = 200
  for (let batch = 0; batch < batches; batch++) {
    const runner = await begin(service)
    await writeClicks(
      runner.manager,
      Array.from({ length: size }, () => createClick(identity, { url })),
    )
    await commit(runner)
    await waitFor('the reader', () => reader.received.length === (batch + 1) * size)
  }
  await waitFor('a free stream', async () => (await openNewStream()) === 200)
  expect(reader.isEnded).toBe(false)
  for (const socket of sockets) socket.destroy()
  await reader.disconnect()

  const resumed = await follow(quick.token, reader.received[0]!.id)
  await waitFor('the missed clicks', () => resumed.received.length === batches * size - 1)
  expect(resumed.ids).toEqual(reader.ids.slice(1))
  await resumed.disconnect()
}, 120_000)

it('reads the feed once for all followers of a workspace', async () => {
  const { slug } = await makeLink(service)
  const followers: LiveFollower[] = []
  for (let tokens = 0; tokens < 8; tokens++) {
    const { token } = await service.mint('clicks:read')
    for (let i = 0; i < streamsOfToken; i++) followers.push(await follow(token))
  }
  const count = 10
  const statements = new SentStatements()
  let queries = 0
  const countQueries = () => {
    const sent = statements.read(proxy.takeSentBytes('queries'))
    queries += sent.filter((text) => text.includes('FROM (SELECT * FROM clicks WHERE')).length
  }
  for (let i = 0; i < count; i++) {
    await visit(service, slug)
    await waitFor('the click', () => followers.every(({ received }) => received.length === i + 1))
    countQueries()
    // Each stream reads by itself until its first click.
    if (i === 0) queries = 0
  }
  expect(queries).toBeGreaterThan(0)
  expect(queries).toBeLessThan(followers.length * (count - 1))
  for (const follower of followers) await follower.disconnect()
}, 120_000)

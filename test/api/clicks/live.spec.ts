/** The live stream of clicks as server-sent events. */
import { randomUUID } from 'node:crypto'

import type { Caller } from '../../../src/auth/caller.js'
import { LiveClicksService } from '../../../src/clicks/live/live-clicks.service.js'
import { LiveFollower } from '../../support/live-follower.js'
import { createClick, readIdentity } from '../../support/factories/clicks.js'
import { makeLink, visit } from '../../support/factories/links.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import { begin, commit } from '../../support/transactions.js'
import { waitFor } from '../../support/wait-for.js'
import { writeClicks } from '../../../src/clicks/ingest/write-clicks.js'

let service: Service
const followers: LiveFollower[] = []
interface Options {
  token?: string
  lastId?: string
  origin?: string
}

beforeAll(async () => {
  service = await shareService()
})
afterEach(async () => {
  for (const follower of followers.splice(0)) await follower.disconnect()
})
afterAll(() => service.stop())

async function follow(query = '', { token = service.token, lastId, origin = service.origin }: Options = {}) {
  const follower = await LiveFollower.start(`${origin}/api/v1/clicks/live${query}`, {
    authorization: `Bearer ${token}`,
    ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
  })
  followers.push(follower)
  return follower
}

it('streams each click once, in the order of the feed', async () => {
  const link = await makeLink(service)
  const follower = await follow()
  expect([follower.status, follower.type]).toEqual([200, 'text/event-stream; charset=utf-8'])
  for (let i = 0; i < 5; i++) await visit(service, link.slug)
  await waitFor('five clicks', () => follower.received.length === 5)
  const { data } = (await service.call('GET', `/v1/clicks?after=&link_id=${link.id}&limit=100`)).body
  expect(follower.received.map(({ click }) => click)).toEqual(data)
})

it('resumes after Last-Event-ID, which is also a cursor of the feed', async () => {
  const link = await makeLink(service)
  const first = await follow()
  for (let i = 0; i < 3; i++) await visit(service, link.slug)
  await waitFor('three clicks', () => first.received.length === 3)
  await first.disconnect()
  for (let i = 0; i < 3; i++) await visit(service, link.slug)
  const { id } = first.received[1]!
  const second = await follow('', { lastId: id })
  await waitFor('the missed clicks', () => second.received.length === 4)
  expect(second.ids[0]).toBe(first.ids[2])
  const { data } = (await service.call('GET', `/v1/clicks?after=${encodeURIComponent(id)}&limit=100`)).body
  expect(data.map((click: { id: string }) => click.id)).toEqual(second.ids)
})

it('resumes from its first ID if it is disconnected before the first click', async () => {
  const link = await makeLink(service)
  const first = await follow()
  const startId = await waitFor('the first ID', () => first.startId)
  await first.disconnect()
  await visit(service, link.slug)
  const second = await follow('', { lastId: startId })
  await waitFor('the missed click', () => second.received.length === 1)
  expect(second.received[0]!.click.link_id).toBe(link.id)
})

it('neither skips nor repeats clicks when many arrive while it catches up', async () => {
  const identity = await readIdentity(service, await makeLink(service))
  const start = await follow()
  const write = async (count: number) => {
    const runner = await begin(service)
    await writeClicks(
      runner.manager,
      Array.from({ length: count }, () => createClick(identity)),
    )
    await commit(runner)
  }
  await write(1)
  await waitFor('the first click', () => start.received.length === 1)
  await write(1_300)
  const resumed = await follow('', { lastId: start.received[0]!.id })
  for (let i = 0; i < 10; i++) await write(50)
  for (const follower of [start, resumed])
    await waitFor('all clicks', () => follower.received.length >= (follower === start ? 1_801 : 1_800))
  expect(resumed.ids).toEqual(start.ids.slice(1))
  expect(new Set(start.ids).size).toBe(1_801)
})

it('filters the stream by link and by fields of the click', async () => {
  const [one, other] = [await makeLink(service), await makeLink(service)]
  const linkStream = await follow(`?link_id=${one.id}`)
  const scanStream = await follow('?source=qr&country=')
  await visit(service, other.slug)
  await visit(service, `${other.slug}?qr=1`)
  await visit(service, one.slug)
  await waitFor('both streams', () => linkStream.received.length > 0 && scanStream.received.length > 0)
  expect(linkStream.received.map(({ click }) => click.link_id)).toEqual([one.id])
  expect(scanStream.received.map(({ click }) => [click.link_id, click.source])).toEqual([[other.id, 'qr']])
})

it('ends the stream when its token is revoked', async () => {
  const { id, token } = await service.mint('clicks:read')
  const follower = await follow('', { token })
  await service.call('DELETE', `/v1/auth/token/${id}`)
  await waitFor('the end', () => follower.isEnded)
})

it('allows five concurrent streams per token', async () => {
  const { token } = await service.mint('clicks:read')
  const five = await Promise.all(Array.from({ length: 5 }, () => follow('', { token })))
  expect(five.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  const sixth = await service.call('GET', '/v1/clicks/live', { token })
  expect([sixth.status, sixth.body.code]).toEqual([429, 'rate_limited'])
  await five[0]!.disconnect()
  await waitFor('a free stream', async () => {
    const again = await follow('', { token })
    return again.status === 200
  })
})

it('ends the stream when the service shuts down', async () => {
  const short = await startService({ db: service.db })
  const follower = await follow('', { token: short.token, origin: short.origin })
  const stopped = short.stop()
  await waitFor('the end', () => follower.isEnded)
  await stopped
})

it('ends a stream that was being opened when the service began to shut down', async () => {
  const short = await startService({ db: service.db })
  const live = short.app.get(LiveClicksService, { strict: false })
  const { workspace_id: workspaceId } = (
    await service.db.query<{ workspace_id: string }>('SELECT workspace_id FROM tokens LIMIT 1')
  )[0]!
  const caller = { tokenId: randomUUID(), workspaceId, tags: null } as unknown as Caller
  const opening = live.openStream(caller, {}, undefined, () => Promise.resolve(true))
  live.endStreams()
  const output = await opening
  let isEnded = false
  output.on('end', () => (isEnded = true)).resume()
  try {
    await waitFor('the end', () => isEnded)
  } finally {
    output.destroy()
    await short.stop()
  }
})

it.each(['link_id=', 'colour=red', 'source=radio'])('rejects the query %s', async (query) => {
  const { status, body } = await service.call('GET', `/v1/clicks/live?${query}`)
  expect([status, body.code]).toEqual([400, 'invalid_query'])
})

it('rejects an invalid cursor in Last-Event-ID', async () => {
  const { status, body } = await service.call('GET', '/v1/clicks/live', {
    headers: { 'last-event-id': 'abc.def' },
  })
  expect([status, body.code]).toEqual([400, 'invalid_query'])
  expect(body.errors[0]).toMatchObject({ header: 'Last-Event-ID', code: 'invalid_cursor' })
})

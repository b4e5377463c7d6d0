/** A consumer that stores its last cursor receives each click of the feed exactly once. */
import type { QueryRunner } from 'typeorm'

import { encodeId } from '../../../src/platform/database/ids.js'
import type { NewClick } from '../../../src/clicks/click.entity.js'
import { writeClicks } from '../../../src/clicks/ingest/write-clicks.js'
import { Follower } from '../../support/follower.js'
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import { begin, commit, rollback } from '../../support/transactions.js'
import { waitFor } from '../../support/wait-for.js'
import { makeLink, visit } from '../../support/factories/links.js'
import { createClick, readIdentity } from '../../support/factories/clicks.js'

let service: Service
beforeAll(async () => {
  service = await shareService()
})
afterAll(() => service.stop())

let workspaces = 0
/** Creates a workspace whose feed is used by a single test. */
async function createFeed() {
  const name = `feed-${workspaces++}`
  await service.addWorkspace(name)
  const { token } = await service.mint(undefined, name)
  const link = await makeLink(service, {}, token)
  return { token, link, identity: await readIdentity(service, link) }
}

const read = (token: string, after: string, query = '') =>
  service.call('GET', `/v1/clicks?limit=100&after=${after}${query}`, { token })

const follow = (token: string, query = '') => new Follower((after) => read(token, after, query))

const write = (runner: QueryRunner, clicks: NewClick[]) => writeClicks(runner.manager, clicks)
const getSortedIds = (clicks: NewClick[]) => clicks.map(({ id }) => encodeId('clk', id)).sort()

describe('the click feed', () => {
  it('returns a cursor when it is empty, and continues from there', async () => {
    const { token, link } = await createFeed()
    const empty = await read(token, '')
    expect(empty.body).toEqual({ data: [], has_more: false, next_cursor: expect.any(String) })
    expect((await service.call('GET', '/v1/clicks', { token })).body).toEqual(empty.body)
    await visit(service, link.slug)
    await waitFor('the click', async () => (await read(token, empty.body.next_cursor)).body.data.length === 1)
  })

  it('returns pages, oldest first, and can be resumed from any cursor any number of times', async () => {
    const { token, link } = await createFeed()
    for (let i = 0; i < 25; i++) await visit(service, link.slug)
    const follower = follow(token)
    await follower.waitForCount(25)
    const paged: string[] = []
    const cursors = ['']
    for (;;) {
      const { body } = await service.call('GET', `/v1/clicks?limit=7&after=${cursors.at(-1)}`, { token })
      paged.push(...body.data.map(({ id }: { id: string }) => id))
      cursors.push(body.next_cursor)
      if (!body.has_more) break
    }
    expect(paged).toEqual(follower.seen)
    expect(paged).toEqual([...paged].sort())
    expect(cursors).toHaveLength(5)
    for (const [page, cursor] of cursors.entries()) {
      const { body } = await read(token, cursor)
      expect(body.data.map(({ id }: { id: string }) => id)).toEqual(paged.slice(page * 7))
      expect(body.has_more).toBe(false)
    }
  })

  it('can be filtered by link, with separate cursors', async () => {
    const { token, link } = await createFeed()
    const other = await makeLink(service, {}, token)
    for (let i = 0; i < 6; i++) await visit(service, [link, other][i % 2]!.slug)
    await follow(token).waitForCount(6)
    const query = `&link_id=${other.id}`
    const { body } = await read(token, '', query)
    expect(body.data.map(({ link_id }: { link_id: string }) => link_id)).toEqual(Array(3).fill(other.id))
    expect((await read(token, body.next_cursor, query)).body.data).toEqual([])
    for (const wrong of ['', `&link_id=${link.id}`]) {
      const refused = await read(token, body.next_cursor, wrong)
      expect([refused.status, refused.body.errors[0].parameter]).toEqual([400, 'after'])
    }
  })

  it('contains no clicks and accepts no cursors of another workspace', async () => {
    const [own, other] = [await createFeed(), await createFeed()]
    await visit(service, other.link.slug)
    await follow(other.token).waitForCount(1)
    const { body } = await read(other.token, '')
    expect((await read(own.token, '')).body.data).toEqual([])
    expect((await read(own.token, '', `&link_id=${other.link.id}`)).body.data).toEqual([])
    expect((await read(own.token, body.next_cursor)).status).toBe(400)
  })

  it('can start at the end, with or without a filter', async () => {
    const { token, link, identity } = await createFeed()
    const other = await makeLink(service, {}, token)
    await visit(service, link.slug)
    await follow(token).waitForCount(1)
    const query = `&link_id=${other.id}`
    const slow = await begin(service)
    const late = [createClick(identity)]
    await write(slow, late)
    const [end, ofOther] = [await read(token, 'latest'), await read(token, 'latest', query)]
    for (const { status, body } of [end, ofOther])
      expect([status, body]).toEqual([200, { data: [], has_more: false, next_cursor: expect.any(String) }])
    await commit(slow)
    const idsAfter = async (cursor: string, filter = '') =>
      (await read(token, cursor, filter)).body.data.map(({ id }: { id: string }) => id)
    await waitFor('the late click', async () => (await idsAfter(end.body.next_cursor)).length > 0)
    expect(await idsAfter(end.body.next_cursor)).toEqual(getSortedIds(late))
    expect(await idsAfter(ofOther.body.next_cursor, query)).toEqual([])
    expect((await read(token, ofOther.body.next_cursor)).status).toBe(400)
  })

  it('keeps the clicks of a deleted link', async () => {
    const { token, link } = await createFeed()
    await visit(service, link.slug)
    await follow(token).waitForCount(1)
    await service.call('DELETE', `/v1/links/${link.id}`, { token })
    expect((await read(token, '')).body.data).toHaveLength(1)
  })
})

describe('a click that commits late', () => {
  it('is not skipped when its ingester began first and commits last', async () => {
    const { token, identity } = await createFeed()
    const other = await readIdentity(service, await makeLink(service, {}, token))
    const follower = follow(token)
    const late = [createClick(identity)]
    const [slow, fast] = [await begin(service), await begin(service)]
    const early = [createClick(other), createClick(other)]
    await write(slow, late)
    await write(fast, early)
    await commit(fast)
    // The committed clicks may be held back, but the cursor must not pass the open transaction.
    for (let i = 0; i < 5; i++) await follower.follow()
    await commit(slow)
    await follower.waitForCount(3)
    expect([...follower.seen].sort()).toEqual(getSortedIds([...late, ...early]))
  })

  it('is not skipped when its ID is older and its transaction is newer', async () => {
    const { token, identity } = await createFeed()
    const other = await readIdentity(service, await makeLink(service, {}, token))
    const follower = follow(token)
    const old = Array.from({ length: 3 }, () => createClick(identity))
    const fast = await begin(service)
    const young = [createClick(other)]
    await write(fast, young)
    await commit(fast)
    await follower.waitForCount(1)
    const slow = await begin(service)
    await write(slow, old)
    await commit(slow)
    await follower.waitForCount(4)
    expect(follower.seen).toEqual([...getSortedIds(young), ...getSortedIds(old)])
  })

  it('does not hold back the feed once its transaction is rolled back', async () => {
    const { token, identity } = await createFeed()
    const follower = follow(token)
    const [broken, fine] = [await begin(service), await begin(service)]
    const clicks = [createClick(identity)]
    await write(fine, clicks)
    await commit(fine)
    await rollback(broken)
    await follower.waitForCount(1)
    expect(follower.seen).toEqual(getSortedIds(clicks))
  })

  it('is not skipped when four ingesters write at irregular intervals and two consumers read', async () => {
    const { token, identity } = await createFeed()
    const identities = [identity]
    for (let i = 0; i < 4; i++)
      identities.push(await readIdentity(service, await makeLink(service, {}, token)))
    const followers = [follow(token), follow(token, `&link_id=${encodeId('lnk', identities[1]!.linkId)}`)]
    const written: NewClick[] = []
    let isDone = false
    const ingesters = [1, 2, 3, 4].map(async (seed) => {
      for (let round = 0; round < 25; round++) {
        const runner = await begin(service)
        // Each ingester has its own link, because transactions wait for the counters of a link.
        const own = identities[seed]!
        const batch = Array.from({ length: 1 + ((round * seed) % 7) }, () => createClick(own))
        await runner.query('SELECT pg_sleep($1)', [((round * 7 + seed * 13) % 10) / 500])
        await write(runner, batch)
        await runner.query('SELECT pg_sleep($1)', [((round * 3 + seed * 5) % 10) / 500])
        await commit(runner)
        written.push(...batch)
      }
    })
    const reading = followers.map(async (follower) => {
      while (!isDone) await follower.follow()
    })
    await Promise.all(ingesters)
    isDone = true
    await Promise.all(reading)
    const ofOne = written.filter(({ linkId }) => linkId === identities[1]!.linkId)
    for (const [i, expected] of [written, ofOne].entries()) {
      await followers[i]!.waitForCount(expected.length)
      expect([...followers[i]!.seen].sort()).toEqual(getSortedIds(expected))
    }
  })
})

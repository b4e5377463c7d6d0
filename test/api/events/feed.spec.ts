/** A consumer that keeps the last cursor of the feed gets each event exactly once. */
import type { QueryRunner } from 'typeorm'

import { decodeId, encodeId, newId } from '../../../src/platform/database/ids.js'
import { EventRecorder } from '../../../src/events/event-recorder.js'
import type { NewEvent } from '../../../src/events/event-recorder.js'
import { payloads } from '../../../src/events/payloads.js'
import { makeLink } from '../../support/factories/links.js'
import { Follower } from '../../support/follower.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { begin, commit, rollback } from '../../support/transactions.js'
import { waitFor } from '../../support/wait-for.js'
import { getEventIds, waitForCompleteFeed } from '../../support/factories/events.js'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

let workspaces = 0
/** Creates a workspace, whose feed only one test uses. */
async function createFeed() {
  const name = `feed-${workspaces++}`
  await service.addWorkspace(name)
  const [row] = await service.db.query<{ id: string }>('SELECT id FROM workspaces WHERE name = $1', [name])
  return { workspaceId: row!.id, ...(await service.mint(undefined, name)) }
}

const read = (token: string, after: string, query = '') =>
  service.call('GET', `/v1/events?limit=100&after=${after}${query}`, { token })

function newEvent(
  workspaceId: string,
  type: 'link.created' | 'link.deleted' = 'link.created',
  linkId = newId(),
) {
  return { id: newId(), type, workspaceId, linkId, data: payloads['link.created'].example } satisfies NewEvent
}

const follow = (token: string, query = '') => new Follower((after) => read(token, after, query))

const record = (runner: QueryRunner, events: NewEvent[]) =>
  service.app.get(EventRecorder).record(runner.manager, ...events)
const encodedIds = (events: { id: string }[]) => events.map(({ id }) => encodeId('evt', id)).sort()

describe('the feed of events', () => {
  it('returns a cursor when it is empty, and continues from there', async () => {
    const { token } = await createFeed()
    const empty = await read(token, '')
    expect(empty.body).toEqual({ data: [], has_more: false, next_cursor: expect.any(String) })
    expect(empty.headers.get('link')).toBeNull()
    await makeLink(service, {}, token)
    await waitForCompleteFeed(service)
    const { body } = await read(token, empty.body.next_cursor)
    expect(body.data.map(({ type }: { type: string }) => type)).toEqual(['link.created'])
  })

  it('has pages, oldest first, and can be resumed at any cursor repeatedly', async () => {
    const { token } = await createFeed()
    for (let i = 0; i < 25; i++) await makeLink(service, {}, token)
    await waitForCompleteFeed(service)
    const all = getEventIds(await read(token, ''))
    expect(all).toEqual([...all].sort())
    const paged: string[] = []
    const cursors = ['']
    for (;;) {
      const response = await service.call('GET', `/v1/events?limit=7&after=${cursors.at(-1)}`, { token })
      paged.push(...getEventIds(response))
      cursors.push(response.body.next_cursor)
      if (!response.body.has_more) break
      expect(response.headers.get('link')).toContain(`after=${response.body.next_cursor}`)
    }
    expect(paged).toEqual(all)
    expect(cursors).toHaveLength(5)
    for (const [page, cursor] of cursors.entries())
      expect(getEventIds(await read(token, cursor))).toEqual(all.slice(page * 7))
  })

  it('can be filtered, with separate cursors', async () => {
    const { token } = await createFeed()
    const [one, two] = [await makeLink(service, {}, token), await makeLink(service, {}, token)]
    for (const { id } of [one, two]) await service.call('DELETE', `/v1/links/${id}`, { token })
    await waitForCompleteFeed(service)
    const query = `&link_id=${two.id}&type=link.deleted`
    const { body } = await read(token, '', query)
    expect(body.data).toMatchObject([{ type: 'link.deleted', data: { link: { id: two.id } } }])
    expect((await read(token, body.next_cursor, query)).body.data).toEqual([])
    for (const wrong of ['', `&link_id=${two.id}`, `&link_id=${one.id}&type=link.deleted`]) {
      const refused = await read(token, body.next_cursor, wrong)
      expect([refused.status, refused.body.errors[0].parameter]).toEqual([400, 'after'])
    }
  })

  it('contains no events and accepts no cursors of another workspace', async () => {
    const [own, other] = [await createFeed(), await createFeed()]
    const { id } = await makeLink(service, {}, other.token)
    await waitForCompleteFeed(service)
    const { body } = await read(other.token, '')
    expect(body.data).toHaveLength(1)
    expect((await read(own.token, '')).body.data).toEqual([])
    expect((await read(own.token, '', `&link_id=${id}`)).body.data).toEqual([])
    expect((await read(own.token, body.next_cursor)).status).toBe(400)
  })

  it('can start at the end, with or without a filter', async () => {
    const { token } = await createFeed()
    for (let i = 0; i < 3; i++) await makeLink(service, {}, token)
    await waitForCompleteFeed(service)
    const query = '&type=link.deleted'
    const [end, ofDeleted] = [await read(token, 'latest'), await read(token, 'latest', query)]
    for (const { status, body } of [end, ofDeleted])
      expect([status, body]).toEqual([200, { data: [], has_more: false, next_cursor: expect.any(String) }])
    const { id } = await makeLink(service, {}, token)
    await service.call('DELETE', `/v1/links/${id}`, { token })
    await waitForCompleteFeed(service)
    const typesAfter = async (cursor: string, filter = '') =>
      (await read(token, cursor, filter)).body.data.map(({ type }: { type: string }) => type)
    expect(await typesAfter(end.body.next_cursor)).toEqual(['link.created', 'link.deleted'])
    expect(await typesAfter(ofDeleted.body.next_cursor, query)).toEqual(['link.deleted'])
    expect((await read(token, ofDeleted.body.next_cursor)).status).toBe(400)
  })

  it('rejects cursors of the list, and the list rejects cursors of the feed', async () => {
    const { token } = await createFeed()
    for (let i = 0; i < 2; i++) await makeLink(service, {}, token)
    const listCursor = (await service.call('GET', '/v1/events?limit=1', { token })).body.next_cursor
    const feedCursor = (await read(token, '')).body.next_cursor
    for (const query of [
      `after=${listCursor}`,
      `cursor=${feedCursor}`,
      `after=&cursor=${listCursor}`,
      `after=${feedCursor}&cursor=${listCursor}`,
    ]) {
      const { status, body } = await service.call('GET', `/v1/events?limit=1&${query}`, { token })
      expect([status, body.code]).toEqual([400, 'invalid_query'])
    }
  })
})

describe('an event that commits late', () => {
  it('is not skipped when its writer began first and commits last', async () => {
    const { token, workspaceId } = await createFeed()
    const follower = follow(token)
    const [slow, fast] = [await begin(service), await begin(service)]
    const late = [newEvent(workspaceId)]
    const early = [newEvent(workspaceId), newEvent(workspaceId)]
    await record(slow, late)
    await record(fast, early)
    await commit(fast)
    // The committed events may be held back, but the cursor must not pass the open transaction.
    for (let i = 0; i < 5; i++) await follower.follow()
    await commit(slow)
    await follower.waitForCount(3)
    expect([...follower.seen].sort()).toEqual(encodedIds([...late, ...early]))
  })

  it('is not skipped by a consumer that started at the end during its transaction', async () => {
    const { token, workspaceId } = await createFeed()
    await makeLink(service, {}, token)
    const slow = await begin(service)
    const late = [newEvent(workspaceId)]
    await record(slow, late)
    const end = (await read(token, 'latest')).body.next_cursor
    await commit(slow)
    const ids = () => read(token, end).then(getEventIds)
    await waitFor('the late event', async () => (await ids()).length > 0)
    expect(await ids()).toEqual(encodedIds(late))
  })

  it('does not hold back the feed once its transaction is rolled back', async () => {
    const { token, workspaceId } = await createFeed()
    const follower = follow(token)
    const [broken, fine] = [await begin(service), await begin(service)]
    const events = [newEvent(workspaceId)]
    await record(broken, [newEvent(workspaceId)])
    await record(fine, events)
    await commit(fine)
    await rollback(broken)
    await follower.waitForCount(1)
    expect(follower.seen).toEqual(encodedIds(events))
  })

  it('is not skipped with four writers and four consumers at random', async () => {
    const { token, workspaceId } = await createFeed()
    const { id: linkId } = await makeLink(service, {}, token)
    await service.db.query('DELETE FROM events WHERE workspace_id = $1', [workspaceId])
    const link = decodeId('lnk', linkId)!
    const followers = [
      follow(token),
      follow(token, '&type=link.deleted'),
      follow(token, `&link_id=${linkId}`),
      follow(token, `&link_id=${linkId}&type=link.created`),
    ]
    const written: ReturnType<typeof newEvent>[] = []
    let isDone = false
    const writers = [1, 2, 3, 4].map(async (seed) => {
      for (let round = 0; round < 25; round++) {
        const runner = await begin(service)
        const events = Array.from({ length: 1 + ((round * seed) % 5) }, (_, i) =>
          newEvent(
            workspaceId,
            (i + round) % 2 ? 'link.created' : 'link.deleted',
            seed === 1 ? link : newId(),
          ),
        )
        await runner.query('SELECT pg_sleep($1)', [((round * 7 + seed * 13) % 10) / 500])
        await record(runner, events)
        await runner.query('SELECT pg_sleep($1)', [((round * 3 + seed * 5) % 10) / 500])
        if ((round + seed) % 6 === 0) {
          await rollback(runner)
          continue
        }
        await commit(runner)
        written.push(...events)
      }
    })
    const reading = followers.map(async (follower) => {
      while (!isDone) await follower.follow()
    })
    await Promise.all(writers)
    isDone = true
    await Promise.all(reading)
    const expected = [
      written,
      written.filter(({ type }) => type === 'link.deleted'),
      written.filter(({ linkId }) => linkId === link),
      written.filter(({ linkId, type }) => linkId === link && type === 'link.created'),
    ]
    for (const [i, events] of expected.entries()) {
      await followers[i]!.waitForCount(events.length)
      expect([...followers[i]!.seen].sort()).toEqual(encodedIds(events))
    }
  })
})

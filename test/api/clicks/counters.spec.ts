/** The counters and the list of clicks of a link. */
import { DataSource } from 'typeorm'

import { lowestIdAt, newId } from '../../../src/platform/database/ids.js'
import {
  dropPartitionsBefore,
  createPartitions,
  partitionsBetween,
} from '../../../src/platform/database/partitions.js'
import { clickPartitions } from '../../../src/clicks/click.entity.js'
import { writeClicks } from '../../../src/clicks/ingest/write-clicks.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { begin, commit } from '../../support/transactions.js'
import { waitFor } from '../../support/wait-for.js'
import { makeLink, visit } from '../../support/factories/links.js'
import { createClick, readIdentity } from '../../support/factories/clicks.js'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const read = async (id: string) => (await service.call('GET', `/v1/links/${id}`)).body
const list = (id: string, query = '') => service.call('GET', `/v1/links/${id}/clicks${query}`)

describe('the counters', () => {
  it('count all clicks and human clicks', async () => {
    const { id, slug } = await makeLink(service)
    for (let i = 0; i < 5; i++) await visit(service, slug)
    for (let i = 0; i < 3; i++) await visit(service, slug, { 'user-agent': 'curl/8.5.0' })
    const link = await waitFor('eight clicks', async () => {
      const body = await read(id)
      return body.clicks.total === 8 ? body : null
    })
    expect(link.clicks).toEqual({ total: 8, human: 5 })
    const { data } = (await list(id)).body
    expect(link.last_clicked_at).toBe(data[0].occurred_at)
    expect(data).toHaveLength(8)
  })

  it('do not change the ETag of the link', async () => {
    const link = await makeLink(service)
    const etag = (await service.call('GET', `/v1/links/${link.id}`)).headers.get('etag')!
    await visit(service, link.slug)
    await waitFor('the click', async () => (await read(link.id)).clicks.total === 1)
    const headers = { 'if-match': etag }
    const changed = await service.call('PATCH', `/v1/links/${link.id}`, { body: { title: 'x' }, headers })
    expect(changed.status).toBe(200)
    expect(changed.body.clicks).toEqual({ total: 1, human: 1 })
  })

  it('are exact after concurrent visits of many links', async () => {
    const links = await Promise.all(Array.from({ length: 10 }, () => makeLink(service)))
    await Promise.all(Array.from({ length: 500 }, (_, i) => visit(service, links[i % 10]!.slug)))
    for (const { id } of links)
      await waitFor('fifty clicks', async () => (await read(id)).clicks.total === 50)
    const rows = await service.db.query(
      `SELECT link_id FROM link_counters LEFT JOIN (SELECT link_id, count(*) AS n FROM clicks GROUP BY 1) AS c USING (link_id)
       WHERE total <> coalesce(n, 0)`,
    )
    expect(rows).toEqual([])
  })

  it('count repeated and overlapping batches once', async () => {
    const link = await makeLink(service)
    const identity = await readIdentity(service, link)
    const clicks = Array.from({ length: 30 }, () => createClick(identity))
    const database = service.app.get(DataSource)
    for (const batch of [clicks.slice(0, 20), clicks.slice(0, 20), clicks.slice(10), clicks])
      await database.transaction((tx) => writeClicks(tx, batch))
    expect((await read(link.id)).clicks).toEqual({ total: 30, human: 30 })
    expect((await list(link.id, '?limit=100')).body.data).toHaveLength(30)
  })
})

describe('the counters of a link', () => {
  const getLinkCounters = (linkId: string) =>
    service.db.query('SELECT total::int, human::int, last_clicked_at FROM link_counters WHERE link_id = $1', [
      linkId,
    ])
  /** Creates a link without counters. */
  async function makeUnvisitedLink() {
    const identity = await readIdentity(service, await makeLink(service))
    await service.db.query('DELETE FROM link_counters WHERE link_id = $1', [identity.linkId])
    return identity
  }

  it('are created by the first click, in the workspace of the link', async () => {
    const link = await makeUnvisitedLink()
    const clicks = [createClick(link), createClick(link, { bot: true })]
    await service.app.get(DataSource).transaction((tx) => writeClicks(tx, clicks))
    const last = clicks.map(({ occurredAt }) => occurredAt).sort((a, b) => Number(b) - Number(a))[0]
    expect(await getLinkCounters(link.linkId)).toEqual([{ total: 2, human: 1, last_clicked_at: last }])
    const [row] = await service.db.query('SELECT workspace_id FROM link_counters WHERE link_id = $1', [
      link.linkId,
    ])
    expect(row).toEqual({ workspace_id: link.workspaceId })
  })

  it('are exact when two ingesters write the first clicks of the same links concurrently', async () => {
    const links = [await makeUnvisitedLink(), await makeUnvisitedLink(), await makeUnvisitedLink()]
    const [one, other] = [await begin(service), await begin(service)]
    await writeClicks(
      one.manager,
      links.map((link) => createClick(link)),
    )
    // The opposite order must not cause a deadlock.
    const second = writeClicks(
      other.manager,
      [...links].reverse().map((link) => createClick(link)),
    )
    await waitFor('the second transaction to wait for the first', async () => {
      const waiting = await service.db.query(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
      return waiting.length === 1
    })
    await commit(one)
    await second
    await commit(other)
    for (const { linkId } of links)
      expect(await getLinkCounters(linkId)).toEqual([expect.objectContaining({ total: 2, human: 2 })])
  })

  it('are exact after many concurrent batches with links in any order', async () => {
    const links: Awaited<ReturnType<typeof makeUnvisitedLink>>[] = []
    for (let i = 0; i < 8; i++) links.push(await makeUnvisitedLink())
    const batches = Array.from({ length: 24 }, (_, batch) =>
      Array.from({ length: 40 }, (__, i) => createClick(links[(i * (batch + 3) + batch) % 8]!)),
    )
    const database = service.app.get(DataSource)
    await Promise.all(batches.map((batch) => database.transaction((tx) => writeClicks(tx, batch))))
    for (const { linkId } of links) {
      const expected = batches.flat().filter((click) => click.linkId === linkId).length
      expect(await getLinkCounters(linkId)).toEqual([expect.objectContaining({ total: expected })])
    }
  })

  it('are not created for a missing link, whose batch counts its other clicks', async () => {
    const link = await makeUnvisitedLink()
    const missing = { ...link, linkId: newId() }
    await service.app
      .get(DataSource)
      .transaction((tx) => writeClicks(tx, [createClick(missing), createClick(link), createClick(missing)]))
    expect(await getLinkCounters(missing.linkId)).toEqual([])
    expect(await getLinkCounters(link.linkId)).toEqual([expect.objectContaining({ total: 1 })])
  })

  it('count a click that is written after its link was deleted', async () => {
    const deleted = await makeLink(service)
    const link = await readIdentity(service, deleted)
    await service.call('DELETE', `/v1/links/${deleted.id}`)
    await service.db.query('DELETE FROM link_counters WHERE link_id = $1', [link.linkId])
    await service.app.get(DataSource).transaction((tx) => writeClicks(tx, [createClick(link)]))
    expect(await getLinkCounters(link.linkId)).toEqual([expect.objectContaining({ total: 1 })])
  })
})

describe("the list of a link's clicks", () => {
  it('is newest first, and pages neither repeat nor skip clicks while new clicks arrive', async () => {
    const { id, slug } = await makeLink(service)
    for (let i = 0; i < 11; i++) await visit(service, slug)
    await waitFor('eleven clicks', async () => (await read(id)).clicks.total === 11)
    const all: string[] = (await list(id, '?limit=100')).body.data.map((click: { id: string }) => click.id)
    expect(all).toEqual([...all].sort().reverse())
    const seen: string[] = []
    for (let cursor = ''; ;) {
      const { status, body } = await list(id, `?limit=3${cursor}`)
      expect(status).toBe(200)
      seen.push(...body.data.map((click: { id: string }) => click.id))
      if (!body.has_more) break
      const count = (await read(id)).clicks.total as number
      await visit(service, slug)
      await waitFor('one more click', async () => (await read(id)).clicks.total === count + 1)
      cursor = `&cursor=${body.next_cursor}`
    }
    expect(seen).toEqual(all)
  })

  it('accepts only cursors of the same link', async () => {
    const [one, other] = [await makeLink(service), await makeLink(service)]
    for (let i = 0; i < 2; i++) await visit(service, one.slug)
    await waitFor('both clicks', async () => (await read(one.id)).clicks.total === 2)
    const { next_cursor } = (await list(one.id, '?limit=1')).body
    expect((await list(one.id, `?cursor=${next_cursor}`)).status).toBe(200)
    const refused = await list(other.id, `?cursor=${next_cursor}`)
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_query'])
  })
})

describe('retention', () => {
  it('drops old clicks and keeps the counters', async () => {
    const link = await makeLink(service)
    const identity = await readIdentity(service, link)
    const database = service.app.get(DataSource)
    const old = new Date(Date.now() - 100 * 86_400_000)
    const now = new Date()
    await database.transaction(async (tx) => {
      await createPartitions(tx, partitionsBetween(clickPartitions, old, old))
      const batch = [old, old, now].map((occurredAt) =>
        createClick(identity, { occurredAt, id: lowestIdAt(occurredAt).slice(0, 13) + newId().slice(13) }),
      )
      await writeClicks(tx, batch)
    })
    expect((await list(link.id)).body.data).toHaveLength(3)
    await database.transaction((tx) =>
      dropPartitionsBefore(tx, clickPartitions, new Date(Date.now() - 50 * 86_400_000)),
    )
    const { data } = (await list(link.id)).body
    expect(data.map((click: { occurred_at: string }) => click.occurred_at)).toEqual([now.toISOString()])
    expect((await read(link.id)).clicks).toEqual({ total: 3, human: 3 })
    // The current partition still exists.
    await visit(service, link.slug)
    await waitFor('the next click', async () => (await read(link.id)).clicks.total === 4)
  })
})

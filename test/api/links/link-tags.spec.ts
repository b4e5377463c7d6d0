/** What the list by tags is read from says at every moment what the links say, whoever wrote them. */
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { importFile } from '../../support/factories/imports.js'
import { makeLink, visit } from '../../support/factories/links.js'
import { waitFor } from '../../support/wait-for.js'
import { TagCountsRepository } from '../../../src/links/tags/tag-counts.repository.js'
import { migrate } from '../../../src/platform/database/data-source.js'
import { history } from '../../../src/migrations/history.js'

let service: Service
beforeAll(async () => {
  service = await startService({ env: { ROLE: 'all' } })
})
afterAll(() => service.stop())

const url = 'https://target.example/page'
const call = async (method: string, path: string, body?: unknown) => {
  const answer = await service.call(method, `/v1${path}`, body === undefined ? {} : { body })
  expect(answer.status).toBeLessThan(300)
  return answer.body
}
const slugsOf = async (tag: string, sort: string) =>
  (await call('GET', `/links?tag=${tag}&sort=${sort}`)).data.map(({ slug }: { slug: string }) => slug)
const differences = () =>
  service.db.query(`
    WITH said AS (SELECT workspace_id, unnest(tags) COLLATE "C" AS tag, id FROM links WHERE deleted_at IS NULL)
    (TABLE said EXCEPT TABLE link_tags) UNION ALL (TABLE link_tags EXCEPT TABLE said)`)

const unclickedDifferences = () =>
  service.db.query(`
    WITH said AS (
      SELECT workspace_id, unnest(array_append(tags, '')) COLLATE "C" AS tag, id FROM links
      WHERE deleted_at IS NULL AND NOT EXISTS (SELECT FROM link_counters WHERE link_id = links.id)
    )
    (TABLE said EXCEPT TABLE unclicked_links) UNION ALL (TABLE unclicked_links EXCEPT TABLE said)`)

/** How many links have each tag, as the service says it and as the links do. */
const counted = async () => (await call('GET', '/tags?limit=100')).data
const inLinks = () =>
  service.db.query(`
    SELECT tag, count(*)::int AS links FROM links, unnest(tags) AS tag WHERE deleted_at IS NULL
    GROUP BY tag ORDER BY links DESC, tag COLLATE "C"`)
async function expectExact(): Promise<void> {
  expect(await counted()).toEqual(await inLinks())
  expect(await differences()).toEqual([])
  expect(await unclickedDifferences()).toEqual([])
}
const counts = () => service.app.get(TagCountsRepository)

it('with every way of writing links', async () => {
  const one = await makeLink(service, { slug: 'one', tags: ['red', 'blue'] })
  await makeLink(service, { slug: 'plain' })
  expect(await slugsOf('red', 'created_at')).toEqual(['one'])

  await call('PATCH', `/links/${one.id}`, { tags: ['green', 'blue'] })
  expect(await slugsOf('red', 'created_at')).toEqual([])
  expect(await slugsOf('green', '-created_at')).toEqual(['one'])
  await call('PATCH', `/links/${one.id}`, { title: 'The same tags' })

  const { results } = await call('POST', '/links/bulk', {
    links: ['a', 'b', 'c'].map((slug) => ({ url, slug, tags: ['many', slug] })),
  })
  const ids = results.map(({ link }: { link: { id: string } }) => link.id)
  expect(await slugsOf('many', 'created_at')).toEqual(['a', 'b', 'c'])
  expect(await slugsOf('many', '-clicks')).toEqual(['c', 'b', 'a'])
  await call('POST', '/links/bulk/update', {
    ids: ids.slice(0, 2),
    patch: {},
    add_tags: ['more'],
    remove_tags: ['many'],
  })
  expect(await slugsOf('many', 'created_at')).toEqual(['c'])
  expect(await slugsOf('more', 'created_at')).toEqual(['a', 'b'])
  await call('POST', '/links/bulk/delete', { ids: ids.slice(1) })
  expect(await slugsOf('more', 'created_at')).toEqual(['a'])

  await call('PUT', '/links/by-external-id/put', { url, slug: 'put', tags: ['put', 'more'] })
  await call('PUT', '/links/by-external-id/put', { url, slug: 'put', tags: ['more'] })
  expect(await slugsOf('more', '-created_at')).toEqual(['put', 'a'])

  await importFile(service, `url,slug,tags\n${url},imported,"more,file"\n`)
  expect(await slugsOf('more', '-created_at')).toEqual(['imported', 'put', 'a'])

  await call('DELETE', `/links/${one.id}`)
  expect(await slugsOf('blue', 'created_at')).toEqual([])
  await expectExact()
})

it('when links with tags are clicked for the first time, and again', async () => {
  const links = await Promise.all(
    ['p', 'q', 'r'].map((slug) => makeLink(service, { slug, tags: ['seen', slug] })),
  )
  expect(await slugsOf('seen', '-clicks')).toHaveLength(3)
  for (const slug of ['q', 'p', 'q']) await visit(service, slug)
  await waitFor('the clicks', async () => (await call('GET', `/links/${links[1]!.id}`)).clicks.total === 2)
  expect(await slugsOf('seen', '-clicks')).toEqual(['q', 'p', 'r'])
  await expectExact()
  // A tag that comes after the first click has no row there, and one that goes takes its row along.
  await call('PATCH', `/links/${links[0]!.id}`, { tags: ['seen', 'late'] })
  await call('PATCH', `/links/${links[2]!.id}`, { tags: ['late'] })
  expect(await slugsOf('late', '-clicks')).toEqual(['p', 'r'])
  await expectExact()
})

it('before and after its numbers are added up, and a tag that is gone leaves nothing', async () => {
  const link = await makeLink(service, { tags: ['short-lived', 'short-lived-2'] })
  await call('PATCH', `/links/${link.id}`, { tags: ['short-lived-2'] })
  await expectExact()
  // One by one: the end of a tag may be taken apart from its beginning.
  while ((await counts().addUp(1)) > 0) await expectExact()
  await call('DELETE', `/links/${link.id}`)
  await counts().addUp(1_000)
  await counts().forgetUnused()
  expect(await service.db.query(`SELECT FROM tag_counts WHERE tag LIKE 'short%' OR links <= 0`)).toEqual([])
  await expectExact()
})

it('when many write links with the same tags at once, and the numbers are added up meanwhile', async () => {
  const batch = (name: string) =>
    call('POST', '/links/bulk', {
      links: Array.from({ length: 40 }, (_, i) => ({
        url,
        // Each its own order: whoever locked the number of a tag would wait for the others in a circle.
        tags: name < 'd' ? ['x', 'y', `z${i % 3}`] : [`z${i % 3}`, 'y', 'x'],
      })),
    })
  const change = async (name: string) => {
    const { results } = await batch(name)
    const ids = results.map(({ link }: { link: { id: string } }) => link.id)
    await call('POST', '/links/bulk/update', { ids, patch: {}, add_tags: ['w'], remove_tags: ['x'] })
    await call('POST', '/links/bulk/delete', { ids: ids.slice(30) })
  }
  let isWriting = true
  const adding = Array.from({ length: 3 }, async () => {
    while (isWriting) {
      await counts().addUp(7)
      await counts().forgetUnused()
    }
  })
  await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(change))
  isWriting = false
  await Promise.all(adding)
  await expectExact()
})

it('after the migration of a database that has links', async () => {
  await makeLink(service, { tags: ['there', 'before'] })
  const deleted = await makeLink(service, { tags: ['there', 'deleted'] })
  await call('DELETE', `/links/${deleted.id}`)
  await service.db.query(`
    DROP TRIGGER link_tags_of_new ON links; DROP TRIGGER link_tags_of_changed ON links;
    DROP TRIGGER unclicked_links_of_changed ON links; DROP TRIGGER unclicked_links_of_counted ON link_counters;
    DROP FUNCTION keep_link_tags, keep_tags_of_new_links, keep_unclicked_links, forget_clicked_links;
    DROP TABLE link_tags, tag_counts, tag_changes, unclicked_links;
    DELETE FROM migrations WHERE name LIKE 'LinkTags%' OR name LIKE 'TagCounts%' OR name LIKE 'UnclickedLinks%'`)
  await migrate(service.db.url, history)
  await expectExact()
  expect(await slugsOf('before', 'created_at')).toHaveLength(1)
})

/** What the list by tags is read from says at every moment what the links say, whoever wrote them. */
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { importFile } from '../../support/factories/imports.js'
import { makeLink } from '../../support/factories/links.js'
import { TagCountsRepository } from '../../../src/links/tags/tag-counts.repository.js'
import { migrate } from '../../../src/platform/database/migrate.js'
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

/** How many links have each tag, as the service says it and as the links do. */
const counted = async () => (await call('GET', '/tags?limit=100')).data
const inLinks = () =>
  service.db.query(`
    SELECT tag, count(*)::int AS links FROM links, unnest(tags) AS tag WHERE deleted_at IS NULL
    GROUP BY tag ORDER BY links DESC, tag COLLATE "C"`)
async function expectExact(): Promise<void> {
  expect(await counted()).toEqual(await inLinks())
  expect(await differences()).toEqual([])
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
    DROP FUNCTION keep_link_tags, keep_tags_of_new_links; DROP TABLE link_tags, tag_counts, tag_changes;
    DELETE FROM migrations WHERE name LIKE 'LinkTags%' OR name LIKE 'TagCounts%'`)
  await migrate(service.db.url, history)
  await expectExact()
  expect(await slugsOf('before', 'created_at')).toHaveLength(1)
})

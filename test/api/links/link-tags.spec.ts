/** Lists by tag and counts of tags, for every way to write links. */
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { importFile } from '../../support/factories/imports.js'
import { makeLink, visit } from '../../support/factories/links.js'
import { waitFor } from '../../support/wait-for.js'

let service: Service
beforeAll(async () => {
  service = await startService({ env: { ROLE: 'all' } })
})
afterAll(() => service.stop())

const url = 'https://target.example/page'
const call = async (method: string, path: string, body?: unknown) => {
  const response = await service.call(method, `/v1${path}`, body === undefined ? {} : { body })
  expect(response.status).toBeLessThan(300)
  return response.body
}
const listSlugs = async (tag: string, sort: string) =>
  (await call('GET', `/links?tag=${tag}&sort=${sort}`)).data.map(({ slug }: { slug: string }) => slug)
/** Returns the number of links of each tag, from the API. */
const countsFromApi = async () => (await call('GET', '/tags?limit=100')).data
/** Returns the number of links of each tag, from the rows of links. */
const countsFromLinks = () =>
  service.db.query(`
    SELECT tag, count(*)::int AS links FROM links, unnest(tags) AS tag WHERE deleted_at IS NULL
    GROUP BY tag ORDER BY links DESC, tag COLLATE "C"`)
async function expectExact(): Promise<void> {
  expect(await countsFromApi()).toEqual(await countsFromLinks())
}

it('lists links by their current tags after every kind of write', async () => {
  const one = await makeLink(service, { slug: 'one', tags: ['red', 'blue'] })
  await makeLink(service, { slug: 'plain' })
  expect(await listSlugs('red', 'created_at')).toEqual(['one'])

  await call('PATCH', `/links/${one.id}`, { tags: ['green', 'blue'] })
  expect(await listSlugs('red', 'created_at')).toEqual([])
  expect(await listSlugs('green', '-created_at')).toEqual(['one'])
  await call('PATCH', `/links/${one.id}`, { title: 'The same tags' })

  const { results } = await call('POST', '/links/bulk', {
    links: ['a', 'b', 'c'].map((slug) => ({ url, slug, tags: ['many', slug] })),
  })
  const ids = results.map(({ link }: { link: { id: string } }) => link.id)
  expect(await listSlugs('many', 'created_at')).toEqual(['a', 'b', 'c'])
  expect(await listSlugs('many', '-clicks')).toEqual(['c', 'b', 'a'])
  await call('POST', '/links/bulk/update', {
    ids: ids.slice(0, 2),
    patch: {},
    add_tags: ['more'],
    remove_tags: ['many'],
  })
  expect(await listSlugs('many', 'created_at')).toEqual(['c'])
  expect(await listSlugs('more', 'created_at')).toEqual(['a', 'b'])
  await call('POST', '/links/bulk/delete', { ids: ids.slice(1) })
  expect(await listSlugs('more', 'created_at')).toEqual(['a'])

  await call('PUT', '/links/by-external-id/put', { url, slug: 'put', tags: ['put', 'more'] })
  await call('PUT', '/links/by-external-id/put', { url, slug: 'put', tags: ['more'] })
  expect(await listSlugs('more', '-created_at')).toEqual(['put', 'a'])

  await importFile(service, `url,slug,tags\n${url},imported,"more,file"\n`)
  expect(await listSlugs('more', '-created_at')).toEqual(['imported', 'put', 'a'])

  await call('DELETE', `/links/${one.id}`)
  expect(await listSlugs('blue', 'created_at')).toEqual([])
  await expectExact()
})

it('sorts the links of a tag by their clicks', async () => {
  const links = await Promise.all(
    ['p', 'q', 'r'].map((slug) => makeLink(service, { slug, tags: ['seen', slug] })),
  )
  expect(await listSlugs('seen', '-clicks')).toHaveLength(3)
  for (const slug of ['q', 'p', 'q']) await visit(service, slug)
  await waitFor('the clicks', async () => (await call('GET', `/links/${links[1]!.id}`)).clicks.total === 2)
  expect(await listSlugs('seen', '-clicks')).toEqual(['q', 'p', 'r'])
  await expectExact()
  await call('PATCH', `/links/${links[0]!.id}`, { tags: ['seen', 'late'] })
  await call('PATCH', `/links/${links[2]!.id}`, { tags: ['late'] })
  expect(await listSlugs('late', '-clicks')).toEqual(['p', 'r'])
  await expectExact()
})

it('leaves out deleted links, and pages through the tags', async () => {
  const link = await makeLink(service, { tags: ['short-lived'] })
  expect((await countsFromApi()).some(({ tag }: { tag: string }) => tag === 'short-lived')).toBe(true)
  await call('DELETE', `/links/${link.id}`)
  await expectExact()
  const paged: unknown[] = []
  for (let cursor = ''; ;) {
    const page = await call('GET', `/tags?limit=2${cursor}`)
    paged.push(...page.data)
    if (!page.has_more) break
    cursor = `&cursor=${page.next_cursor}`
  }
  expect(paged).toEqual(await countsFromLinks())
})

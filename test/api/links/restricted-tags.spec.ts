/** What a token that is restricted to tags can write. */
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'

let service: Service
let single: string
let several: string
beforeAll(async () => {
  service = await shareService()
  const mint = (tags: string[]) => service.mint(undefined, undefined, undefined, { tags })
  single = (await mint(['own'])).token
  several = (await mint(['own', 'shared'])).token
})
afterAll(() => service.stop())

const url = 'https://target.example/'
const create = (body: object, token = single) =>
  service.call('POST', '/v1/links', { token, body: { url, ...body } })
const patch = (id: string, body: object, token = single) =>
  service.call('PATCH', `/v1/links/${id}`, { token, body })
const leaves = {
  status: 403,
  body: { code: 'restricted', restriction: 'tags', errors: [{ code: 'restricted' }] },
}

it('adds the only tag to new links', async () => {
  expect((await create({})).body.tags).toEqual(['own'])
  expect((await create({ tags: ['x'] })).body.tags).toEqual(['x', 'own'])
  expect((await create({ tags: ['own', 'x'] })).body.tags).toEqual(['own', 'x'])
  const bulk = await service.call('POST', '/v1/links/bulk', {
    token: single,
    body: { links: [{ url }, { url, tags: ['x'] }] },
  })
  expect(bulk.body.results.map(({ link }: any) => link.tags)).toEqual([['own'], ['x', 'own']])
  const full = Array.from({ length: 20 }, (_, i) => `t${i}`)
  expect(await create({ tags: full })).toMatchObject({
    status: 422,
    body: { errors: [{ code: 'too_many_tags' }] },
  })
})

it('requires one of several tags for a new link', async () => {
  expect((await create({ tags: ['shared', 'x'] }, several)).body.tags).toEqual(['shared', 'x'])
  expect(await create({}, several)).toMatchObject(leaves)
  expect(await create({ tags: ['x'] }, several)).toMatchObject(leaves)
  const links = [{ url, tags: ['own'] }, { url }]
  const bulk = (atomic: boolean) =>
    service.call('POST', '/v1/links/bulk', { token: several, body: { links, atomic } })
  expect(await bulk(true)).toMatchObject({
    status: 403,
    body: { code: 'restricted', errors: [{ pointer: '/links/1/tags' }] },
  })
  expect((await bulk(false)).body).toMatchObject({
    created: 1,
    failed: 1,
    results: [{}, { error: { code: 'restricted' } }],
  })
})

it('does not remove the last of the tags', async () => {
  const { id } = (await create({ tags: ['own', 'shared'] }, several)).body
  expect((await patch(id, { tags: ['shared'] }, several)).status).toBe(200)
  expect(await patch(id, { tags: ['x'] }, several)).toMatchObject(leaves)
  expect(await patch(id, { tags: null }, several)).toMatchObject(leaves)
  const update = (body: object) =>
    service.call('POST', '/v1/links/bulk/update', { token: several, body: { ids: [id], ...body } })
  expect(await update({ remove_tags: ['shared'] })).toMatchObject(leaves)
  expect((await service.call('GET', `/v1/links/${id}`)).body.tags).toEqual(['shared'])
  expect((await patch(id, { tags: ['own'] }, single)).status).toBe(404)
})

it('keeps PUT repeatable', async () => {
  const put = () =>
    service.call('PUT', '/v1/links/by-external-id/restricted-put', {
      token: single,
      body: { url, title: 'a' },
    })
  const created = await put()
  expect({ status: created.status, tags: created.body.tags }).toEqual({ status: 201, tags: ['own'] })
  expect((await put()).body).toEqual(created.body)
})

it('updates links of the token on a conflict, and no other link', async () => {
  const other = (await service.call('POST', '/v1/links', { body: { url, external_id: 'restricted-other' } }))
    .body
  const own = (await create({ external_id: 'restricted-own' })).body
  const links = ['restricted-own', 'restricted-other'].map((external_id) => ({
    url,
    external_id,
    title: 'new',
    tags: ['x'],
  }))
  const { body } = await service.call('POST', '/v1/links/bulk', {
    token: single,
    body: { links, on_conflict: 'update', atomic: false },
  })
  expect(body).toMatchObject({
    updated: 1,
    failed: 1,
    results: [{ link: { id: own.id, tags: ['x', 'own'] } }, { link: null }],
  })
  expect((await service.call('GET', `/v1/links/${other.id}`)).body).toEqual(other)
})

it('records rejected writes in the audit log', async () => {
  const { id, token } = await service.mint(undefined, undefined, undefined, { tags: ['a', 'b'] })
  await create({}, token)
  const { body } = await service.call('GET', `/v1/audit-log?action=token.refused&object_id=${id}`)
  expect(body.data).toMatchObject([
    { details: { restriction: 'tags', method: 'POST', path: '/api/v1/links' } },
  ])
})

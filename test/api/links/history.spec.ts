/** The history of a link, and the list of tags. */
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import { makeLink } from '../../support/factories/links.js'

let service: Service
beforeAll(async () => {
  service = await shareService()
  await service.addWorkspace('other')
})
afterAll(() => service.stop())

const all = async (path: string) => {
  const data: any[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body } = await service.call('GET', `${path}?limit=2${cursor && `&cursor=${cursor}`}`)
    data.push(...body.data)
    cursor = body.next_cursor
  }
  return data
}

it('the history contains the actor, action and changed fields', async () => {
  const other = await service.mint('links:write')
  const { id } = await makeLink(service, { title: 'secret title' })
  const patch = (body: object, token: string) => service.call('PATCH', `/v1/links/${id}`, { body, token })
  await patch({ title: 'Another', tags: ['x'] }, other.token)
  await patch({ title: 'Another' }, other.token)
  await service.call('POST', '/v1/links/bulk/update', { body: { ids: [id], patch: { enabled: false } } })
  await service.call('DELETE', `/v1/links/${id}`, { headers: { 'x-request-id': 'last-request' } })
  const history = await all(`/v1/links/${id}/history`)
  expect(history.map(({ action, actor, fields }) => [action, actor.id, fields])).toEqual([
    ['link.deleted', service.tokenId, []],
    ['link.updated', service.tokenId, ['enabled']],
    ['link.updated', other.id, ['title', 'tags']],
    ['link.created', service.tokenId, []],
  ])
  expect(history[0]).toMatchObject({
    request_id: 'last-request',
    actor: { type: 'token', name: 'a test token' },
  })
  expect(Object.keys(history[0]).sort()).toEqual([
    'action',
    'actor',
    'fields',
    'id',
    'occurred_at',
    'request_id',
  ])
  expect(JSON.stringify(history)).not.toContain('secret title')
})

it('the history contains the names of tokens only with a scope that shows tokens', async () => {
  const { id } = await makeLink(service, {})
  const nameWith = async (scopes: string) => {
    const { token } = await service.mint(scopes)
    const { body } = await service.call('GET', `/v1/links/${id}/history`, { token })
    return body.data[0].actor
  }
  const actor = { type: 'token', id: service.tokenId, name: 'a test token' }
  expect(await nameWith('links:read')).toEqual({ ...actor, name: null })
  expect(await nameWith('links:read,audit:read')).toEqual(actor)
  expect(await nameWith('links:read,tokens:read')).toEqual(actor)
})

it('filters the history by time', async () => {
  const { id } = await makeLink(service, {})
  const [{ occurred_at: created }] = await all(`/v1/links/${id}/history`)
  const count = async (query: string) =>
    (await service.call('GET', `/v1/links/${id}/history?${query}`)).body.data.length
  const before = new Date(Date.parse(created) - 1).toISOString()
  expect(await count(`created_after=${before}`)).toBe(1)
  expect(await count(`created_before=${created}`)).toBe(0)
})

it('the history of a foreign link returns 404', async () => {
  const { token } = await service.mint(undefined, 'other')
  const { id } = await makeLink(service, {}, token)
  for (const each of [id, 'lnk_01kaj3v9z4f8hva3x7m2c5d6ne', 'x'])
    expect((await service.call('GET', `/v1/links/${each}/history`)).status).toBe(404)
})

it('tags are listed with the number of their links, most used first', async () => {
  const { token } = await service.mint(undefined, 'other')
  await makeLink(service, { tags: ['of another workspace'] }, token)
  for (const tags of [['b', 'a'], ['b', 'c'], ['b'], ['a', 'ü'], []]) await makeLink(service, { tags })
  const deleted = await makeLink(service, { tags: ['deleted', 'b'] })
  await service.call('DELETE', `/v1/links/${deleted.id}`)
  const expected = [
    { tag: 'b', links: 3 },
    { tag: 'a', links: 2 },
    { tag: 'c', links: 1 },
    { tag: 'ü', links: 1 },
  ]
  expect((await service.call('GET', '/v1/tags')).body).toEqual({
    data: expected,
    has_more: false,
    next_cursor: null,
  })
  expect(await all('/v1/tags')).toEqual(expected)
  const { token: without } = await service.mint('links:write')
  expect((await service.call('GET', '/v1/tags', { token: without })).status).toBe(403)
})

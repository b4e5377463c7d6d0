import { startService } from '../support/service.js'
import type { Service } from '../support/service.js'
import { waitFor } from '../support/wait-for.js'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const visit = (slug: string, init: RequestInit = {}) =>
  fetch(`${service.origin}/${slug}`, { redirect: 'manual', ...init })

it('creates, redirects, counts and lists', async () => {
  const made = await service.call('POST', '/v1/links', {
    body: { url: 'https://example.com/x', tags: ['a', 'a', 'b'] },
  })
  expect(made.status).toBe(201)
  const { slug, id } = made.body
  const went = await visit(slug, {
    headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0' },
  })
  expect(went.status).toBe(302)
  expect(went.headers.get('location')).toBe('https://example.com/x')
  const link = await waitFor('the count', async () => {
    const { body } = await service.call('GET', `/v1/links/${id}`)
    return body.clicks.total === 1 && body
  })
  expect(link).toMatchObject({ clicks: { total: 1, human: 1 }, tags: ['a', 'b'] })
  const feed = await service.call('GET', '/v1/clicks?after=')
  expect(feed.body.data).toHaveLength(1)
  console.log(feed.body, (await service.call('GET', `/v1/links/${id}/clicks`)).body.data.length)
  for (const query of [
    'q=exam',
    'tag=a',
    'sort=-clicks',
    'sort=created_at',
    'enabled=true',
    'external_id=x',
    'created_after=2020-01-01T00:00:00Z',
  ])
    console.log(query, (await service.call('GET', `/v1/links?${query}`)).body.data?.length)
  const changed = await service.call('PATCH', `/v1/links/${id}`, {
    body: { url: 'https://example.com/y', title: 'T' },
  })
  expect(changed.body).toMatchObject({ title: 'T', url: 'https://example.com/y' })
  expect((await visit(slug)).headers.get('location')).toBe('https://example.com/y')
  expect((await service.call('DELETE', `/v1/links/${id}`)).status).toBe(204)
  expect((await visit(slug)).status).toBe(410)
  expect(
    (await service.call('POST', '/v1/links', { body: { url: 'https://example.com', slug } })).status,
  ).toBe(409)
})

/** The preview of a redirect matches the redirect. */
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import { waitFor } from '../../support/wait-for.js'
import { expire, makeLink, visit } from '../../support/factories/links.js'

let service: Service
beforeAll(async () => {
  service = await shareService()
  await service.addWorkspace('other')
})
afterAll(() => service.stop())

const resolve = async (parameters: Record<string, string>) =>
  service.call('GET', `/v1/resolve?${new URLSearchParams(parameters).toString()}`)

it.each([
  ['plain', {}, ''],
  ['permanent', { redirect_status: 301 }, 'a=1'],
  ['forwarding', { forward_query: true, url: 'https://t.example/p?x=1#top' }, 'a=1&qr=1&b=ü €'],
  ['only-qr', { forward_query: true }, 'qr=1'],
  ['disabled', { enabled: false }, ''],
  ['not-ascii', { url: 'https://bücher.example/ä?ö', forward_query: true }, 'c=%20'],
])('matches the redirect of a link (%s)', async (slug, fields, query) => {
  const link = await makeLink(service, { slug, ...fields })
  const { body, status } = await resolve({ slug, ...(query && { query }) })
  const visited = await visit(service, slug + (query && `?${query}`), {}, 'HEAD')
  expect(status).toBe(200)
  expect(body).toMatchObject({ status: visited.status, location: visited.headers.get('location'), link })
  expect(body.outcome).toBe(visited.status === 410 ? 'gone' : 'redirect')
  expect(body.reason).toMatch(/^[A-Z].*\.$/)
})

it('returns gone for deleted and expired links, and unknown for other slugs', async () => {
  const deleted = await makeLink(service, { slug: 'deleted' })
  await service.call('DELETE', `/v1/links/${deleted.id}`)
  const expired = await makeLink(service, { slug: 'expired' })
  await expire(service, expired)
  expect((await resolve({ slug: 'deleted' })).body).toMatchObject({
    outcome: 'gone',
    status: 410,
    link: null,
  })
  expect((await resolve({ slug: 'expired' })).body).toMatchObject({
    outcome: 'gone',
    reason: expect.stringMatching(/^The link expired at /),
    link: { id: expired.id },
  })
  for (const slug of ['never', 'api', 'a b', '../x'])
    expect((await resolve({ slug })).body).toEqual({
      outcome: 'unknown',
      status: 404,
      location: null,
      reason: 'The workspace has no link with this slug.',
      link: null,
    })
})

it('previews another time without counting a click', async () => {
  const { slug, id } = await makeLink(service, { expires_at: '2090-06-01T00:00:00Z' })
  expect((await resolve({ slug, at: '2090-05-31T23:59:59.999Z' })).body.outcome).toBe('redirect')
  const later = await resolve({ slug, at: '2090-06-01T00:00:00Z' })
  expect(later.body).toMatchObject({
    outcome: 'gone',
    reason: 'The link expires at 2090-06-01T00:00:00.000Z.',
  })
  await visit(service, slug)
  await expect(waitForClickCount(id)).resolves.toBe(1)
})

/** Waits for the first counted click, and returns the number of clicks, which would include earlier ones. */
function waitForClickCount(id: string): Promise<number> {
  return waitFor('the visit to be counted', async () => {
    const { body } = await service.call('GET', `/v1/links/${id}`)
    return body.clicks.total as number
  })
}

it('returns unknown for a link of another workspace', async () => {
  const { token } = await service.mint(undefined, 'other')
  const { slug } = await makeLink(service, {}, token)
  const unknown = await resolve({ slug: 'never' })
  expect((await resolve({ slug })).body).toEqual(unknown.body)
})

it.each([
  ['', 'slug'],
  ['slug=x&at=tomorrow', 'at'],
  ['slug=x&when=1', 'when'],
])('rejects ?%s', async (query, parameter) => {
  const response = await service.call('GET', `/v1/resolve?${query}`)
  expect(response).toMatchObject({ status: 400, body: { errors: [{ parameter }] } })
})

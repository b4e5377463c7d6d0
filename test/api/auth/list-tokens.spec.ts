import type { ServiceResponse, Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'

let service: Service
beforeAll(async () => {
  service = await shareService()
  await service.addWorkspace('crowded')
  await service.addWorkspace('other')
})
afterAll(() => service.stop())

interface Listed {
  id: string
  created_at: string
}

const getTokenIds = ({ body }: ServiceResponse): string[] => body.data.map(({ id }: Listed) => id)

async function fillWorkspace(workspace: string, count: number): Promise<{ reader: string; ids: string[] }> {
  const ids: string[] = []
  const reader = await service.mint(undefined, workspace)
  ids.push(reader.id)
  while (ids.length < count) ids.push((await service.mint('links:read', workspace)).id)
  return { reader: reader.token, ids: ids.reverse() }
}

describe('the list of tokens', () => {
  let reader: string
  let ids: string[]
  beforeAll(async () => ({ reader, ids } = await fillWorkspace('crowded', 25)))
  const list = (query = '', token = reader) => service.call('GET', `/v1/auth/tokens${query}`, { token })

  it('contains 20 tokens, newest first, without values', async () => {
    const page = await list()
    expect(page.status).toBe(200)
    expect(Object.keys(page.body)).toEqual(['data', 'has_more', 'next_cursor'])
    expect(getTokenIds(page)).toEqual(ids.slice(0, 20))
    expect(page.body.has_more).toBe(true)
    expect(page.body.next_cursor).toEqual(expect.any(String))
    for (const record of page.body.data) expect(record).not.toHaveProperty('token')
  })

  it('continues at next_cursor until the last page', async () => {
    const first = await list()
    const second = await list(`?cursor=${encodeURIComponent(first.body.next_cursor)}`)
    expect(getTokenIds(second)).toEqual(ids.slice(20))
    expect(second.body).toMatchObject({ has_more: false, next_cursor: null })
    expect(second.headers.get('link')).toBeNull()
  })

  it('has no next_cursor when the last page is full', async () => {
    const page = await list('?limit=25')
    expect(getTokenIds(page)).toEqual(ids)
    expect(page.body).toMatchObject({ has_more: false, next_cursor: null })
  })

  it('can be paged through by its Link headers, which keep the limit', async () => {
    const seen: string[] = []
    let path: string | null = '/v1/auth/tokens?limit=7'
    while (path) {
      const page: ServiceResponse = await service.call('GET', path, { token: reader })
      seen.push(...getTokenIds(page))
      const [, url] = /^<([^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '') ?? []
      path = url ? new URL(url).pathname.replace('/api', '') + new URL(url).search : null
    }
    expect(seen).toEqual(ids)
  })

  it.each([
    ['1', 1],
    ['20', 20],
    ['100', 25],
  ])('accepts a limit of %s', async (limit, length) => {
    expect((await list(`?limit=${limit}`)).body.data).toHaveLength(length)
  })

  it('contains no tokens of another workspace', async () => {
    const { token, id } = await service.mint(undefined, 'other')
    expect(getTokenIds(await list('?limit=100', token))).toEqual([id])
  })

  it('accepts a cursor only in the same workspace and list', async () => {
    const { next_cursor } = (await list('?limit=2')).body
    const { token } = await service.mint(undefined, 'other')
    for (const response of [
      await list(`?cursor=${next_cursor}`, token),
      await service.call('GET', `/v1/audit-log?cursor=${next_cursor}`, { token: reader }),
    ]) {
      expect(response.status).toBe(400)
      expect(response.body).toMatchObject({
        code: 'invalid_query',
        errors: [{ parameter: 'cursor', code: 'invalid_cursor' }],
      })
    }
  })

  it('rejects a cursor with one changed character', async () => {
    const cursor: string = (await list('?limit=2')).body.next_cursor
    // The last character of base64 may carry unused bits.
    for (let i = 0; i < cursor.length - 1; i += 5) {
      const other = cursor[i] === 'A' ? 'B' : 'A'
      const response = await list(
        `?cursor=${encodeURIComponent(cursor.slice(0, i) + other + cursor.slice(i + 1))}`,
      )
      expect(response.status).toBe(400)
    }
  })
})

describe('paging while tokens are created and revoked', () => {
  it('neither repeats nor skips the other tokens', async () => {
    await service.addWorkspace('busy')
    const { reader, ids } = await fillWorkspace('busy', 30)
    const seen: string[] = []
    let query = '?limit=4'
    for (;;) {
      const page = await service.call('GET', `/v1/auth/tokens${query}`, { token: reader })
      seen.push(...getTokenIds(page))
      await Promise.all([service.mint('links:read', 'busy'), service.mint('links:read', 'busy')])
      // Revoking a listed token must not shift the next page.
      await service.call('DELETE', `/v1/auth/token/${page.body.data[0].id}`, { token: reader })
      if (!page.body.has_more) break
      query = `?limit=4&cursor=${page.body.next_cursor}`
    }
    expect(seen).toEqual(ids)
  })
})

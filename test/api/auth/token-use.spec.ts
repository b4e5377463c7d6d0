/** The unused scopes of a token, and the number of tokens that it created. */
import { TokenCache, TokenUse } from '../../../src/auth/token-cache.js'
import { decodeId } from '../../../src/platform/database/ids.js'
import { startService } from '../../support/service.js'
import { startProxiedService } from '../../support/proxied-service.js'
import type { ProxiedService } from '../../support/proxied-service.js'
import { expectRounds, nothing, SentStatements } from '../../support/statements-sent.js'

let db: ProxiedService['db']
let proxy: ProxiedService['proxy']
let service: ProxiedService['service']
let stop: ProxiedService['stop']
beforeAll(async () => {
  ;({ db, proxy, service, stop } = await startProxiedService())
})
afterAll(() => stop())

const read = async (id: string) => (await service.call('GET', `/v1/auth/token/${id}`)).body
const unused = async (id: string) => (await read(id)).unused_scopes
const write = () => service.app.get(TokenUse).beforeApplicationShutdown()
const stored = async (id: string): Promise<string[]> => {
  const [row] = await db.query<{ used_scopes: string[] }>('SELECT used_scopes FROM tokens WHERE id = $1', [
    decodeId('tok', id),
  ])
  return row!.used_scopes
}

describe('unused_scopes', () => {
  it('contains all scopes before the first call, for a single token and in the list', async () => {
    const { id } = await service.mint('links:read,clicks:read')
    const token = await read(id)
    expect(token.unused_scopes).toEqual(['links:read', 'clicks:read'])
    expect(token.scopes_watched_since).toBe(token.created_at)
    const { body } = await service.call('GET', '/v1/auth/tokens?limit=100')
    expect(body.data.find((each: { id: string }) => each.id === id)).toEqual(token)
  })

  it('loses a scope when an accepted call needs it, but not on a rejected call or a read of self', async () => {
    const { id, token } = await service.mint('links:read,clicks:read')
    await service.call('GET', '/v1/auth/token/self', { token })
    expect((await service.call('GET', '/v1/auth/tokens', { token })).status).toBe(403)
    expect(await unused(id)).toEqual(['links:read', 'clicks:read'])
    await service.call('GET', '/v1/links', { token })
    expect(await unused(id)).toEqual(['clicks:read'])
  })

  it('loses events:read only when a webhook update needs it', async () => {
    const { id, token } = await service.mint('webhooks:read,webhooks:write,events:read')
    const created = await service.call('POST', '/v1/webhooks', {
      body: { url: 'https://receiver.example/', events: ['click'] },
    })
    const change = (body: object) => service.call('PATCH', `/v1/webhooks/${created.body.id}`, { token, body })
    await change({ description: 'x' })
    expect(await unused(id)).toEqual(['webhooks:read', 'events:read'])
    await change({ events: ['*'] })
    expect(await unused(id)).toEqual(['webhooks:read'])
  })

  it('is written together with last_used_at, and never reset', async () => {
    const { id, token } = await service.mint('links:read,clicks:read')
    await service.call('GET', '/v1/auth/token/self', { token })
    await write()
    const statements = new SentStatements()
    const round = async () => {
      statements.read(proxy.takeSentBytes('queries'))
      await service.call('GET', '/v1/links', { token })
      return statements.read(proxy.takeSentBytes('queries')).filter((text) => text.includes('tokens'))
    }
    await expectRounds(service, 1, round, nothing)
    expect(await stored(id)).toEqual([])
    // Another process has recorded another scope.
    await db.query(`UPDATE tokens SET used_scopes = '{clicks:read}' WHERE id = $1`, [decodeId('tok', id)])
    await write()
    expect((await stored(id)).sort()).toEqual(['clicks:read', 'links:read'])
    expect(await unused(id)).toEqual([])
  })

  it('survives the eviction of the token from the cache', async () => {
    const { id, token } = await service.mint('links:read,clicks:read')
    await service.call('GET', '/v1/links', { token })
    service.app.get(TokenCache).evict(decodeId('tok', id)!)
    await service.call('GET', '/v1/clicks?after=', { token })
    await write()
    expect((await stored(id)).sort()).toEqual(['clicks:read', 'links:read'])
  })

  it('survives a restart', async () => {
    const stopping = await startService({ db })
    const { id, token } = await stopping.mint('links:read,clicks:read')
    await stopping.call('GET', '/v1/links', { token })
    await stopping.stop()
    expect(await unused(id)).toEqual(['clicks:read'])
  })
})

it('counts in `minted` the active tokens that a token created, without their descendants', async () => {
  const creator = await service.mint()
  const mint = async (token: string, fields: object = {}) => {
    const { body } = await service.call('POST', '/v1/auth/token', {
      token,
      body: { name: 'child', ...fields },
    })
    return body as { id: string; token: string }
  }
  expect((await read(creator.id)).minted).toBe(0)
  const children = [await mint(creator.token), await mint(creator.token), await mint(creator.token)]
  await mint(children[0]!.token)
  expect((await read(creator.id)).minted).toBe(3)
  await service.call('DELETE', `/v1/auth/token/${children[1]!.id}`)
  await db.query(`UPDATE tokens SET expires_at = now() WHERE id = $1`, [decodeId('tok', children[2]!.id)])
  expect((await read(creator.id)).minted).toBe(1)
})

import { decodeId } from '../../../src/platform/database/ids.js'
import { createTokenValue } from '../../../src/auth/token-value.js'
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'

let service: Service
beforeAll(async () => (service = await shareService()))
afterAll(() => service.stop())

const revoke = (id: string, options = {}) => service.call('DELETE', `/v1/auth/token/${id}`, options)
const revokeFamily = (id: string) => revoke(`${id}?descendants=true`)
const self = (token: string) => service.call('GET', '/v1/auth/token/self', { token })
const codeFor = async (token: string) => {
  const { status, body } = await self(token)
  return status === 200 ? 'accepted' : body.code
}
const revokeByValue = (token: unknown) =>
  service.call('POST', '/v1/auth/revoke', { token: null, body: { token } })
const create = (token: string) => service.call('POST', '/v1/auth/token', { token, body: { name: 'child' } })

describe('revoking a token', () => {
  it('returns 204 without a body, and the token is rejected from then on', async () => {
    const { id, token } = await service.mint()
    expect(await codeFor(token)).toBe('accepted')
    const response = await revoke(id)
    expect(response.status).toBe(204)
    expect(response.text).toBe('')
    expect(await codeFor(token)).toBe('token_revoked')
    expect((await service.call('GET', `/v1/auth/token/${id}`)).body.status).toBe('revoked')
    const list = await service.call('GET', '/v1/auth/tokens?limit=100')
    expect(list.body.data.map((each: { id: string }) => each.id)).not.toContain(id)
  })

  it('is idempotent, without a second audit entry or another revocation time', async () => {
    const { id } = await service.mint()
    await revoke(id)
    const before = await service.db.query('SELECT revoked_at FROM tokens ORDER BY id')
    expect((await revoke(id)).status).toBe(204)
    expect(await service.db.query('SELECT revoked_at FROM tokens ORDER BY id')).toEqual(before)
    const { body } = await service.call('GET', `/v1/audit-log?action=token.revoked&object_id=${id}`)
    expect(body.data).toHaveLength(1)
  })

  it('needs no scope for the calling token itself', async () => {
    const { token } = await service.mint('clicks:read')
    expect((await service.call('DELETE', '/v1/auth/token/self', { token })).status).toBe(204)
    expect(await codeFor(token)).toBe('token_revoked')
    expect((await service.call('DELETE', '/v1/auth/token/self', { token })).status).toBe(401)
  })

  it('needs the scope tokens:write', async () => {
    const { token } = await service.mint('tokens:read')
    const { id, token: victim } = await service.mint()
    expect((await revoke(id, { token })).status).toBe(403)
    expect(await codeFor(victim)).toBe('accepted')
  })

  it('does not revoke the tokens that the revoked token created', async () => {
    const parent = await service.mint()
    const child = (await create(parent.token)).body
    await revoke(parent.id)
    expect(await codeFor(child.token)).toBe('accepted')
  })
})

describe('If-Match', () => {
  it('returns 412 for a stale ETag, and 204 for a current one, a list or *', async () => {
    for (const ifMatch of [(tag: string) => tag, (tag: string) => `"other", ${tag}`, () => '*']) {
      const { id, token } = await service.mint()
      const stale = await revoke(id, { headers: { 'if-match': '"stale"' } })
      expect(stale.status).toBe(412)
      expect(stale.body.code).toBe('precondition_failed')
      expect(await codeFor(token)).toBe('accepted')

      const etag = (await service.call('GET', `/v1/auth/token/${id}`)).headers.get('etag')!
      expect((await revoke(id, { headers: { 'if-match': ifMatch(etag) } })).status).toBe(204)
      expect(await codeFor(token)).toBe('token_revoked')
    }
  })

  it('returns 412 for a weak ETag', async () => {
    const { id } = await service.mint()
    const etag = (await service.call('GET', `/v1/auth/token/${id}`)).headers.get('etag')!
    expect((await revoke(id, { headers: { 'if-match': `W/${etag}` } })).status).toBe(412)
  })

  it('returns 412 after a rotation has changed the expiry', async () => {
    const { id } = await service.mint()
    const etag = (await service.call('GET', `/v1/auth/token/${id}`)).headers.get('etag')!
    await service.call('POST', `/v1/auth/token/${id}/rotate`, { body: {} })
    expect((await revoke(id, { headers: { 'if-match': etag } })).status).toBe(412)
  })

  it('applies to self, too', async () => {
    const { token } = await service.mint()
    const drop = (tag: string) =>
      service.call('DELETE', '/v1/auth/token/self', { token, headers: { 'if-match': tag } })
    expect((await drop('"stale"')).status).toBe(412)
    expect((await drop((await self(token)).headers.get('etag')!)).status).toBe(204)
  })
})

describe('revoking with descendants', () => {
  it('revokes every generation and no other tokens', async () => {
    const root = await service.mint()
    const child = (await create(root.token)).body
    const grandchild = (await create(child.token)).body
    const successor = (
      await service.call('POST', `/v1/auth/token/${grandchild.id}/rotate`, {
        token: grandchild.token,
        body: {},
      })
    ).body
    const sibling = await service.mint()
    const stranger = (await create(sibling.token)).body

    expect((await revokeFamily(root.id)).status).toBe(204)

    for (const { token } of [root, child, grandchild, successor])
      expect(await codeFor(token)).toBe('token_revoked')
    for (const { token } of [sibling, stranger]) expect(await codeFor(token)).toBe('accepted')
  })

  it('revokes the descendants of a token that was already revoked', async () => {
    const root = await service.mint()
    const child = (await create(root.token)).body
    const grandchild = (await create(child.token)).body
    await revoke(child.id)
    await revoke(root.id)
    expect(await codeFor(grandchild.token)).toBe('accepted')
    expect((await revokeFamily(root.id)).status).toBe(204)
    expect(await codeFor(grandchild.token)).toBe('token_revoked')
  })

  it('skips expired descendants, but revokes the tokens that they created', async () => {
    const root = await service.mint()
    const expired = (await create(root.token)).body
    const grandchild = (await create(expired.token)).body
    await service.db.query(`UPDATE tokens SET expires_at = now() - interval '1 hour' WHERE id = $1`, [
      decodeId('tok', expired.id),
    ])
    const getExpiredStatus = async () =>
      (await service.call('GET', `/v1/auth/token/${expired.id}`)).body.status

    expect((await revokeFamily(root.id)).status).toBe(204)
    expect(await codeFor(grandchild.token)).toBe('token_revoked')
    expect(await getExpiredStatus()).toBe('expired')
    const { body } = await service.call('GET', `/v1/audit-log?action=token.revoked&object_id=${expired.id}`)
    expect(body.data).toEqual([])

    expect((await revokeFamily(expired.id)).status).toBe(204)
    expect(await getExpiredStatus()).toBe('revoked')
  })

  it('leaves no active token while the descendants keep creating tokens', async () => {
    for (let round = 0; round < 5; round++) {
      const root = await service.mint()
      const created: { id: string; token: string }[] = [root]
      let revoked = false
      const mintOn = async () => {
        while (!revoked) {
          const parent = created[Math.floor(Math.random() * created.length)]!
          const { status, body } = await create(parent.token)
          if (status !== 201) expect([401]).toContain(status)
          else created.push(body)
        }
      }
      const minting = Array.from({ length: 6 }, mintOn)
      while (created.length < 8) await create(root.token).then(({ body }) => created.push(body))
      expect((await revokeFamily(root.id)).status).toBe(204)
      revoked = true
      await Promise.all(minting)

      const survivors = await service.db.query(
        `WITH RECURSIVE family AS (
           SELECT id, revoked_at FROM tokens WHERE id = $1
           UNION SELECT child.id, child.revoked_at FROM tokens child JOIN family ON child.created_by = family.id
         ) SELECT id FROM family WHERE revoked_at IS NULL`,
        [decodeId('tok', root.id)],
      )
      expect(survivors).toEqual([])
      expect(new Set(await Promise.all(created.map(({ token }) => codeFor(token))))).toEqual(
        new Set(['token_revoked']),
      )
    }
  })

  it('succeeds during a concurrent rotation', async () => {
    for (let round = 0; round < 10; round++) {
      const root = await service.mint()
      const child = (await create(root.token)).body
      const [revocation, rotated] = await Promise.all([
        revokeFamily(root.id),
        service.call('POST', `/v1/auth/token/${child.id}/rotate`, { token: root.token, body: {} }),
      ])
      expect(revocation.status).toBe(204)
      expect([201, 401, 404]).toContain(rotated.status)
      if (rotated.status === 201) expect(await codeFor(rotated.body.token)).toBe('token_revoked')
    }
  })
})

describe('revoking a token by its value', () => {
  it('needs no other token, in any workspace', async () => {
    await service.addWorkspace('elsewhere')
    for (const { token } of [
      await service.mint('links:read'),
      await service.mint('links:read', 'elsewhere'),
    ]) {
      expect(await codeFor(token)).toBe('accepted')
      expect((await revokeByValue(token)).status).toBe(204)
      expect(await codeFor(token)).toBe('token_revoked')
    }
  })

  it('returns the same response for known, revoked, unknown and malformed values', async () => {
    const { token } = await service.mint()
    const values = [
      token,
      token,
      createTokenValue('live'),
      createTokenValue('test'),
      `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`,
      'nonsense',
      'ghp_16C7e42F292c6912E7710c838347Ae178B4a',
      '\u{1F511}',
    ]
    for (const value of values) {
      const response = await revokeByValue(value)
      expect(response.status).toBe(204)
      expect(response.text).toBe('')
      expect([...response.headers.keys()]).not.toContain('content-type')
    }
  })

  it('does not affect other tokens', async () => {
    await revokeByValue(createTokenValue('live'))
    expect(await codeFor(service.token)).toBe('accepted')
  })

  it('ignores the Authorization header', async () => {
    for (const bearer of [service.token, 'nonsense', createTokenValue('live')]) {
      const response = await service.call('POST', '/v1/auth/revoke', { token: bearer, body: { token: 'x' } })
      expect(response.status).toBe(204)
    }
  })
})

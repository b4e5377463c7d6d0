import { makeTokenValue } from '../../../src/auth/token-value.js'
import { WorkspacesService } from '../../../src/workspaces/workspaces.service.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'

let service: Service
beforeAll(async () => (service = await startService()))
afterAll(() => service.stop())

const give = (token: unknown) => service.call('POST', '/v1/auth/revoke', { token: null, body: { token } })
const codeFor = async (token: string) => {
  const { status, body } = await service.call('GET', '/v1/auth/token/self', { token })
  return status === 200 ? 'accepted' : body.code
}

describe('whoever holds a token may revoke it', () => {
  it('without a bearer, in any workspace', async () => {
    await service.app.get(WorkspacesService).create('elsewhere')
    for (const { token } of [
      await service.mint('links:read'),
      await service.mint('links:read', 'elsewhere'),
    ]) {
      expect(await codeFor(token)).toBe('accepted')
      expect((await give(token)).status).toBe(204)
      expect(await codeFor(token)).toBe('token_revoked')
    }
  })

  it('with the same answer for known, repeated, unknown, malformed and other values', async () => {
    const { token } = await service.mint()
    const values = [
      token,
      token,
      makeTokenValue('live'),
      makeTokenValue('test'),
      `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`,
      'nonsense',
      'ghp_16C7e42F292c6912E7710c838347Ae178B4a',
      '\u{1F511}',
    ]
    for (const value of values) {
      const answer = await give(value)
      expect(answer.status).toBe(204)
      expect(answer.text).toBe('')
      expect([...answer.headers.keys()]).not.toContain('content-type')
    }
  })

  it('leaves other tokens alone', async () => {
    await give(makeTokenValue('live'))
    expect(await codeFor(service.token)).toBe('accepted')
  })

  it('does not mind a bearer, valid or not', async () => {
    for (const bearer of [service.token, 'nonsense', makeTokenValue('live')]) {
      const answer = await service.call('POST', '/v1/auth/revoke', { token: bearer, body: { token: 'x' } })
      expect(answer.status).toBe(204)
    }
  })
})

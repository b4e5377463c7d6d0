/** Invalid IDs, query parameters and headers of token calls. */
import { createTokenValue } from '../../../src/auth/token-value.js'
import { badIdsFor } from '../../support/bad-input.js'
import { exchange } from '../../support/raw-socket.js'
import { service, target } from './bad-input.js'

describe('an ID', () => {
  it.each(badIdsFor('tok'))('that is invalid returns 404: %s', async (id) => {
    for (const [method, suffix] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/rotate'],
    ] as const) {
      const { status, body } = await service.call(method, `/v1/auth/token/${id}${suffix}`)
      expect({ method, status }).toEqual({ method, status: 404 })
      expect(body.code).toBe('not_found')
    }
  })

  it('with extra characters returns 404', async () => {
    for (const id of [
      `${target.id} `,
      `${target.id}%20`,
      ` ${target.id}`,
      `${target.id}/`,
      `${target.id}.json`,
    ])
      expect(
        (
          await service.call('DELETE', `/v1/auth/token/${id.trim() === id ? id : encodeURI(id)}`, {
            undocumented: true,
          })
        ).status,
      ).toBe(404)
  })
})

describe('a query parameter', () => {
  const lists = ['/v1/auth/tokens', '/v1/audit-log']
  const wrongLimits = [
    '0',
    '-1',
    '101',
    '1.5',
    '1e2',
    '0x10',
    'ten',
    '',
    '%20',
    '1%20',
    '١',
    '99999999999999999999',
    'NaN',
  ]
  const wrongCursors = ['', 'x', 'x.y', '.', '%00', 'a'.repeat(1001), '%F0%9F%94%91', '..%2f', 'null', "'"]
  it.each([
    ...wrongLimits.map((value) => ['limit', `limit=${value}`]),
    ['limit', 'limit=1&limit=2'],
    ['limit', 'limit=1&limit=1'],
    ...wrongCursors.map((value) => ['cursor', `cursor=${value}`]),
    ['cursor', 'cursor=a&cursor=b'],
    ['limit[]', 'limit[]=1'],
    ['limit[gt]', 'limit[gt]=1'],
    ['__proto__', '__proto__=1'],
    ['__proto__[x]', '__proto__[x]=1'],
    ['constructor', 'constructor=1'],
    ['toString', 'toString=1'],
    ['page', 'page=2'],
    ['Limit', 'Limit=1'],
    ['x', 'x'],
    ['', '=1'],
  ])('that is invalid returns a 400 that names %s: %s', async (parameter, query) => {
    for (const path of lists) {
      const { status, body } = await service.call('GET', `${path}?${query}`)
      expect({ path, status }).toEqual({ path, status: 400 })
      expect(body.code).toBe('invalid_query')
      expect(body.errors.map((error: { parameter: string }) => error.parameter)).toContain(parameter)
    }
  })

  it.each([
    ['GET', '/v1/auth/token/self?x=1', 400],
    ['GET', '/v1/auth/token/self?__proto__=1', 400],
    ['GET', '/v1/auth/token/ID?expand=all', 400],
    ['POST', '/v1/auth/token?name=a', 400],
    ['POST', '/v1/auth/token/ID/rotate?overlap=1h', 400],
    ['POST', '/v1/auth/revoke?token=x', 400],
    ['DELETE', '/v1/auth/token/self?x=1', 400],
    ['DELETE', '/v1/auth/token/ID?x=1', 400],
    ['DELETE', '/v1/auth/token/ID?descendants=1', 400],
    ['DELETE', '/v1/auth/token/ID?descendants=TRUE', 400],
    ['DELETE', '/v1/auth/token/ID?descendants', 400],
    ['DELETE', '/v1/auth/token/ID?descendants=', 400],
    ['DELETE', '/v1/auth/token/ID?descendants=true&descendants=true', 400],
    ['DELETE', '/v1/auth/token/ID?descendants=true&descendants=false', 400],
    ['DELETE', '/v1/auth/token/ID?descendants[]=true', 400],
  ])('that is unknown or invalid is rejected: %s %s', async (method, path, status) => {
    const response = await service.call(method, path.replace('ID', target.id), {
      ...(method === 'POST'
        ? { body: path.includes('revoke') ? { token: target.token } : { name: 'a' } }
        : {}),
    })
    expect(response.status).toBe(status)
    expect(response.body.code).toBe('invalid_query')
  })

  it('is rejected together with all other invalid parameters', async () => {
    const { body } = await service.call('GET', '/v1/auth/tokens?limit=0&a=1&b=2')
    expect(body.errors).toHaveLength(3)
  })
})

describe('the bearer token', () => {
  const value = createTokenValue('live')
  it.each([
    ['', 'unauthorized'],
    ['Bearer', 'unauthorized'],
    ['Bearer ', 'unauthorized'],
    ['Basic YTpi', 'unauthorized'],
    ['Digest x', 'unauthorized'],
    ['Token x', 'unauthorized'],
    ['Bearerx', 'unauthorized'],
    [value, 'unauthorized'],
    ['Bearer null', 'invalid_token'],
    ['Bearer undefined', 'invalid_token'],
    [`Bearer "${value}"`, 'invalid_token'],
    [`Bearer ${value} `, 'invalid_token'],
    [`Bearer ${value},`, 'invalid_token'],
    [`Bearer ${value} ${value}`, 'invalid_token'],
    [`Bearer Bearer ${value}`, 'invalid_token'],
    [`Bearer ${value.toUpperCase()}`, 'invalid_token'],
    [`Bearer ${'a'.repeat(10_000)}`, 'invalid_token'],
    [`Bearer \u00e9`, 'invalid_token'],
    [`Bearer ' OR 1=1 --`, 'invalid_token'],
  ])('in the header %j returns 401 with the code %s', async (authorization, code) => {
    for (const [method, path] of [
      ['GET', '/v1/auth/token/self'],
      ['POST', '/v1/auth/token'],
      ['DELETE', `/v1/auth/token/${target.id}`],
    ] as const) {
      const response = await service.call(method, path, {
        token: null,
        headers: { authorization },
        ...(method === 'POST' ? { body: { name: 'a' } } : {}),
      })
      expect(response.status).toBe(401)
      expect(response.body.code).toBe(code)
    }
  })

  it('is accepted after a scheme in any case', async () => {
    for (const scheme of ['bearer', 'BEARER', 'bEaReR'])
      expect(
        (
          await service.call('GET', '/v1/auth/token/self', {
            token: null,
            headers: { authorization: `${scheme} ${service.token}` },
          })
        ).status,
      ).toBe(200)
  })
})

describe('the Authorization header', () => {
  const self = (...authorizations: string[]) =>
    exchange(
      service.origin,
      Buffer.from(
        `GET /api/v1/auth/token/self HTTP/1.1\r\nHost: a\r\n${authorizations.map((line) => `${line}\r\n`).join('')}\r\n`,
        'latin1',
      ),
    )

  it.each([' ', '\t', ' \t ', '    '])('may have %j around the token', async (space) => {
    expect((await self(`Authorization: Bearer ${space}${service.token}${space}`)).status).toBe(200)
  })

  it.each(['\u00a0', '\u0085', '\u00a0 \u00a0'])('must not have %j around the token', async (other) => {
    for (const token of [`${other}${service.token}`, `${service.token}${other}`]) {
      const { status, body } = await self(`Authorization: Bearer ${token}`)
      expect([status, body.code]).toEqual([401, 'invalid_token'])
    }
  })

  it('must not be sent twice', async () => {
    const good = `Bearer ${service.token}`
    for (const other of [good, `Bearer ${createTokenValue('live')}`, 'Basic dTpw', ''])
      for (const [first, second] of [
        [good, other],
        [other, good],
      ]) {
        const { status, headers, body } = await self(`Authorization: ${first}`, `aUTHORIZATION: ${second}`)
        expect(status).toBe(400)
        expect(body).toMatchObject({
          code: 'invalid_header',
          errors: [{ header: 'Authorization', code: 'duplicate' }],
        })
        expect(headers['www-authenticate']).toBe('Bearer realm="link-service", error="invalid_request"')
      }
    expect((await self(`Authorization: ${good}`, 'Authorization-2: x', 'X-Original-Ur: y')).status).toBe(200)
  })
})

describe('an Idempotency-Key', () => {
  it.each(['', ' ', 'a'.repeat(256), 'a b', 'a\tb', 'é', '\u00a0', 'a'.repeat(5000)])(
    'of %j returns a 400 that names the header',
    async (key) => {
      for (const path of ['/v1/auth/token', `/v1/auth/token/${target.id}/rotate`]) {
        const { status, body } = await service.call('POST', path, {
          raw: path.endsWith('token') ? '{"name":"a"}' : '{}',
          headers: { 'idempotency-key': key },
        })
        expect(status).toBe(400)
        expect(body).toMatchObject({ code: 'invalid_header', errors: [{ header: 'Idempotency-Key' }] })
      }
    },
  )
})

/** Invalid bodies of token calls are rejected and change nothing. */
import { badTexts, cases, expectFieldError, noTexts } from '../../support/bad-input.js'
import { service, target } from './bad-input.js'

const paths = {
  create: () => '/v1/auth/token',
  rotate: () => `/v1/auth/token/${target.id}/rotate`,
  revoke: () => '/v1/auth/revoke',
}
type Call = keyof typeof paths

const send = (call: Call, raw: string | Uint8Array, headers = {}) =>
  service.call('POST', paths[call](), { raw, headers })

const wrongForText = [null, ...noTexts]
const nested = Array.from({ length: 500 }).reduce<unknown>((inner) => ({ a: inner }), 1)

describe('name', () => {
  it.each(
    cases([
      ...wrongForText,
      nested,
      ...badTexts,
      'a'.repeat(101),
      '\u{1F511}'.repeat(101),
      'a'.repeat(200_000),
    ]),
  )('rejects %s', async (_, name) => {
    expectFieldError(await send('create', JSON.stringify({ name })), '/name')
  })

  it('is required', async () => {
    expectFieldError(await send('create', '{}'), '/name', 'required')
  })

  it.each(['"\\ud800"', '"a\\udc00b"', '"\\udc00\\ud800"'])('rejects the lone surrogate %s', async (name) => {
    expectFieldError(await send('create', `{"name":${name}}`), '/name', 'invalid_text')
  })
})

describe('scopes', () => {
  it.each(
    cases([
      null,
      'links:read',
      'links:read,links:write',
      1,
      true,
      {},
      { 0: 'links:read', length: 1 },
      [],
      [null],
      [1],
      [[]],
      [['links:read']],
      [{}],
      [''],
      ['*'],
      ['links'],
      ['links:read '],
      ['Links:read'],
      ['links:read\u0000'],
      ['__proto__'],
      ['constructor'],
      ['toString'],
      ['links:read', 'nonsense'],
      Array(20_000).fill('a:b'),
    ]),
  )('rejects %s', async (_, scopes) => {
    expectFieldError(await send('create', JSON.stringify({ name: 'a', scopes })), '/scopes', 'invalid_scopes')
  })

  it('rejects 100,000 scopes with 413', async () => {
    const response = await send(
      'create',
      JSON.stringify({ name: 'a', scopes: Array(100_000).fill('links:read') }),
    )
    expect(response.status).toBe(413)
    expect(response.body.code).toBe('payload_too_large')
  })
})

const wrongDurations = [
  '30',
  30,
  0,
  -1,
  1.5,
  true,
  '1.5h',
  '1,5h',
  '-1d',
  '+1d',
  'P30D',
  'PT1H',
  '999999d',
  '100000s',
  '0d',
  '00d',
  '01d',
  '0s',
  '1y',
  '1M',
  '1D',
  '1 d',
  ' 1d',
  '1d ',
  '1d\n',
  '1d\u0000',
  '1d1h',
  '30 days',
  '1ms',
  '0x1d',
  '1e3s',
  '\u0661d',
  '\uff11d',
  'd',
  '',
  'null',
  'never',
  'Infinity',
  '9'.repeat(10_000) + 'd',
  '2027-01-01T00:00:00Z',
  [],
  {},
  ['30d'],
  { d: 30 },
]

describe('expires_in', () => {
  it.each(cases(wrongDurations))('rejects %s with an example of a duration', async (_, expiresIn) => {
    const response = await send('create', JSON.stringify({ name: 'a', expires_in: expiresIn }))
    expectFieldError(response, '/expires_in', 'invalid_duration')
    expect(response.body.detail).toContain('"30d"')
  })
})

describe('overlap', () => {
  it.each(cases([...wrongDurations, null]))('rejects %s', async (_, overlap) => {
    expectFieldError(await send('rotate', JSON.stringify({ overlap })), '/overlap', 'invalid_duration')
  })
})

describe('token, in a revocation by value', () => {
  it.each(cases([...wrongForText, '', ' ', 'a'.repeat(1001), 'a\u0000', '\ud800']))(
    'rejects %s',
    async (_, token) => {
      expectFieldError(await send('revoke', JSON.stringify({ token })), '/token')
    },
  )

  it('is required', async () => {
    expectFieldError(await send('revoke', '{}'), '/token', 'required')
  })
})

const valid = { create: '"name":"a"', rotate: '"overlap":"1h"', revoke: '"token":"x"' }

describe.each(Object.keys(paths) as Call[])('the body of %s', (call) => {
  it.each([
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'id',
    'hash',
    'workspace_id',
    'created_by',
    'expires_at',
    'Name',
    '',
    ' ',
    'a/b~c',
    '$where',
    'x'.repeat(1500),
  ])('rejects the unknown field %j by its name', async (name) => {
    const pointer = `/${name.slice(0, 64).replaceAll('~', '~0').replaceAll('/', '~1')}`
    for (const value of ['{}', '{"polluted":true}', 'null', '"x"', '[1]']) {
      const response = await send(call, `{${valid[call]},${JSON.stringify(name)}:${value}}`)
      expectFieldError(response, pointer, 'unknown_field')
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it.each(['[]', '"a"', '1', 'true', '[{"name":"a"}]'])('rejects %s, which is not an object', async (raw) => {
    const { status, body } = await send(call, raw)
    expect(status).toBe(422)
    expect(body).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '', code: 'not_an_object' }],
    })
  })

  it.each([
    ['a space', ' '],
    ['half an object', '{'],
    ['a word', 'name=a'],
    ['single quotes', "{'name':'a'}"],
    ['a trailing comma', `{${valid[call]},}`],
    ['a comment', `{${valid[call]}/**/}`],
    ['NaN', '{"name":NaN}'],
    ['two documents', `{${valid[call]}}{${valid[call]}}`],
    ['a raw NUL', `{${valid[call]}}\u0000`],
    ['a raw line break in a string', '{"name":"a\nb"}'],
    ['a repeated key', `{${valid[call]},${valid[call]}}`],
    ['a repeated key, once escaped', '{"name":"a","\\u006eame":"b"}'],
    ['a repeated key in a nested object', '{"name":{"a":[{"b":1,"b":2}]}}'],
    ['a repeated __proto__', '{"__proto__":1,"__proto__":2}'],
  ])('rejects %s as invalid_json', async (_, raw) => {
    const { status, body } = await send(call, raw)
    expect(status).toBe(400)
    expect(body.code).toBe('invalid_json')
  })

  it.each([
    ['a stray continuation byte', [0x80]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['a surrogate in UTF-8', [0xed, 0xa0, 0x80]],
    ['a truncated sequence', [0xf0, 0x9f, 0x94]],
    ['a byte that is invalid in UTF-8', [0xff]],
  ])('rejects %s as invalid_json', async (_, bytes) => {
    const raw = Buffer.concat([Buffer.from('{"name":"a'), Buffer.from(bytes), Buffer.from('"}')])
    const { status, body } = await send(call, raw)
    expect(status).toBe(400)
    expect(body.code).toBe('invalid_json')
  })

  it('rejects UTF-16', async () => {
    const { status, body } = await send(call, Buffer.from(`{${valid[call]}}`, 'utf16le'))
    expect(status).toBe(400)
    expect(body.code).toBe('invalid_json')
  })

  it('rejects 10 MB', async () => {
    const response = await send(call, `{"name":"${'a'.repeat(10_000_000)}"}`)
    expect(response.status).toBe(413)
    expect(response.body.code).toBe('payload_too_large')
  })
})

describe.each(['create', 'rotate'] as const)('a large body of %s', (call) => {
  it('with thousands of unknown fields is rejected with at most 20 errors', async () => {
    const fields = Array.from({ length: 20_000 }, (_, i) => `"k${i}":1`).join()
    const { status, body, text } = await send(call, `{${fields}}`)
    expect(status).toBe(422)
    expect(body.errors.length).toBeLessThanOrEqual(20)
    expect(text.length).toBeLessThan(20_000)
  })

  it('that is deeply nested is rejected with 422', async () => {
    const deep = `{"name":${'['.repeat(60_000)}${']'.repeat(60_000)}}`
    expect((await send(call, deep)).status).toBe(422)
    expect((await send(call, `{"name":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`)).status).toBe(422)
  })
})

it('rejects more than 2 KiB for a revocation by value, which needs no token', async () => {
  const response = await send('revoke', JSON.stringify({ token: 'a'.repeat(2100) }))
  expect(response.status).toBe(413)
  expect(response.body.code).toBe('payload_too_large')
})

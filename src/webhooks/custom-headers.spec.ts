import type { Outcome } from '../platform/outbound/outcome.js'
import {
  addHeaders,
  findHeaderErrors,
  findLimitError,
  maskEchoes,
  maskHeaders,
  mergeHeaders,
} from './custom-headers.js'

const listHeaderErrors = (headers: unknown) =>
  findHeaderErrors(headers).map((error) => ['pointer' in error && error.pointer, error.code])

describe('names', () => {
  // prettier-ignore
  it.each([
    'Authorization', 'authorization', 'X-Api-Key', 'x_api_key', 'Cookie', 'Accept', 'baggage',
    'X-Webhook-Id', '__proto__', "!#$%&'*+-.^_`|~", 'x'.repeat(128),
  ])('accepts %j', (name) => {
    expect(listHeaderErrors(JSON.parse(JSON.stringify({ [name]: 'a value' })))).toEqual([])
  })

  it.each(['', ' ', 'a b', 'a:b', 'a\n', 'a\u0000', 'ä', 'a/b', '(a)', '"a"', 'x'.repeat(129)])(
    'rejects %j',
    (name) =>
      expect(listHeaderErrors({ [name]: 'a value' })).toEqual([[expect.any(String), 'invalid_header']]),
  )

  // prettier-ignore
  it.each([
    'webhook-id', 'Webhook-Signature', 'WEBHOOK-TIMESTAMP', 'webhook-anything', 'webhook_signature',
    'Content-Type', 'content_type', 'Content-Length', 'Content-Encoding', 'Host', 'User-Agent', 'Date',
    'Connection', 'Keep-Alive', 'TE', 'Trailer', 'Transfer-Encoding', 'Upgrade', 'Expect',
    'Proxy-Authorization', 'Proxy-Connection', 'Accept-Encoding', 'HTTP2-Settings', 'traceparent',
  ])('reserves %s', (name) => {
    const [error] = findHeaderErrors({ [name]: 'a value' })
    expect(error).toEqual({
      pointer: `/headers/${name}`,
      code: 'reserved_header',
      detail: expect.stringMatching(/^This header cannot be set: .+\.$/),
    })
  })

  it('are not case-sensitive', () => {
    expect(listHeaderErrors({ 'x-a': '1', 'X-A': '2', 'X-a': null })).toEqual([
      ['/headers/X-A', 'duplicate'],
      ['/headers/X-a', 'duplicate'],
    ])
  })

  it('are escaped in pointers, and cut', () => {
    expect(listHeaderErrors({ 'a/b~c': '1', ['x'.repeat(200)]: '1' })).toEqual([
      ['/headers/a~1b~0c', 'invalid_header'],
      [`/headers/${'x'.repeat(128)}`, 'invalid_header'],
    ])
  })
})

describe('values', () => {
  it.each(['a', 'Bearer 8f1c2b7d', '!~', 'x'.repeat(4096), null])('accept %j', (value) => {
    expect(listHeaderErrors({ 'x-a': value })).toEqual([])
  })

  // prettier-ignore
  it.each([
    '', ' ', ' a', 'a ', 'a\r\nx-b: 1', 'a\nb', 'a\tb', 'a\u0000', '\u007f', 'ä', '…a', 'x'.repeat(4097),
    1, true, [], {}, ['a'],
  ])('reject %j', (value) => {
    const [error] = findHeaderErrors({ 'x-a': value })
    expect(error).toMatchObject({ pointer: '/headers/x-a', code: 'invalid_header' })
    if (typeof value === 'string' && value.trim().length > 3) expect(error!.detail).not.toContain(value)
  })

  it('cannot be the mask of a stored value', () => {
    expect(findHeaderErrors(maskHeaders(['x-a']))).toEqual([
      {
        pointer: '/headers/x-a',
        code: 'masked_value',
        detail: expect.stringContaining('Leave this header out'),
      },
    ])
  })
})

describe('a merge patch', () => {
  const stored = new Map([
    ['x-a', '1'],
    ['x-b', '2'],
  ])

  it.each([
    [{}, { 'x-a': '1', 'x-b': '2' }],
    [{ 'X-A': '3' }, { 'x-a': '3', 'x-b': '2' }],
    [
      { 'X-A': null, 'x-c': '3' },
      { 'x-b': '2', 'x-c': '3' },
    ],
    [{ 'x-unknown': null }, { 'x-a': '1', 'x-b': '2' }],
    [null, {}],
  ])('of %j gives %j', (patch, merged) => {
    expect(Object.fromEntries(mergeHeaders(stored, patch))).toEqual(merged)
    expect(stored.size).toBe(2)
  })
})

describe('limits', () => {
  const many = (count: number, value = 'v') =>
    new Map(Array.from({ length: count }, (_, i) => [`x-${i}`, value] as const))

  it('allow 10 headers', () => {
    expect(findLimitError(many(10))).toBeNull()
    expect(findLimitError(many(11))).toMatchObject({ pointer: '/headers', code: 'too_many' })
  })

  it('allow 8,192 characters of names and values', () => {
    expect(findLimitError(many(2, 'v'.repeat(4093)))).toBeNull()
    expect(findLimitError(many(2, 'v'.repeat(4094)))).toMatchObject({ code: 'invalid_header' })
  })
})

it('headers of the service take precedence', () => {
  const own = { 'webhook-id': 'evt_1' }
  expect(addHeaders(own, new Map())).toBe(own)
  expect(
    addHeaders(
      own,
      new Map([
        ['webhook-id', 'x'],
        ['x-a', '1'],
      ]),
    ),
  ).toEqual({ 'webhook-id': 'evt_1', 'x-a': '1' })
})

const outcome = (fields: Partial<Outcome>) =>
  ({ error: null, responseHeaders: null, responseBody: null, ...fields }) as Outcome
const mask = (body: string, value: string) =>
  maskEchoes(outcome({ responseBody: body }), new Map([['x-a', value]])).responseBody

it('masks a value wherever a response repeats it', () => {
  const masked = maskEchoes(
    outcome({
      error: { class: 'redirect', message: 'Points to /?key=secret-key', phase: null },
      responseHeaders: { 'x-echo': 'key secret-key', 'x-secret-key': 'a' },
      responseBody: 'secret-key and secret-key',
    }),
    new Map([['x-key', 'secret-key']]),
  )
  expect(masked).toMatchObject({
    error: { class: 'redirect', message: 'Points to /?key=…' },
    responseHeaders: { 'x-echo': 'key …', 'x-…': 'a' },
    responseBody: '… and …',
  })
})

it.each([
  ['without the scheme', 'token: abcdefgh12', 'Bearer abcdefgh12', 'token: …'],
  ['cut at the end', 'token: abcdefgh', 'Bearer abcdefgh12', 'token: …'],
  ['escaped in JSON', '{"a":"ab\\"cdefgh"}', 'ab"cdefgh', '{"a":"…"}'],
  ['with escaped slashes', '{"a":"ab\\/cd\\/efgh"}', 'ab/cd/efgh', '{"a":"…"}'],
  ['of several short words', 'say open sesame', 'open sesame', 'say …'],
])('masks a value %s', (_, body, value, masked) => expect(mask(body, value)).toBe(masked))

it('keeps short words readable', () => {
  expect(mask('json 1234567', '1234567')).toBe('json 1234567')
})

it('returns the outcome of a webhook without headers unchanged', () => {
  const plain = outcome({ responseBody: 'a' })
  expect(maskEchoes(plain, new Map())).toBe(plain)
})

/** Invalid bodies of link calls are rejected and change nothing. */
import { badTexts, cases, expectFieldError, noTexts } from '../../support/bad-input.js'
import { calls, expectBothReject, send, withUrl } from './bad-input.js'

describe('slug', () => {
  const wrong = [
    null,
    ...noTexts,
    ...badTexts,
    'a b',
    'a/b',
    'a.b',
    '.',
    '..',
    '%61',
    'ä',
    'ａ',
    'a\u200b',
    'a+b',
    'a'.repeat(65),
    'a'.repeat(100_000),
    'slug\n',
    '<a>',
  ]
  it.each(cases(wrong))('rejects %s', async (_, slug) => {
    expectFieldError(await send('POST', withUrl({ slug })), '/slug', 'invalid_slug')
  })

  it.each(['api', 'docs', 'errors', 'healthz', 'readyz', 'metrics', 'openapi'])(
    'rejects %s, which is a path of the service',
    async (slug) => expectFieldError(await send('POST', withUrl({ slug })), '/slug', 'reserved'),
  )

  it.each(cases(['target', 'other', null]))('cannot be changed to %s', async (_, slug) => {
    expectFieldError(await send('PATCH', JSON.stringify({ slug })), '/slug', 'unknown_field')
  })
})

describe.each([
  ['title', 300],
  ['external_id', 255],
])('%s', (field, longest) => {
  it.each(
    cases([
      ...noTexts,
      ...badTexts,
      'a'.repeat(longest + 1),
      '\u{1F331}'.repeat(longest + 1),
      'a'.repeat(200_000),
    ]),
  )('rejects %s', async (_, value) => expectBothReject(field, value, 'invalid_text'))
})

describe('tags', () => {
  it.each(
    cases([
      'a',
      1,
      true,
      {},
      { 0: 'a', length: 1 },
      [''],
      [null],
      [1],
      [['a']],
      [{}],
      ['a', ''],
      ['a'.repeat(51)],
      ...badTexts.map((text) => ['fine', text]),
      Array.from({ length: 21 }, (_, i) => `${i}`),
      Array(10_000).fill('a'),
    ]),
  )('rejects %s', async (_, tags) => expectBothReject('tags', tags, 'invalid_tags'))
})

describe('redirect_status', () => {
  it.each(
    cases([
      null,
      '302',
      'found',
      0,
      -302,
      200,
      300,
      303,
      304,
      305,
      306,
      309,
      399,
      404,
      302.5,
      true,
      [],
      [302],
      {},
    ]),
  )('rejects %s', async (_, status) => expectBothReject('redirect_status', status, 'invalid_redirect_status'))
})

describe.each(['forward_query', 'enabled'])('%s', (field) => {
  it.each(cases([null, 'true', 'false', '', 0, 1, [], [true], {}]))('rejects %s', async (_, value) =>
    expectBothReject(field, value, 'invalid_flag'),
  )
})

describe.each(calls)('the body of %s', (call) => {
  it.each([
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'id',
    'workspace_id',
    'short_url',
    'clicks',
    'created_at',
    'updated_at',
    'deleted_at',
    'redirectStatus',
    'Url',
    '',
    ' ',
    'a/b~c',
    '$where',
    'x'.repeat(5000),
  ])('rejects the unknown field %j by its name', async (name) => {
    const pointer = `/${name.slice(0, 64).replaceAll('~', '~0').replaceAll('/', '~1')}`
    for (const value of ['{}', '{"polluted":true}', 'null', '"x"']) {
      const response = await send(call, `{"url":"https://example.com",${JSON.stringify(name)}:${value}}`)
      expectFieldError(response, pointer, 'unknown_field')
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it.each(['null', '[]', '"a"', '1', 'true', '[{"url":"https://example.com"}]'])(
    'rejects %s, which is not an object',
    async (raw) => {
      expectFieldError(await send(call, raw), '', 'not_an_object')
    },
  )

  it.each([
    ['nothing', ''],
    ['half an object', '{'],
    ['a form', 'url=https://example.com'],
    ['a trailing comma', '{"title":"a",}'],
    ['a raw NUL', '{"title":"a"}\u0000'],
    ['a repeated key', '{"title":"a","title":"b"}'],
    ['a repeated key, once escaped', '{"url":"https://a.example","\\u0075rl":"https://b.example"}'],
    ['a repeated __proto__', '{"__proto__":1,"__proto__":2}'],
    ['bytes that are not UTF-8', Buffer.from('{"title":"\xff"}', 'latin1')],
    ['UTF-16', Buffer.from('{"title":"a"}', 'utf16le')],
  ])('rejects %s as invalid_json', async (_, raw) => {
    const { status, body } = await send(call, raw)
    expect([status, body.code]).toEqual([400, 'invalid_json'])
  })

  it('rejects other content types, and large bodies', async () => {
    const form = await send(call, '{"title":"a"}', { 'content-type': 'application/x-www-form-urlencoded' })
    expect([form.status, form.body.code]).toEqual([415, 'unsupported_media_type'])
    const large = await send(call, `{"title":"${'a'.repeat(300_000)}"}`)
    expect([large.status, large.body.code]).toEqual([413, 'payload_too_large'])
  })
})

it('names all invalid fields in one error', async () => {
  const wrong = {
    url: 'x',
    title: '',
    tags: [1],
    external_id: 1,
    redirect_status: 200,
    forward_query: 1,
    enabled: 1,
    expires_at: 'x',
    expires_in: 'x',
    more: 1,
  }
  const { status, body } = await send('POST', JSON.stringify(wrong))
  expect(status).toBe(422)
  expect(body.errors.map(({ pointer }: { pointer: string }) => pointer.slice(1)).sort()).toEqual(
    Object.keys(wrong).sort(),
  )
})

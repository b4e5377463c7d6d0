/** Invalid bodies of webhook calls are rejected and change nothing. */
import { eventTypes } from '../../../src/events/catalog.js'
import { badTexts, cases, expectFieldError, noTexts } from '../../support/bad-input.js'
import { calls, expectBothReject, send, withRequired } from './bad-input.js'

describe('url', () => {
  it.each(
    cases([
      null,
      ...noTexts,
      ...badTexts,
      'receiver.example/hooks',
      '//receiver.example/hooks',
      '/hooks',
      'https://',
      'https:///hooks',
      'https:receiver.example',
      'https:\\\\receiver.example',
      'https://receiver.example\\@evil.example',
      'ftp://receiver.example',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'data:text/plain,x',
      'ws://receiver.example',
      'https://user:password@receiver.example',
      'https://user@receiver.example',
      'https://:@receiver.example',
      'https://@receiver.example',
      'https://receiver.example/#fragment',
      'https://receiver.example/#',
      'https://receiver.example:99999/',
      'https://receiver.example:port/',
      'https://[::1/',
      'https://receiver example/',
      ' https://receiver.example',
      'https://receiver.example ',
      'https://receiver.example/a b',
      'https://receiver.example/\n',
      'http://receiver.example',
      'HTTP://receiver.example',
      `https://receiver.example/${'a'.repeat(2049)}`,
      'a'.repeat(200_000),
      ['https://receiver.example'],
    ]),
  )('rejects %s', async (_, value) => expectBothReject('url', value))

  it('is not repeated in an error if it contains credentials', async () => {
    const { text } = await send('create', withRequired({ url: 'https://user:hunter2@receiver.example' }))
    expect(text).not.toContain('hunter2')
  })
})

describe('events', () => {
  it.each(
    cases([
      null,
      'click',
      '*',
      1,
      true,
      [],
      {},
      { 0: 'click', length: 1 },
      [''],
      [null],
      [1],
      [['click']],
      ['Click'],
      ['click '],
      ['link.*'],
      ['**'],
      ['click', 'link.eaten'],
      ['toString'],
      ['__proto__'],
      ['link.created,click'],
      // One more than the number of types and `*`.
      Array(eventTypes.length + 2).fill('click'),
      Array(20_000).fill('click'),
    ]),
  )('rejects %s', async (_, value) => expectBothReject('events', value, 'invalid_events'))

  it('lists the known types in the error', async () => {
    const { body } = await send('create', withRequired({ events: ['link.eaten'] }))
    for (const name of ['link.created', 'link.updated', 'link.deleted', 'click', 'webhook.test', '*'])
      expect(body.errors[0].detail).toContain(name)
  })
})

describe('secret', () => {
  const wrong = [null, ...noTexts, ...badTexts, 'a'.repeat(257), '\u{1F331}'.repeat(257), 'a'.repeat(200_000)]
  it.each(cases(wrong))('rejects %s', async (_, value) => {
    await expectBothReject('secret', value, 'invalid_secret')
    expectFieldError(await send('rotate', JSON.stringify({ secret: value })), '/secret', 'invalid_secret')
  })

  it.each(['whsec_', 'whsec_not base64', 'whsec_YWJ', 'whsec_YWJ=', 'whsec_-_-_'])(
    'must be base64 after whsec_: %s',
    async (secret) => {
      for (const call of calls) {
        const fields = call === 'rotate' ? JSON.stringify({ secret }) : withRequired({ secret })
        const response = await send(call, fields)
        expectFieldError(response, '/secret', 'invalid_secret')
        expect(response.body.detail).toContain('base64')
      }
    },
  )

  it('is never repeated in an error', async () => {
    const secret = 'correct horse battery staple'
    for (const call of calls) {
      const { status, text } = await send(call, withRequired({ secret: `${secret}\u0000`, more: 1 }))
      expect(status).toBe(422)
      expect(text).not.toContain(secret)
    }
  })
})

describe('description', () => {
  it.each(cases([...noTexts, ...badTexts, 'a'.repeat(501), '\u{1F331}'.repeat(501), 'a'.repeat(200_000)]))(
    'rejects %s',
    async (_, value) => expectBothReject('description', value, 'invalid_text'),
  )
})

describe('max_in_flight', () => {
  it.each(cases([null, 0, -1, 101, 1.5, 1e9, '20', '', true, [], [20], {}]))('rejects %s', async (_, value) =>
    expectBothReject('max_in_flight', value, 'invalid_number'),
  )
})

describe('status', () => {
  it.each(cases([null, 'disabled', 'Active', 'held', '', 1, true, [], ['active'], {}]))(
    'rejects %s',
    async (_, value) => {
      expectFieldError(await send('change', JSON.stringify({ status: value })), '/status', 'invalid_status')
    },
  )

  it('cannot be set at creation', async () => {
    expectFieldError(await send('create', withRequired({ status: 'paused' })), '/status', 'unknown_field')
  })
})

describe('overlap', () => {
  it.each(
    cases([
      null,
      0,
      24,
      -1,
      true,
      [],
      {},
      '',
      '24',
      '0',
      '0d',
      '00s',
      '-1h',
      '+1h',
      '1.5h',
      '1y',
      '1H',
      ' 1h',
      '1h ',
      '1h\n',
      'P1D',
      '31d',
      '5w',
      '99999w',
      '١h',
      ['1h'],
      'never',
    ]),
  )('rejects %s', async (_, value) => {
    expectFieldError(await send('rotate', JSON.stringify({ overlap: value })), '/overlap', 'invalid_duration')
  })
})

describe.each(calls)('the body of %s', (call) => {
  it.each([
    '__proto__',
    'constructor',
    'toString',
    'id',
    'workspace_id',
    'secret_hint',
    'sealed_secret',
    'secret_rotation',
    'disabled_reason',
    'held',
    'created_at',
    'updated_at',
    'deleted_at',
    'maxInFlight',
    'Url',
    '',
    'a/b~c',
    'x'.repeat(5000),
  ])('rejects the unknown field %j by its name', async (name) => {
    const pointer = `/${name.slice(0, 64).replaceAll('~', '~0').replaceAll('/', '~1')}`
    for (const value of ['{}', '{"polluted":true}', 'null', '"x"'])
      expectFieldError(await send(call, `{${JSON.stringify(name)}:${value}}`), pointer, 'unknown_field')
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it.each(['[]', '"a"', '1', 'true'])('rejects %s, which is not an object', async (raw) => {
    expectFieldError(await send(call, raw), '', 'not_an_object')
  })

  it.each([
    ['half an object', '{'],
    ['a form', 'url=https://receiver.example'],
    ['a repeated key', '{"secret":"a","secret":"b"}'],
    ['bytes that are not UTF-8', Buffer.from('{"secret":"\xff"}', 'latin1')],
  ])('rejects %s as invalid_json', async (_, raw) => {
    const { status, body } = await send(call, raw)
    expect([status, body.code]).toEqual([400, 'invalid_json'])
  })

  it('rejects other content types, and large bodies', async () => {
    const form = await send(call, '{}', { 'content-type': 'text/plain' })
    expect([form.status, form.body.code]).toEqual([415, 'unsupported_media_type'])
    const large = await send(call, `{"secret":"${'a'.repeat(300_000)}"}`)
    expect([large.status, large.body.code]).toEqual([413, 'payload_too_large'])
  })
})

it.each(['create', 'change'] as const)('%s names all invalid fields in one error', async (call) => {
  const wrong = {
    url: 'http://user:x@receiver.example/#x',
    events: ['x'],
    secret: '',
    description: '',
    max_in_flight: 0,
    more: 1,
  }
  const { status, body } = await send(call, JSON.stringify(wrong))
  expect(status).toBe(422)
  const named = body.errors.map(({ pointer }: { pointer: string }) => pointer.slice(1))
  expect(named.sort()).toEqual(Object.keys(wrong).sort())
})

it('create requires a URL and events', async () => {
  const { body } = await send('create', '{}')
  expect(body.errors).toEqual([
    { pointer: '/url', code: 'required', detail: expect.any(String) },
    { pointer: '/events', code: 'required', detail: expect.any(String) },
  ])
})

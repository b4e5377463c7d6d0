/** Invalid IDs, queries and bodies of requests about deliveries are rejected and change nothing. */
import { cases, expectFieldError, nothingMayChange, noTimes } from '../../support/bad-input.js'
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import { makeDelivery, makeEvent, makeWebhook } from '../../support/factories/deliveries.js'
import type { MadeWebhook } from '../../support/factories/deliveries.js'

const tables = ['webhooks', 'lanes', 'events', 'deliveries', 'attempts', 'replays']

let service: Service
let webhook: MadeWebhook
let delivery: string
let event: string
async function snapshot(): Promise<unknown[]> {
  const rows: unknown[] = []
  for (const table of tables)
    rows.push(await service.db.query(`SELECT * FROM ${table} AS row ORDER BY row::text`))
  return rows
}

beforeAll(async () => {
  service = await shareService()
  webhook = await makeWebhook(service)
  const created = await makeEvent(service, webhook)
  event = created.id
  const attempts = [{ statusCode: 500, errorClass: 'http_status', errorMessage: 'x' }]
  delivery = (await makeDelivery(service, webhook, { eventId: created.uuid, status: 'failed', attempts })).id
})
nothingMayChange(snapshot)
afterAll(() => service.stop())

const fill = (path: string) =>
  path.replace('WEBHOOK', webhook.id).replace('DELIVERY', delivery).replace('EVENT', event)
const since = '2026-01-01T00:00:00Z'

const calls: [method: string, path: string, body?: object][] = [
  ['GET', '/v1/webhooks/WEBHOOK/deliveries'],
  ['GET', '/v1/webhooks/WEBHOOK/deliveries/DELIVERY'],
  ['POST', '/v1/webhooks/WEBHOOK/deliveries/DELIVERY/redeliver'],
  ['POST', '/v1/webhooks/WEBHOOK/replay', { since }],
  ['GET', '/v1/webhooks/WEBHOOK/stats'],
  ['POST', '/v1/webhooks/WEBHOOK/test', {}],
  ['GET', '/v1/events/EVENT/explain?webhook_id=WEBHOOK'],
  ['GET', '/v1/events/EVENT/explain'],
]
const badIds = [
  'x',
  '0',
  '-1',
  'null',
  '__proto__',
  "'%20OR%201=1--",
  '%00',
  '%0d%0aSet-Cookie:%20a=b',
  '%C3%28',
  '%zz',
  'tok_01kaj3v9z4f8hva3x7m2c5d6ne',
  'wh_',
  'wh_01kaj3w4q2e6r8t0y1v3b5n7mz',
  'wh_81kaj3w4q2e6r8t0y1v3b5n7mz',
  'wh_01KAJ3W4Q2E6R8T0Y1V3B5N7MZ',
  'dlv_01kaj4d0qaf2bv7m3x9c6t1hwk',
  'evt_01kaj4d0qae6svf0k9w3m7x2ht',
  '019aa43d-a7e4-7a23-b50f-a7a0985699ae',
  'wh_'.repeat(500),
]

/** A query parameter that is not valid text is rejected as a parameter, not as an ID. */
const isText = (id: string) => id.length <= 100 && !id.includes('%0')

describe.each(calls)('%s %s', (method, path, body) => {
  const inQuery = (place: string) => path.includes(`=${place}`)
  const places = path.match(/WEBHOOK|DELIVERY|EVENT/g) ?? []
  it.each(
    places.flatMap((place) =>
      badIds.filter((id) => isText(id) || !inQuery(place)).map((id) => [place, id] as const),
    ),
  )('returns 404 for %s %s', async (place, id) => {
    const response = await service.call(method, fill(path.replace(place, id)), { body })
    expect([response.status, response.body.code]).toEqual([404, 'not_found'])
  })

  const required =
    method === 'POST' ? 'webhooks:write' : path.includes('events') ? 'events:read' : 'webhooks:read'
  const scopes = ['links:read', 'webhooks:read', 'webhooks:write', 'events:read', 'clicks:read']
  it.each(scopes.filter((scope) => scope !== required))(
    'returns 403 with only the scope %s',
    async (scope) => {
      const { token } = await service.mint(scope)
      const response = await service.call(method, fill(path), { token, body })
      expect([response.status, response.body.required]).toEqual([403, [required]])
    },
  )

  it('returns 401 without a token', async () => {
    expect((await service.call(method, fill(path), { token: null, body })).status).toBe(401)
  })

  it.each(['x=1', 'Status=failed', '__proto__=1', 'fields=id'])('rejects the query %s', async (query) => {
    const full = `${fill(path)}${path.includes('?') ? '&' : '?'}${query}`
    const response = await service.call(method, full, { body })
    expect([response.status, response.body.code]).toEqual([400, 'invalid_query'])
    expect(response.body.errors).toEqual([expect.objectContaining({ parameter: query.split('=')[0] })])
  })

  it('returns 405 for another method', async () => {
    const response = await service.call('PUT', fill(path).split('?')[0]!, { undocumented: true })
    expect([response.status, response.body.code]).toEqual([405, 'method_not_allowed'])
    expect(response.headers.get('allow')).toContain(method)
  })
})

describe('the list rejects', () => {
  const times = ['', 'now', '2026', '2026-01-01', '1767225600', '2026-13-01T00:00:00Z', "'", '%00'].concat(
    noTimes.map(encodeURIComponent),
  )
  const values: Record<string, string[]> = {
    status: ['', 'Pending', 'delivered', 'pending,failed', 'null', '%00', '__proto__', "'", '*'],
    event: ['', '*', 'Click', 'link', 'click,link.created', 'constructor', "'", '%00'],
    created_after: times,
    created_before: times,
    limit: ['0', '-1', '101', '1.5', 'ten', '', '%20', '1e1'],
    cursor: ['', 'x', 'x.y', '%00', 'a'.repeat(1_001)],
  }
  it.each(Object.entries(values).flatMap(([name, all]) => all.map((value) => [name, value] as const)))(
    '%s=%s',
    async (name, value) => {
      const path = `/v1/webhooks/${webhook.id}/deliveries?${name}=${value}`
      const { status, body } = await service.call('GET', path)
      expect([status, body.code, body.errors[0].parameter]).toEqual([400, 'invalid_query', name])
    },
  )

  it.each(['status=failed&status=failed', 'event=click&event=click', 'status[]=failed'])(
    '%s',
    async (query) => {
      const { status } = await service.call('GET', `/v1/webhooks/${webhook.id}/deliveries?${query}`)
      expect(status).toBe(400)
    },
  )
})

it.each(['?webhook_id=', '?webhook_id=%20', '?webhook_id=%00', '?webhook_id=a&webhook_id=b'])(
  'explain rejects the query %j',
  async (query) => {
    const { status, body } = await service.call('GET', `/v1/events/${event}/explain${query}`)
    expect([status, body.errors[0].parameter]).toEqual([400, 'webhook_id'])
  },
)

const nonTexts = [null, 1, true, [], {}, ['a']]
const replay = (body: object) => service.call('POST', `/v1/webhooks/${webhook.id}/replay`, { body })

describe('a replay rejects', () => {
  const badTimes = [
    ...nonTexts,
    '',
    'now',
    '2026',
    '2026-01-01',
    '2026-01-01T00:00:00',
    '1767225600',
    '1y',
    '0d',
    '-1d',
    '1.5d',
    'P1D',
    ...noTimes,
  ]
  it.each(cases(badTimes))('since %s', async (_, value) =>
    expectFieldError(await replay({ since: value }), '/since', 'invalid_timestamp'),
  )

  it.each(cases(badTimes))('until %s', async (_, until) =>
    expectFieldError(await replay({ since, until }), '/until', 'invalid_timestamp'),
  )

  it.each(cases([...nonTexts, '', 'Failed', 'succeeded', 'pending', '*', ['all']]))(
    'status %s',
    async (_, status) => expectFieldError(await replay({ since, status }), '/status', 'invalid_status'),
  )

  it.each(
    cases([
      null,
      1,
      true,
      '',
      'click',
      {},
      [],
      [null],
      ['*'],
      ['click', 'x'],
      [['click']],
      Array(101).fill('click'),
    ]),
  )('events %s', async (_, events) => {
    const response = await replay({ since, events })
    expectFieldError(response, '/events', 'unknown_event')
    expect(response.body.errors[0].detail).toContain('link.created')
  })

  it.each(cases([...nonTexts, '', 'event', 'Events', '*']))('from %s', async (_, from) =>
    expectFieldError(await replay({ since, from }), '/from', 'invalid_source'),
  )

  it.each(cases([null, 1, '', 'true', {}, []]))('dry_run %s', async (_, value) =>
    expectFieldError(await replay({ since, dry_run: value }), '/dry_run', 'invalid_flag'),
  )

  it('a missing since', async () => expectFieldError(await replay({}), '/since', 'required'))

  it.each([since, '2025-12-31T23:59:59.999Z', '2026-01-01T02:00:00+02:00'])(
    'until %s, which is not after since',
    async (until) => expectFieldError(await replay({ since, until }), '/until', 'not_after_since'),
  )

  it('an until with a greater age than since', async () =>
    expectFieldError(await replay({ since: '1d', until: '2d' }), '/until', 'not_after_since'))

  it('a status for events', async () =>
    expectFieldError(await replay({ since, from: 'events', status: 'all' }), '/status', 'mutually_exclusive'))

  it('a since in the future', async () =>
    expectFieldError(await replay({ since: '2099-01-01T00:00:00Z' }), '/since', 'in_the_future'))

  it('all invalid fields in one response', async () => {
    const invalid = { since: 'x', until: 1, status: 'x', events: ['x'], more: 1 }
    const { body } = await replay(invalid)
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer.slice(1)).sort()).toEqual(
      Object.keys(invalid).sort(),
    )
  })
})

it.each(cases([...nonTexts, '', '*', 'link', 'Click', 'webhook.test ', '__proto__', 'toString']))(
  'a test rejects the event %s and lists the valid types',
  async (_, value) => {
    const response = await service.call('POST', `/v1/webhooks/${webhook.id}/test`, { body: { event: value } })
    expectFieldError(response, '/event', 'unknown_event')
    expect(response.body.errors[0].detail).toContain('webhook.disabled')
  },
)

describe.each(['replay', 'test'])('the body of a %s', (call) => {
  const send = (raw: string, headers = {}) =>
    service.call('POST', `/v1/webhooks/${webhook.id}/${call}`, { raw, headers })

  it.each(['__proto__', 'constructor', 'webhook_id', 'id', 'url', ''])(
    'must not have the field %j',
    async (name) => {
      const raw = `{"since":"${since}",${JSON.stringify(name)}:{}}`
      expectFieldError(await send(raw), `/${name}`, 'unknown_field')
    },
  )

  it.each(['[]', '"a"', '1'])('must be an object, not %s', async (raw) =>
    expectFieldError(await send(raw), '', 'not_an_object'),
  )

  it.each(['{', '{"a":1}x', "{'a':1}", '{"a":1,"a":1}', '\u0000'])(
    'must be valid JSON, not %j',
    async (raw) => {
      const { status, body } = await send(raw)
      expect([status, body.code]).toEqual([400, 'invalid_json'])
    },
  )

  it('must have the content type JSON and a limited size', async () => {
    expect((await send('{}', { 'content-type': 'text/plain' })).status).toBe(415)
    expect((await send(`{"a":"${'a'.repeat(300_000)}"}`)).status).toBe(413)
  })
})

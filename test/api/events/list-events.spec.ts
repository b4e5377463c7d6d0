import { encodeId } from '../../../src/platform/database/ids.js'
import { makeLink, withoutInstance } from '../../support/factories/links.js'
import { noTimes } from '../../support/bad-input.js'
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import { waitFor } from '../../support/wait-for.js'
import { getWebhookUuid, makeWebhook } from '../../support/factories/webhooks.js'
import { readEvents, getEventIds } from '../../support/factories/events.js'
import type { EventResponse } from '../../support/factories/events.js'

let service: Service
let token: string
let links: string[]
let events: EventResponse[]
beforeAll(async () => {
  service = await shareService()
  await service.addWorkspace('listed')
  ;({ token } = await service.mint(undefined, 'listed'))
  links = []
  for (let i = 0; i < 3; i++) links.push((await makeLink(service, {}, token)).id)
  await waitForLaterTime()
  for (const id of links) await service.call('PATCH', `/v1/links/${id}`, { token, body: { title: 'x' } })
  await waitForLaterTime()
  await service.call('DELETE', `/v1/links/${links[0]!}`, { token })
  events = (await readEvents(service, token)).reverse()
  expect(events).toHaveLength(7)
})
afterAll(() => service.stop())

/** Waits, so that the next events have later times. */
async function waitForLaterTime(): Promise<void> {
  const now = Date.now()
  await waitFor('the next milliseconds', () => Date.now() > now + 2)
}
const list = (query = '', as = token) => service.call('GET', `/v1/events?${query}`, { token: as })
const ids = (...places: number[]) => places.map((place) => events[place]!.id)
const getEventTime = (place: number) => events[place]!.timestamp

describe('the list of events', () => {
  it('contains full events, newest first', async () => {
    const { status, body } = await list()
    expect(status).toBe(200)
    expect(body).toEqual({ data: events, has_more: false, next_cursor: null })
    expect(getEventIds({ body } as never)).toEqual(
      events
        .map(({ id }) => id)
        .sort()
        .reverse(),
    )
  })

  it.each<[string, () => string, number[]]>([
    ['a type', () => 'type=link.updated', [1, 2, 3]],
    ['another type', () => 'type=link.deleted', [0]],
    ['a type without events', () => 'type=webhook.test', []],
    ['a link', () => `link_id=${links[0]!}`, [0, 3, 6]],
    ['a link and a type', () => `link_id=${links[1]!}&type=link.created`, [5]],
    ['an unknown link', () => 'link_id=lnk_01kaj3v9z4f8hva3x7m2c5d6ne', []],
    ['a malformed link_id', () => 'link_id=x', []],
    ['the ID of another object', () => `link_id=${events[0]!.id}`, []],
    ['a start time', () => `created_after=${getEventTime(4)}`, [0, 1, 2, 3]],
    ['an end time', () => `created_before=${getEventTime(0)}`, [1, 2, 3, 4, 5, 6]],
    ['a time range', () => `created_after=${getEventTime(4)}&created_before=${getEventTime(0)}`, [1, 2, 3]],
    [
      'all filters together',
      () => `created_after=${getEventTime(4)}&type=link.updated&link_id=${links[2]!}`,
      [1],
    ],
    [
      'a range of all times',
      () => 'created_after=0000-01-01T00:00:00Z&created_before=9999-12-31T23:59:59Z',
      [0, 1, 2, 3, 4, 5, 6],
    ],
  ])('can be filtered by %s, like the feed', async (_, query, places) => {
    expect(getEventIds(await list(query()))).toEqual(ids(...places))
    expect(getEventIds(await list(`${query()}&after=`)).reverse()).toEqual(ids(...places))
  })

  it('has pages that neither repeat nor skip events', async () => {
    const seen: string[] = []
    let cursor = ''
    for (;;) {
      const { body, headers } = await list(`limit=2${cursor && `&cursor=${cursor}`}`)
      seen.push(...body.data.map(({ id }: EventResponse) => id))
      if (!body.has_more) break
      expect(headers.get('link')).toContain(`cursor=${body.next_cursor}`)
      cursor = body.next_cursor
    }
    expect(seen).toEqual(events.map(({ id }) => id))
    expect((await list(`limit=2&type=click&cursor=${cursor}`)).status).toBe(400)
    expect((await list(`limit=2&cursor=${cursor}`, service.token)).status).toBe(400)
  })

  it('contains no events of another workspace', async () => {
    expect((await list('', service.token)).body.data).toEqual([])
    expect((await list(`link_id=${links[1]!}`, service.token)).body.data).toEqual([])
  })
})

describe('an event', () => {
  const get = (id: string, as = token) => service.call('GET', `/v1/events/${id}`, { token: as })

  it('without subscribed webhooks has no deliveries', async () => {
    const { status, headers, body } = await get(events[0]!.id)
    expect([status, body]).toEqual([200, { ...events[0], deliveries: [] }])
    expect(headers.get('etag')).toMatch(/^"[^"]+"$/)
  })

  it('contains the state of each of its deliveries', async () => {
    const webhooks: { id: string }[] = []
    for (let i = 0; i < 6; i++) webhooks.push(await makeWebhook(service, { events: ['link.created'] }, token))
    const link = await makeLink(service, {}, token)
    const [event] = await readEvents(service, token, `&link_id=${link.id}`)
    const [pending, paused, disabled, deleted, succeeded, failed] = webhooks
    await service.call('PATCH', `/v1/webhooks/${paused!.id}`, { token, body: { status: 'paused' } })
    await service.db.query(`UPDATE webhooks SET status = 'disabled' WHERE id = $1`, [
      getWebhookUuid(disabled!),
    ])
    for (const [webhook, status] of [
      [succeeded, 'succeeded'],
      [failed, 'failed'],
    ] as const)
      await service.db.query(
        `UPDATE deliveries SET status = $2, attempt_count = 3, next_attempt_at = NULL, completed_at = '2026-01-31T12:00:00Z' WHERE webhook_id = $1`,
        [getWebhookUuid(webhook!), status],
      )
    for (const webhook of [deleted, succeeded])
      await service.call('DELETE', `/v1/webhooks/${webhook!.id}`, { token })

    const { body } = await get(event!.id)
    const time = expect.stringMatching(/Z$/)
    const expected = [
      [pending, 'pending', 0, time, null],
      [paused, 'held', 0, null, null],
      [disabled, 'held', 0, null, null],
      [deleted, 'canceled', 0, null, time],
      [succeeded, 'succeeded', 3, null, '2026-01-31T12:00:00.000Z'],
      [failed, 'failed', 3, null, '2026-01-31T12:00:00.000Z'],
    ] as const
    expect(body).toEqual({
      ...event,
      deliveries: expected.map(([webhook, status, attempt_count, next_attempt_at, completed_at]) => ({
        id: expect.stringMatching(/^dlv_[0-7][0-9a-z]{25}$/),
        webhook_id: webhook!.id,
        status,
        attempt_count,
        next_attempt_at,
        completed_at,
      })),
    })
  })

  it('of another workspace returns the same 404 as an unknown event', async () => {
    const response = await get(events[0]!.id, service.token)
    expect(response.status).toBe(404)
    const unknown = await get(encodeId('evt', '019aa43d-a7e4-7a23-b50f-a7a0985699ae'), service.token)
    expect(withoutInstance(response)).toEqual(withoutInstance(unknown))
    expect(response.text.length).toBe(unknown.text.length)
  })

  it.each([
    'x',
    'evt_',
    '__proto__',
    '%00',
    '%2e%2e%2f',
    '%C3%28',
    "'%20OR%201=1--",
    'clk_01kaj4d0qae6svf0k9w3m7x2ht',
    'evt_81kaj4d0qae6svf0k9w3m7x2ht',
    'evt_01KAJ4D0QAE6SVF0K9W3M7X2HT',
    '019aa43d-a7e4-7a23-b50f-a7a0985699ae',
    'a'.repeat(5_000),
  ])('is not found by the malformed ID %s', async (id) => {
    const { status, body } = await get(id)
    expect([status, body.code]).toEqual([404, 'not_found'])
  })
})

describe('an invalid query', () => {
  const values = (name: string, wrong: string[]) => wrong.map((value) => `${name}=${value}`)
  it.each([
    ...values('limit', ['0', '-1', '101', '1.5', '1e2', '', 'ten', '١']),
    ...values('cursor', ['', 'x', 'x.y', '%00', 'a'.repeat(1001), "'"]),
    ...values('after', ['x', 'x.y', '%00', 'a'.repeat(1001), "'"]),
    ...values('type', ['', 'Click', 'link.*', '*', 'link.eaten', '__proto__', 'click,link.created']),
    ...values('link_id', ['', '%20', '%00', 'a'.repeat(101)]),
    ...values('created_after', ['', 'now', '2026', '2026-01-01', '1767225600', '2026-13-01T00:00:00Z']),
    ...values('created_before', noTimes.map(encodeURIComponent)),
    ...values('created_before', ['', "'", '2026-01-01T00:00:00', '-000001-01-01T00:00:00Z']),
    'type=click&type=click',
    'after=&after=',
    'type[]=click',
    'sort=created_at',
    'webhook_id=x',
    '__proto__=1',
    'x',
  ])('returns a 400 that names the parameter: %s', async (query) => {
    const { status, body } = await list(query)
    expect([status, body.code]).toEqual([400, 'invalid_query'])
    expect(body.errors.map(({ parameter }: { parameter: string }) => parameter)).toContain(
      query.split('=')[0],
    )
  })

  it('is rejected by a call without parameters', async () => {
    const { status, body } = await service.call('GET', `/v1/events/${events[0]!.id}?x=1`, { token })
    expect([status, body.code]).toEqual([400, 'invalid_query'])
  })
})

it.each(['/v1/events', '/v1/events?after=', '/v1/events/ID', '/v1/event-types'])(
  '%s requires only the scope events:read',
  async (path) => {
    const request = (as: string | null) =>
      service.call('GET', path.replace('ID', events[0]!.id), { token: as })
    const { token: without } = await service.mint(
      'links:read,clicks:read,webhooks:read,webhooks:write',
      'listed',
    )
    const refused = await request(without)
    expect([refused.status, refused.body.required]).toEqual([403, ['events:read']])
    expect((await request(null)).status).toBe(401)
    expect((await request((await service.mint('events:read', 'listed')).token)).status).toBe(200)
  },
)

/** A change to a link and its event are committed together. */
import { decodeId } from '../../../src/platform/database/ids.js'
import { makeLink } from '../../support/factories/links.js'
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import { getWebhookUuid, makeWebhook } from '../../support/factories/webhooks.js'
import { getEventTypes, readEvents } from '../../support/factories/events.js'

let service: Service
beforeAll(async () => (service = await shareService()))
afterAll(() => service.stop())

const ofLink = ({ id }: { id: string }) => readEvents(service, service.token, `&link_id=${id}`)
const patch = (id: string, body: object) => service.call('PATCH', `/v1/links/${id}`, { body })
const remove = (id: string) => service.call('DELETE', `/v1/links/${id}`)

const allFields = {
  title: 'Title',
  tags: ['a', 'b'],
  external_id: 'mine',
  redirect_status: 301,
  forward_query: true,
  enabled: false,
  expires_at: '2099-01-01T00:00:00.000Z',
}

describe('an event', () => {
  it('of a new link contains the link of the response', async () => {
    const link = await makeLink(service, allFields)
    expect(await ofLink(link)).toEqual([
      {
        id: expect.stringMatching(/^evt_[0-7][0-9a-z]{25}$/),
        type: 'link.created',
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        data: { link },
      },
    ])
  })

  it.each([
    ['url', 'https://elsewhere.example'],
    ['title', null],
    ['tags', []],
    ['external_id', null],
    ['redirect_status', 308],
    ['forward_query', false],
    ['enabled', true],
    ['expires_at', null],
  ])(
    'of a change of %s contains the new link and only the previous value of this field',
    async (field, value) => {
      const link: any = await makeLink(service, { ...allFields, external_id: `of ${field}` })
      const { body } = await patch(link.id, { [field]: value })
      const [, updated, ...more] = await ofLink(link)
      expect(more).toEqual([])
      expect(updated).toMatchObject({ type: 'link.updated' })
      expect(updated!.data).toEqual({ link: body, previous: { [field]: link[field] } })
    },
  )

  it('of a change of several fields contains the previous values of changed fields only', async () => {
    const link = await makeLink(service, { title: 'Old', tags: ['a'], redirect_status: 301 })
    await patch(link.id, { title: 'New', tags: ['a', 'a'], redirect_status: 301, enabled: false })
    expect((await ofLink(link))[1]!.data.previous).toEqual({ title: 'Old', enabled: true })
  })

  it('of a deletion contains the deleted link', async () => {
    const link = await makeLink(service, { title: 'Last words' })
    await remove(link.id)
    const [, deleted] = await ofLink(link)
    expect(deleted).toMatchObject({ type: 'link.deleted', data: { link } })
  })

  it('has the same bytes wherever it is read', async () => {
    const link = await makeLink(service, { title: 'Grüße "\\ \u{1F331}' })
    const [event] = await ofLink(link)
    const [row] = await service.db.query<{ body: string; type: string; link_id: string }>(
      'SELECT body, type, link_id FROM events WHERE id = $1',
      [decodeId('evt', event!.id)],
    )
    const one = await service.call('GET', `/v1/events/${event!.id}`)
    expect(JSON.stringify(event)).toBe(row!.body)
    expect(one.text.startsWith(row!.body.slice(0, -1))).toBe(true)
    expect(row).toMatchObject({ type: 'link.created', link_id: decodeId('lnk', link.id) })
  })
})

describe('no event', () => {
  const count = async () =>
    (
      await service.db.query<{ count: number }>(
        'SELECT count(*)::int AS count FROM events JOIN workspaces ON workspaces.id = workspace_id WHERE name = $1',
        [service.workspaceFor('default')],
      )
    )[0]!.count

  it('is recorded for a rejected call or a change without effect', async () => {
    const link = await makeLink(service, { ...allFields, external_id: 'nothing' })
    await makeLink(service, { external_id: 'taken' })
    const before = await count()
    for (const body of [{}, { ...allFields, external_id: 'nothing' }, { external_id: 'taken' }, { url: 'x' }])
      await patch(link.id, body)
    await service.call('POST', '/v1/links', { body: { url: 'https://a.example', slug: link.slug } })
    await service.call('POST', '/v1/links', { body: { url: 'x' } })
    await service.call('DELETE', `/v1/links/${link.id}`, { headers: { 'if-match': '"stale"' } })
    await remove('lnk_01kaj3v9z4f8hva3x7m2c5d6ne')
    expect(await count()).toBe(before)
  })

  it('is recorded twice for a repeated call or concurrent deletions', async () => {
    const headers = { 'idempotency-key': 'one-event' }
    const body = { url: 'https://target.example' }
    const [link] = await Promise.all(
      Array.from(
        { length: 3 },
        async () => (await service.call('POST', '/v1/links', { body, headers })).body,
      ),
    )
    const { id } = link.id ? link : (await service.call('POST', '/v1/links', { body, headers })).body
    await Promise.all(Array.from({ length: 20 }, () => remove(id)))
    expect(getEventTypes(await ofLink({ id }))).toEqual(['link.created', 'link.deleted'])
  })

  it.each([
    ['event', 'events'],
    ['delivery', 'deliveries'],
  ])('and no change to the link is stored when its %s cannot be written', async (_, table) => {
    const link = await makeLink(service)
    const { id } = await makeWebhook(service, { events: ['*'] })
    const before = await count()
    await service.db.query(`ALTER TABLE ${table} RENAME TO gone`)
    const changeAll = async () => {
      const created = await service.call('POST', '/v1/links', {
        body: { url: 'https://a.example', slug: `no-${table}` },
      })
      return [created, await patch(link.id, { title: 'New' }), await remove(link.id)]
    }
    const responses = await changeAll().finally(() => service.db.query(`ALTER TABLE gone RENAME TO ${table}`))
    await service.call('DELETE', `/v1/webhooks/${id}`)
    expect(responses.map(({ status }) => status)).toEqual([500, 500, 500])
    expect(await count()).toBe(before)
    expect((await service.call('GET', `/v1/links/${link.id}`)).body).toEqual(link)
    expect(await service.db.query('SELECT 1 FROM links WHERE slug = $1', [`no-${table}`])).toEqual([])
  })
})

describe('a delivery', () => {
  const listDeliveries = async (webhook: { id: string }) =>
    service.db.query<{ event_type: string; status: string; sequence: null; attempt_count: number }>(
      'SELECT event_type, status, sequence, attempt_count FROM deliveries WHERE webhook_id = $1 ORDER BY id',
      [getWebhookUuid(webhook)],
    )

  it('is created once for each subscribed webhook of the workspace', async () => {
    await service.addWorkspace('fan-out')
    const { token } = await service.mint(undefined, 'fan-out')
    const createWebhook = (events: string[]) => makeWebhook(service, { events }, token)
    const [created, all, both, clicks] = [
      await createWebhook(['link.created']),
      await createWebhook(['*']),
      await createWebhook(['*', 'link.created', 'link.deleted']),
      await createWebhook(['click', 'webhook.failing']),
    ]
    const foreign = await makeWebhook(service, { events: ['*'] })
    const before = (await listDeliveries(foreign)).length
    const { id } = await makeLink(service, {}, token)
    await service.call('PATCH', `/v1/links/${id}`, { token, body: { title: 'x' } })
    await service.call('DELETE', `/v1/links/${id}`, { token })
    const types = async (webhook: { id: string }) =>
      (await listDeliveries(webhook)).map(({ event_type }) => event_type)
    expect(await types(created)).toEqual(['link.created'])
    expect(await types(all)).toEqual(['link.created', 'link.updated', 'link.deleted'])
    expect(await types(both)).toEqual(['link.created', 'link.updated', 'link.deleted'])
    expect(await types(clicks)).toEqual([])
    expect(await listDeliveries(foreign)).toHaveLength(before)
    expect((await listDeliveries(created))[0]).toEqual({
      event_type: 'link.created',
      status: 'pending',
      sequence: null,
      attempt_count: 0,
    })
  })

  it('is created for a paused webhook, but not for a deleted one', async () => {
    const webhook = await makeWebhook(service)
    await service.call('PATCH', `/v1/webhooks/${webhook.id}`, { body: { status: 'paused' } })
    await makeLink(service)
    expect((await service.call('GET', `/v1/webhooks/${webhook.id}`)).body).toMatchObject({ held: 1 })
    await service.call('DELETE', `/v1/webhooks/${webhook.id}`)
    await makeLink(service)
    expect(await listDeliveries(webhook)).toHaveLength(1)
  })
})

/** Explanations of an event for all webhooks, of a click, and of a link. */
import { decodeId, encodeId } from '../../../src/platform/database/ids.js'
import { makeLink, visit, withoutInstance } from '../../support/factories/links.js'
import { makeDelivery, makeEvent, makeWebhook } from '../../support/factories/deliveries.js'
import type { MadeWebhook } from '../../support/factories/deliveries.js'
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import { waitFor } from '../../support/wait-for.js'

let service: Service
beforeAll(async () => (service = await shareService()))
afterAll(() => service.stop())

const hourAgo = () => new Date(Date.now() - 3_600_000)
let workspaces = 0
/** Creates a workspace that contains only the webhooks of one test. */
async function freshWorkspace() {
  const workspace = `explained-${workspaces++}`
  await service.addWorkspace(workspace)
  const { token } = await service.mint(undefined, workspace)
  const get = (path: string) => service.call('GET', path, { token })
  const hook = (fields: Parameters<typeof makeWebhook>[1] = {}) =>
    makeWebhook(service, { workspace, createdAt: hourAgo(), ...fields })
  return { token, get, hook }
}
const getReasons = ({ body }: { body: any }) =>
  body.data.map(({ webhook_id, reason }: any) => [webhook_id, reason])

describe('an event', () => {
  it('is explained for each webhook of its workspace only, newest first', async () => {
    const { get, hook } = await freshWorkspace()
    await makeWebhook(service)
    const other = await hook({ events: ['link.created'] })
    const paused = await hook({ status: 'paused' })
    const reached = await hook()
    const event = await makeEvent(service, reached)
    await makeDelivery(service, paused, { eventId: event.uuid })
    await makeDelivery(service, reached, {
      eventId: event.uuid,
      status: 'succeeded',
      attempts: [{ statusCode: 500, errorClass: 'http_status' }, { statusCode: 204 }],
    })
    const response = await get(`/v1/events/${event.id}/explain`)
    expect(response.status).toBe(200)
    expect(getReasons(response)).toEqual([
      [reached.id, 'delivered'],
      [paused.id, 'held'],
      [other.id, 'not_subscribed'],
    ])
    expect(response.body).toMatchObject({ has_more: false, next_cursor: null })
    for (const explanation of response.body.data) {
      const one = await get(`/v1/events/${event.id}/explain?webhook_id=${explanation.webhook_id}`)
      expect(one.body).toEqual(explanation)
    }
  })

  it('has the reason no_webhook if the workspace has no webhooks', async () => {
    const { get, hook } = await freshWorkspace()
    const deleted = await hook({ deletedAt: hourAgo() })
    const event = await makeEvent(service, deleted)
    expect((await get(`/v1/events/${event.id}/explain`)).body).toEqual({
      event_id: event.id,
      event_type: 'click',
      reason: 'no_webhook',
      sentence: 'The workspace has no webhook, so this event was not sent.',
      next_step: {
        action: 'none',
        message: expect.stringContaining('Create a webhook'),
        webhook_id: null,
        delivery_id: null,
        since: null,
      },
      data: [],
      has_more: false,
      next_cursor: null,
    })
  })

  it('is explained for a deleted webhook that has a delivery', async () => {
    const { get, hook } = await freshWorkspace()
    const deleted = await hook({ deletedAt: new Date() })
    const event = await makeEvent(service, deleted)
    await makeDelivery(service, deleted, { eventId: event.uuid })
    expect(getReasons(await get(`/v1/events/${event.id}/explain`))).toEqual([[deleted.id, 'webhook_deleted']])
  })

  it('lists each webhook exactly once across pages', async () => {
    const { get, hook } = await freshWorkspace()
    const hooks: MadeWebhook[] = []
    for (let i = 0; i < 7; i++) hooks.push(await hook())
    const event = await makeEvent(service, hooks[0]!)
    const seen: string[] = []
    let query = '?limit=3'
    for (;;) {
      const { body } = await get(`/v1/events/${event.id}/explain${query}`)
      seen.push(...body.data.map(({ webhook_id }: any) => webhook_id))
      if (!body.has_more) break
      query = `?limit=3&cursor=${body.next_cursor}`
    }
    expect(seen).toEqual(hooks.map(({ id }) => id).reverse())
    const second = await makeEvent(service, hooks[0]!)
    const { status } = await get(`/v1/events/${second.id}/explain${query}`)
    expect(status).toBe(400)
  })

  it('has the reason test for every webhook if it is a test event', async () => {
    const { get, hook } = await freshWorkspace()
    const [tested, other] = [await hook(), await hook()]
    const { uuid } = await makeDelivery(service, tested, { test: true, status: 'succeeded' })
    const [row] = await service.db.query<{ event_id: string }>(
      'SELECT event_id FROM deliveries WHERE id = $1',
      [uuid],
    )
    const response = await get(`/v1/events/${encodeId('evt', row!.event_id)}/explain`)
    expect(getReasons(response)).toEqual([
      [other.id, 'test'],
      [tested.id, 'test'],
    ])
  })

  it('returns the same 404 for an unknown event and an event of another workspace', async () => {
    const [own, other] = [await freshWorkspace(), await freshWorkspace()]
    const webhook = await other.hook()
    const event = await makeEvent(service, webhook)
    await makeDelivery(service, webhook, { eventId: event.uuid })
    expect((await other.get(`/v1/events/${event.id}/explain`)).status).toBe(200)
    const unknown = await own.get('/v1/events/evt_01kaj4d0qae6svf0k9w3m7x2ht/explain')
    expect(unknown.status).toBe(404)
    const foreign = await own.get(`/v1/events/${event.id}/explain`)
    expect(withoutInstance(foreign)).toEqual(withoutInstance(unknown))
  })
})

describe('a click', () => {
  const clicked = async ({ get, token }: Awaited<ReturnType<typeof freshWorkspace>>) => {
    const link = await makeLink(service, {}, token)
    await visit(service, link.slug)
    const { body } = await waitFor('the click', async () => {
      const response = await get(`/v1/links/${link.id}/clicks`)
      return response.body.data.length === 1 ? response : null
    })
    return { link, click: body.data[0] }
  }

  it('is explained by its event', async () => {
    const workspace = await freshWorkspace()
    const subscribed = await workspace.hook({ events: ['click'] })
    const other = await workspace.hook({ events: ['link.deleted'] })
    const { click, link } = await clicked(workspace)
    const { status, body } = await workspace.get(`/v1/clicks/${click.id}/explain`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      event_id: click.event_id,
      event_type: 'click',
      reason: null,
      sentence: null,
    })
    expect(getReasons({ body })).toEqual([
      [other.id, 'not_subscribed'],
      [subscribed.id, 'waiting'],
    ])
    const one = await workspace.get(`/v1/clicks/${click.id}/explain?webhook_id=${subscribed.id}`)
    expect(getReasons(one)).toEqual([[subscribed.id, 'waiting']])
    // The click is also the latest event of the link.
    expect((await workspace.get(`/v1/links/${link.id}/explain`)).body).toEqual(body)
  })

  it('has the reason not_wanted if no webhook subscribed to clicks in time', async () => {
    const workspace = await freshWorkspace()
    const { click } = await clicked(workspace)
    await workspace.hook({ events: ['click'], createdAt: new Date() })
    const { body } = await workspace.get(`/v1/clicks/${click.id}/explain`)
    expect(click.event_id).toBeNull()
    expect(body).toEqual({
      event_id: null,
      event_type: null,
      reason: 'not_wanted',
      sentence: expect.stringContaining('no webhook in the workspace subscribed to click events'),
      next_step: expect.objectContaining({ action: 'none', message: expect.any(String) }),
      data: [],
      has_more: false,
      next_cursor: null,
    })
  })

  it('has the reason not_kept if its event was deleted', async () => {
    const workspace = await freshWorkspace()
    await workspace.hook({ events: ['click'] })
    const { click } = await clicked(workspace)
    await service.db.query('DELETE FROM events WHERE id = $1', [decodeId('evt', click.event_id)])
    const { body } = await workspace.get(`/v1/clicks/${click.id}/explain`)
    expect(body).toMatchObject({ event_id: null, reason: 'not_kept', data: [] })
  })

  it('returns the same 404 for an unknown ID, a malformed ID and an ID of another workspace', async () => {
    const [own, other] = [await freshWorkspace(), await freshWorkspace()]
    const { click } = await clicked(other)
    const responses = await Promise.all(
      [click.id, 'clk_01kaj4d0qae6svf0k9w3m7x2ht', 'x'].map((id) => own.get(`/v1/clicks/${id}/explain`)),
    )
    for (const response of responses) {
      expect(response.status).toBe(404)
      expect(withoutInstance(response)).toEqual(withoutInstance(responses[0]!))
    }
  })
})

describe('a link', () => {
  it('is explained by its latest event, or its latest event of a type, even after deletion', async () => {
    const { get, hook, token } = await freshWorkspace()
    const webhook = await hook({ events: ['link.created', 'link.deleted'] })
    const link = await makeLink(service, {}, token)
    await service.call('PATCH', `/v1/links/${link.id}`, { token, body: { title: 'T' } })
    const latest = await get(`/v1/links/${link.id}/explain`)
    expect(latest.body).toMatchObject({ event_type: 'link.updated', reason: null })
    expect(getReasons(latest)).toEqual([[webhook.id, 'not_subscribed']])
    const created = await get(`/v1/links/${link.id}/explain?type=link.created&webhook_id=${webhook.id}`)
    expect(created.body.event_type).toBe('link.created')
    expect(getReasons(created)).toEqual([[webhook.id, 'waiting']])
    await service.call('DELETE', `/v1/links/${link.id}`, { token })
    expect((await get(`/v1/links/${link.id}/explain`)).body.event_type).toBe('link.deleted')
  })

  it('has the reason none_recorded, or not_kept for an old link, if there is no event', async () => {
    const { get, hook, token } = await freshWorkspace()
    await hook()
    const link = await makeLink(service, {}, token)
    const none = await get(`/v1/links/${link.id}/explain?type=click`)
    expect(none.body).toMatchObject({ event_id: null, reason: 'none_recorded', data: [] })
    const longAgo = new Date(Date.now() - 40 * 86_400_000)
    await service.db.query('UPDATE links SET created_at = $2 WHERE id = $1', [
      decodeId('lnk', link.id),
      longAgo,
    ])
    const old = await get(`/v1/links/${link.id}/explain?type=click`)
    expect(old.body).toMatchObject({ event_id: null, reason: 'not_kept' })
    expect((await get(`/v1/links/${link.id}/explain?type=clock`)).status).toBe(400)
  })

  it('returns the same 404 for an unknown ID, a malformed ID and an ID of another workspace', async () => {
    const [own, other] = [await freshWorkspace(), await freshWorkspace()]
    const link = await makeLink(service, {}, other.token)
    const responses = await Promise.all(
      [link.id, 'lnk_01kaj3v9z4f8hva3x7m2c5d6ne', 'x'].map((id) => own.get(`/v1/links/${id}/explain`)),
    )
    for (const response of responses) {
      expect(response.status).toBe(404)
      expect(withoutInstance(response)).toEqual(withoutInstance(responses[0]!))
    }
  })
})

it('requires the scope events:read for events, clicks and links', async () => {
  const { token } = await service.mint('clicks:read,links:read,webhooks:read')
  for (const path of ['events', 'clicks', 'links'])
    expect((await service.call('GET', `/v1/${path}/x/explain`, { token })).body.required).toEqual([
      'events:read',
    ])
})

/** Why did I not get it: asked of an event for all webhooks at once, of a click, and of a link. */
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
/** A workspace of its own, for its webhooks to be all there are. */
async function freshWorkspace() {
  const workspace = `explained-${workspaces++}`
  await service.addWorkspace(workspace)
  const { token } = await service.mint(undefined, workspace)
  const get = (path: string) => service.call('GET', path, { token })
  const hook = (fields: Parameters<typeof makeWebhook>[1] = {}) =>
    makeWebhook(service, { workspace, createdAt: hourAgo(), ...fields })
  return { token, get, hook }
}
const told = ({ body }: { body: any }) => body.data.map(({ webhook_id, reason }: any) => [webhook_id, reason])

describe('an event', () => {
  it('is explained for every webhook of the workspace, the newest first, and for no other', async () => {
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
    const answer = await get(`/v1/events/${event.id}/explain`)
    expect(answer.status).toBe(200)
    expect(told(answer)).toEqual([
      [reached.id, 'delivered'],
      [paused.id, 'held'],
      [other.id, 'not_subscribed'],
    ])
    expect(answer.body).toMatchObject({ has_more: false, next_cursor: null })
    for (const explanation of answer.body.data) {
      const one = await get(`/v1/events/${event.id}/explain?webhook_id=${explanation.webhook_id}`)
      expect(one.body).toEqual(explanation)
    }
  })

  it('of a workspace without webhooks is explained by that', async () => {
    const { get, hook } = await freshWorkspace()
    const gone = await hook({ deletedAt: hourAgo() })
    const event = await makeEvent(service, gone)
    expect((await get(`/v1/events/${event.id}/explain`)).body).toEqual({
      event_id: event.id,
      event_type: 'click',
      reason: 'no_webhook',
      sentence: 'The workspace has no webhook, so nobody gets this event.',
      next_step: expect.stringContaining('POST /v1/webhooks'),
      data: [],
      has_more: false,
      next_cursor: null,
    })
  })

  it('is explained for a deleted webhook too, where it was for it', async () => {
    const { get, hook } = await freshWorkspace()
    const gone = await hook({ deletedAt: new Date() })
    const event = await makeEvent(service, gone)
    await makeDelivery(service, gone, { eventId: event.uuid })
    expect(told(await get(`/v1/events/${event.id}/explain`))).toEqual([[gone.id, 'webhook_deleted']])
  })

  it('is explained a page at a time, none twice and none left out', async () => {
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

  it('that was the example of a test is explained as one, also for those that it was not for', async () => {
    const { get, hook } = await freshWorkspace()
    const [tested, other] = [await hook(), await hook()]
    const { uuid } = await makeDelivery(service, tested, { test: true, status: 'succeeded' })
    const [row] = await service.db.query<{ event_id: string }>(
      'SELECT event_id FROM deliveries WHERE id = $1',
      [uuid],
    )
    const answer = await get(`/v1/events/${encodeId('evt', row!.event_id)}/explain`)
    expect(told(answer)).toEqual([
      [other.id, 'test'],
      [tested.id, 'test'],
    ])
  })

  it('of another workspace is not found, as an unknown one is not', async () => {
    const [mine, theirs] = [await freshWorkspace(), await freshWorkspace()]
    const webhook = await theirs.hook()
    const event = await makeEvent(service, webhook)
    await makeDelivery(service, webhook, { eventId: event.uuid })
    expect((await theirs.get(`/v1/events/${event.id}/explain`)).status).toBe(200)
    const unknown = await mine.get('/v1/events/evt_01kaj4d0qae6svf0k9w3m7x2ht/explain')
    expect(unknown.status).toBe(404)
    const foreign = await mine.get(`/v1/events/${event.id}/explain`)
    expect(withoutInstance(foreign)).toEqual(withoutInstance(unknown))
  })
})

describe('a click', () => {
  const clicked = async ({ get, token }: Awaited<ReturnType<typeof freshWorkspace>>) => {
    const link = await makeLink(service, {}, token)
    await visit(service, link.slug)
    const { body } = await waitFor('the click', async () => {
      const answer = await get(`/v1/links/${link.id}/clicks`)
      return answer.body.data.length === 1 ? answer : null
    })
    return { link, click: body.data[0] }
  }

  it('is explained by the event that it became', async () => {
    const workspace = await freshWorkspace()
    const wanting = await workspace.hook({ events: ['click'] })
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
    expect(told({ body })).toEqual([
      [other.id, 'not_subscribed'],
      [wanting.id, 'waiting'],
    ])
    const one = await workspace.get(`/v1/clicks/${click.id}/explain?webhook_id=${wanting.id}`)
    expect(told(one)).toEqual([[wanting.id, 'waiting']])
    // It is the latest of the link too.
    expect((await workspace.get(`/v1/links/${link.id}/explain`)).body).toEqual(body)
  })

  it('that no webhook wanted then says so, also when one wants them now', async () => {
    const workspace = await freshWorkspace()
    const { click } = await clicked(workspace)
    await workspace.hook({ events: ['click'], createdAt: new Date() })
    const { body } = await workspace.get(`/v1/clicks/${click.id}/explain`)
    expect(click.event_id).toBeNull()
    expect(body).toEqual({
      event_id: null,
      event_type: null,
      reason: 'not_wanted',
      sentence: expect.stringContaining('No webhook of the workspace subscribed to click'),
      next_step: expect.any(String),
      data: [],
      has_more: false,
      next_cursor: null,
    })
  })

  it('whose event is not kept any more says that', async () => {
    const workspace = await freshWorkspace()
    await workspace.hook({ events: ['click'] })
    const { click } = await clicked(workspace)
    await service.db.query('DELETE FROM events WHERE id = $1', [decodeId('evt', click.event_id)])
    const { body } = await workspace.get(`/v1/clicks/${click.id}/explain`)
    expect(body).toMatchObject({ event_id: null, reason: 'not_kept', data: [] })
  })

  it('of another workspace, an unknown and a malformed one are not found, all alike', async () => {
    const [mine, theirs] = [await freshWorkspace(), await freshWorkspace()]
    const { click } = await clicked(theirs)
    const answers = await Promise.all(
      [click.id, 'clk_01kaj4d0qae6svf0k9w3m7x2ht', 'x'].map((id) => mine.get(`/v1/clicks/${id}/explain`)),
    )
    for (const answer of answers) {
      expect(answer.status).toBe(404)
      expect(withoutInstance(answer)).toEqual(withoutInstance(answers[0]!))
    }
  })
})

describe('a link', () => {
  it('is explained by its latest event, or the latest of a type; also when it was deleted', async () => {
    const { get, hook, token } = await freshWorkspace()
    const webhook = await hook({ events: ['link.created', 'link.deleted'] })
    const link = await makeLink(service, {}, token)
    await service.call('PATCH', `/v1/links/${link.id}`, { token, body: { title: 'T' } })
    const latest = await get(`/v1/links/${link.id}/explain`)
    expect(latest.body).toMatchObject({ event_type: 'link.updated', reason: null })
    expect(told(latest)).toEqual([[webhook.id, 'not_subscribed']])
    const created = await get(`/v1/links/${link.id}/explain?type=link.created&webhook_id=${webhook.id}`)
    expect(created.body.event_type).toBe('link.created')
    expect(told(created)).toEqual([[webhook.id, 'waiting']])
    await service.call('DELETE', `/v1/links/${link.id}`, { token })
    expect((await get(`/v1/links/${link.id}/explain`)).body.event_type).toBe('link.deleted')
  })

  it('without an event says whether there was none or it is not kept', async () => {
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

  it('of another workspace, an unknown and a malformed one are not found, all alike', async () => {
    const [mine, theirs] = [await freshWorkspace(), await freshWorkspace()]
    const link = await makeLink(service, {}, theirs.token)
    const answers = await Promise.all(
      [link.id, 'lnk_01kaj3v9z4f8hva3x7m2c5d6ne', 'x'].map((id) => mine.get(`/v1/links/${id}/explain`)),
    )
    for (const answer of answers) {
      expect(answer.status).toBe(404)
      expect(withoutInstance(answer)).toEqual(withoutInstance(answers[0]!))
    }
  })
})

it('needs the scope events:read, whatever is asked about', async () => {
  const { token } = await service.mint('clicks:read,links:read,webhooks:read')
  for (const path of ['events', 'clicks', 'links'])
    expect((await service.call('GET', `/v1/${path}/x/explain`, { token })).body.required).toEqual([
      'events:read',
    ])
})

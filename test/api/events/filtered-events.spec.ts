/** A webhook with a filter receives only the events that meet its conditions. */
import { DataSource } from 'typeorm'

import { createClickEvents } from '../../../src/app/create-click-events.js'
import { writeClicks } from '../../../src/clicks/ingest/write-clicks.js'
import { findWantedEvents } from '../../../src/dispatch/subscriptions.js'
import { EventRecorder } from '../../../src/events/event-recorder.js'
import { exampleEvent } from '../../../src/events/payloads.js'
import { encodeId } from '../../../src/platform/database/ids.js'
import { createClick, readIdentity } from '../../support/factories/clicks.js'
import { makeLink, visit } from '../../support/factories/links.js'
import type { LinkResponse } from '../../support/factories/links.js'
import { getWebhookUuid, makeWebhook } from '../../support/factories/webhooks.js'
import type { WebhookResponse } from '../../support/factories/webhooks.js'
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import { waitFor } from '../../support/wait-for.js'

let service: Service
beforeAll(async () => (service = await shareService()))
afterAll(() => service.stop())

let workspaces = 0
async function freshWorkspace() {
  const name = `filtered-${workspaces++}`
  await service.addWorkspace(name)
  const { token } = await service.mint(undefined, name)
  const call = (method: string, path: string, body?: object) =>
    service.call(method, path, { token, ...(body ? { body } : {}) })
  const hook = (filter: object | null, events = ['*']) => makeWebhook(service, { events, filter }, token)
  const restrict = async (tags: string[], filter: object | null = null) => {
    const webhook = await hook(filter)
    await service.db.query('UPDATE webhooks SET restricted_tags = $2 WHERE id = $1', [
      getWebhookUuid(webhook),
      tags,
    ])
    return webhook
  }
  const link = (fields: object = {}) => makeLink(service, { ...fields }, token)
  return { token, call, hook, restrict, link }
}
type Workspace = Awaited<ReturnType<typeof freshWorkspace>>

/** Returns the type and slug of each delivered event, in order. */
async function deliveredTo(webhook: WebhookResponse): Promise<string[]> {
  const rows = await service.db.query<{ type: string; slug: string }>(
    `SELECT type, body::json #>> '{data,link,slug}' AS slug FROM deliveries JOIN events ON events.id = event_id
     WHERE webhook_id = $1 ORDER BY event_id`,
    [getWebhookUuid(webhook)],
  )
  return rows.map(({ type, slug }) => `${type} ${slug}`)
}
/** Ingests clicks as the ingest thread does. */
async function ingest(...clicks: [link: LinkResponse, fields?: { bot: boolean }][]): Promise<string[]> {
  const batch: ReturnType<typeof createClick>[] = []
  for (const [link, fields] of clicks) batch.push(createClick(await readIdentity(service, link), fields))
  const source = service.app.get(DataSource)
  const events = createClickEvents(source, {
    shortUrlBase: () => 'http://localhost',
    waker: { wake: () => undefined },
  })
  await source.transaction(async (tx) => {
    const wanted = await findWantedEvents(tx, 'click', [...new Set(batch.map((click) => click.workspaceId))])
    const record = await events.assignEventIds(tx, batch, wanted)
    await record(await writeClicks(tx, batch))
  })
  return batch.map(({ id }) => encodeId('clk', id))
}
/** Waits until the feed has three clicks: it is held back by open transactions. */
const waitForThreeEventIds = ({ call }: Workspace): Promise<(string | null)[]> =>
  waitFor('three clicks', async () => {
    const { data } = (await call('GET', '/v1/clicks?after=&limit=100')).body
    return data.length === 3 ? data.map((click: any) => click.event_id) : null
  })

describe('link events', () => {
  it('are filtered by link_ids, and include the deletion', async () => {
    const { call, hook, link } = await freshWorkspace()
    const [one, other] = [await link({ slug: 'filter-one' }), await link()]
    const webhook = await hook({ link_ids: [one.id] })
    for (const { id } of [one, other]) await call('PATCH', `/v1/links/${id}`, { title: 'T' })
    for (const { id } of [one, other]) await call('DELETE', `/v1/links/${id}`)
    expect(await deliveredTo(webhook)).toEqual(['link.updated filter-one', 'link.deleted filter-one'])
  })

  it('are filtered by the tags at the time of the event, and a removed tag counts once', async () => {
    const { call, hook, link } = await freshWorkspace()
    const webhook = await hook({ tags: ['sale', 'mail'] })
    const { id } = await link({ slug: 'filter-tags', tags: ['sale'] })
    await link({ tags: ['other'] })
    await link()
    const patch = (body: object) => call('PATCH', `/v1/links/${id}`, body)
    await patch({ tags: ['other'] })
    await patch({ title: 'Not sent' })
    await patch({ tags: ['other', 'mail'] })
    await call('DELETE', `/v1/links/${id}`)
    expect(await deliveredTo(webhook)).toEqual([
      'link.created filter-tags',
      'link.updated filter-tags',
      'link.updated filter-tags',
      'link.deleted filter-tags',
    ])
  })

  it('are filtered by changed_fields only if they are updates', async () => {
    const { call, hook, link } = await freshWorkspace()
    const webhook = await hook({ changed_fields: ['url', 'enabled'] })
    const { id } = await link({ slug: 'filter-fields' })
    for (const body of [{ title: 'T' }, { title: 'U', enabled: false }, { url: 'https://b.example' }])
      await call('PATCH', `/v1/links/${id}`, body)
    await call('DELETE', `/v1/links/${id}`)
    expect(await deliveredTo(webhook)).toEqual([
      'link.created filter-fields',
      'link.updated filter-fields',
      'link.updated filter-fields',
      'link.deleted filter-fields',
    ])
  })

  it('of a bulk call are filtered one by one', async () => {
    const { call, hook } = await freshWorkspace()
    const webhook = await hook({ tags: ['sale'] })
    const links = Array.from({ length: 20 }, (_, i) => ({
      url: 'https://target.example',
      slug: `filter-bulk-${String(i).padStart(2, '0')}`,
      tags: i % 7 === 0 ? ['sale'] : ['other'],
    }))
    await call('POST', '/v1/links/bulk', { links })
    expect(await deliveredTo(webhook)).toEqual([0, 7, 14].map((i) => `link.created ${links[i]!.slug}`))
  })

  it('must meet all conditions', async () => {
    const { call, hook, link } = await freshWorkspace()
    const [one, other] = [await link({ slug: 'filter-all', tags: ['sale'] }), await link({ tags: ['sale'] })]
    const webhook = await hook({
      link_ids: [one.id],
      tags: ['sale'],
      changed_fields: ['title'],
      human_only: true,
    })
    for (const { id } of [one, other])
      for (const body of [{ title: 'T' }, { note: 'N' }, { tags: [] }, { title: 'U' }])
        await call('PATCH', `/v1/links/${id}`, body)
    expect(await deliveredTo(webhook)).toEqual(['link.updated filter-all'])
  })
})

describe('clicks', () => {
  it('create events only if a filter includes them', async () => {
    const workspace = await freshWorkspace()
    const { hook, link } = workspace
    const sale = await link({ slug: 'filter-sale', tags: ['sale'] })
    const other = await link({ slug: 'filter-other' })
    const byTag = await hook({ tags: ['sale'], human_only: true }, ['click'])
    const byLink = await hook({ link_ids: [other.id] }, ['click'])
    await hook(null, ['link.created'])
    await ingest([sale], [sale, { bot: true }], [other, { bot: true }])
    expect(await deliveredTo(byTag)).toEqual(['click filter-sale'])
    expect(await deliveredTo(byLink)).toEqual(['click filter-other'])
    const eventIds = await waitForThreeEventIds(workspace)
    expect(eventIds.filter((id) => id === null)).toHaveLength(1)
    expect((await workspace.call('GET', '/v1/events?type=click')).body.data).toHaveLength(2)
  })

  it('create an event for each click if another webhook has no filter', async () => {
    const workspace = await freshWorkspace()
    const { hook, link } = workspace
    const [sale, other] = [await link({ slug: 'filter-two', tags: ['sale'] }), await link()]
    const [filtered, all] = [await hook({ tags: ['sale'] }, ['click']), await hook(null, ['click'])]
    await ingest([other], [sale], [other])
    expect(await deliveredTo(filtered)).toEqual(['click filter-two'])
    expect(await deliveredTo(all)).toHaveLength(3)
    expect(await waitForThreeEventIds(workspace)).not.toContain(null)
  })

  it('of a deleted link have the tags that it had', async () => {
    const { call, hook, link } = await freshWorkspace()
    const sale = await link({ slug: 'filter-gone', tags: ['sale'] })
    const webhook = await hook({ tags: ['sale'] }, ['click'])
    await call('DELETE', `/v1/links/${sale.id}`)
    await ingest([sale])
    expect(await deliveredTo(webhook)).toEqual(['click filter-gone'])
  })

  it('are filtered by the ingest thread', async () => {
    const workspace = await freshWorkspace()
    const { hook, link } = workspace
    const [sale, other] = [await link({ tags: ['sale'] }), await link()]
    const webhook = await hook({ tags: ['sale'] }, ['click'])
    for (const { slug } of [other, sale, other]) await visit(service, slug)
    const eventIds = await waitForThreeEventIds(workspace)
    expect(await deliveredTo(webhook)).toEqual([`click ${sale.slug}`])
    expect(eventIds.filter((id) => id !== null)).toHaveLength(1)
  })

  it('of one batch are filtered by the webhooks of their own workspace', async () => {
    const [one, two, three] = [await freshWorkspace(), await freshWorkspace(), await freshWorkspace()]
    const sale = { tags: ['sale'] }
    const links = await Promise.all([one, two, three].map(({ link }) => link(sale)))
    const webhooks = [await one.hook(sale), await two.hook({ tags: ['other'] }), await three.hook(null)]
    await ingest(...links.map((link): [LinkResponse] => [link]))
    const counts: number[] = []
    for (const webhook of webhooks) counts.push((await deliveredTo(webhook)).length)
    expect(counts).toEqual([1, 0, 1])
  })
})

describe('a webhook of a token that is restricted to tags', () => {
  it('receives only events of links that have one of the tags', async () => {
    const { call, restrict, link } = await freshWorkspace()
    const webhook = await restrict(['sale'])
    const sale = await link({ slug: 'restricted', tags: ['sale'] })
    const other = await link({ tags: ['other'] })
    await ingest([sale], [other])
    // The update that removes the tag is not received.
    await call('PATCH', `/v1/links/${sale.id}`, { tags: ['other'] })
    await ingest([sale])
    await call('DELETE', `/v1/links/${sale.id}`)
    expect(await deliveredTo(webhook)).toEqual(['link.created restricted', 'click restricted'])
  })

  it('also applies its filter', async () => {
    const { restrict, link } = await freshWorkspace()
    const webhook = await restrict(['sale', 'mail'], { tags: ['mail', 'other'] })
    await link({ tags: ['sale'] })
    await link({ tags: ['other'] })
    await link({ slug: 'restricted-mail', tags: ['mail'] })
    expect(await deliveredTo(webhook)).toEqual(['link.created restricted-mail'])
  })

  it('receives events about itself, but not about other webhooks', async () => {
    const { call, restrict, hook } = await freshWorkspace()
    const [restricted, filtered] = [await restrict(['sale']), await hook({ tags: ['sale'] })]
    const about = await restrict(['sale'])
    const [row] = await service.db.query<{ workspace_id: string }>(
      'SELECT workspace_id FROM webhooks WHERE id = $1',
      [getWebhookUuid(about)],
    )
    const data = exampleEvent('webhook.failing').data
    await service.app.get(DataSource).transaction((tx) =>
      service.app.get(EventRecorder, { strict: false }).record(tx, {
        type: 'webhook.failing',
        workspaceId: row!.workspace_id,
        linkId: null,
        data: { ...data, webhook: { ...data.webhook, id: about.id } },
      }),
    )
    expect(await deliveredTo(restricted)).toEqual([])
    expect(await deliveredTo(about)).toEqual(['webhook.failing null'])
    expect(await deliveredTo(filtered)).toEqual(['webhook.failing null'])

    // Explanations and replays agree.
    await service.db.query('DELETE FROM deliveries WHERE webhook_id = ANY($1)', [
      [about, restricted].map(getWebhookUuid),
    ])
    const [event] = (await call('GET', '/v1/events?type=webhook.failing')).body.data
    const explained = (await call('GET', `/v1/events/${event.id}/explain`)).body.data
    const reasons = Object.fromEntries(explained.map((each: any) => [each.webhook_id, each.reason]))
    expect([reasons[about.id], reasons[restricted.id]]).toEqual(['not_subscribed', 'filtered'])
    for (const [webhook, deliveries] of [
      [about, 1],
      [restricted, 0],
    ] as const) {
      const body = { since: '1h', from: 'events', events: ['webhook.failing'], dry_run: true }
      expect((await call('POST', `/v1/webhooks/${webhook.id}/replay`, body)).body.deliveries).toBe(deliveries)
    }
  })
})

describe('explain', () => {
  const explain = async ({ call }: Workspace, eventId: string, { id }: WebhookResponse) =>
    (await call('GET', `/v1/events/${eventId}/explain?webhook_id=${id}`)).body
  const latestEvent = async ({ call }: Workspace, { id }: LinkResponse) =>
    (await call('GET', `/v1/events?link_id=${id}&limit=1`)).body.data[0]

  it.each([
    ['link_ids', { link_ids: ['lnk_01kaj3v9z4f8hva3x7m2c5d6ne'] }],
    ['tags', { tags: ['sale'] }],
    ['changed_fields', { changed_fields: ['url'] }],
  ])('names the condition that excludes an event: %s', async (condition, filter) => {
    const workspace = await freshWorkspace()
    const webhook = await workspace.hook(filter)
    const link = await workspace.link({ tags: ['other'] })
    await workspace.call('PATCH', `/v1/links/${link.id}`, { title: 'T' })
    const { id, timestamp } = await latestEvent(workspace, link)
    expect(await explain(workspace, id, webhook)).toMatchObject({
      reason: 'filtered',
      sentence: expect.stringMatching(
        `^The webhook subscribes to link.updated, but its filter excludes .*\`${condition}\``,
      ),
      next_step: {
        action: 'update',
        webhook_id: webhook.id,
        message: expect.stringContaining(`replay events since ${timestamp} and ignore the filter`),
      },
      delivery: null,
    })
  })

  it('says that the event passes now if the filter was removed after the event', async () => {
    const workspace = await freshWorkspace()
    const webhook = await workspace.hook({ tags: ['sale'] })
    const link = await workspace.link()
    await workspace.call('PATCH', `/v1/webhooks/${webhook.id}`, { filter: null })
    const { id } = await latestEvent(workspace, link)
    expect(await explain(workspace, id, webhook)).toMatchObject({
      reason: 'not_subscribed',
      sentence: expect.stringContaining('now, but did not when it occurred'),
      next_step: { action: 'replay' },
    })
  })

  it('names the restriction of the token, which cannot be changed', async () => {
    const workspace = await freshWorkspace()
    const webhook = await workspace.restrict(['sale'])
    const { id } = await latestEvent(workspace, await workspace.link())
    expect(await explain(workspace, id, webhook)).toMatchObject({
      reason: 'filtered',
      sentence: expect.stringContaining('restricted to tags'),
      next_step: { action: 'none' },
    })
  })

  it('of a click without an event names the webhooks that exclude it', async () => {
    const workspace = await freshWorkspace()
    const [link, bot] = [await workspace.link(), { bot: true }]
    const [byTag, byBot] = [
      await workspace.hook({ tags: ['sale'] }),
      await workspace.hook({ human_only: true }),
    ]
    const [clickId] = await ingest([link, bot])
    const { body } = await workspace.call('GET', `/v1/clicks/${clickId}/explain`)
    expect(body).toMatchObject({
      event_id: null,
      reason: 'filtered',
      data: [],
      next_step: { action: 'none' },
    })
    for (const part of [byTag.id, byBot.id, '`tags`', '`human_only`']) expect(body.sentence).toContain(part)
    await workspace.hook(null)
    const later = await workspace.call('GET', `/v1/clicks/${clickId}/explain`)
    expect(later.body).toMatchObject({ reason: 'not_wanted', sentence: expect.stringContaining('filters') })
  })
})

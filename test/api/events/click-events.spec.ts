/** A click creates exactly one event if a webhook subscribes to clicks, and otherwise none. */
import { DataSource } from 'typeorm'

import { createClickEvents } from '../../../src/app/create-click-events.js'
import { newId } from '../../../src/platform/database/ids.js'
import { writeClicks } from '../../../src/clicks/ingest/write-clicks.js'
import { findWantedEvents } from '../../../src/dispatch/subscriptions.js'
import { createClick, readIdentity } from '../../support/factories/clicks.js'
import { makeLink, visit } from '../../support/factories/links.js'
import type { LinkResponse } from '../../support/factories/links.js'
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import { waitFor } from '../../support/wait-for.js'
import { getWebhookUuid, makeWebhook } from '../../support/factories/webhooks.js'
import { readEvents } from '../../support/factories/events.js'

let service: Service
beforeAll(async () => (service = await shareService()))
afterAll(() => service.stop())

let workspaces = 0
async function createWorkspace() {
  const name = `clicks-${workspaces++}`
  await service.addWorkspace(name)
  const { token } = await service.mint(undefined, name)
  return { token, link: await makeLink(service, { title: 'T', tags: ['t'], external_id: 'e' }, token) }
}
/** Creates events as the ingest thread does. */
const events = () =>
  createClickEvents(service.app.get(DataSource), {
    shortUrlBase: () => 'http://localhost',
    waker: { wake: () => undefined },
  })
const ingest = (clicks: ReturnType<typeof createClick>[]) =>
  service.app.get(DataSource).transaction(async (tx) => {
    const wanted = await findWantedEvents(
      tx,
      'click',
      clicks.map(({ workspaceId }) => workspaceId),
    )
    const record = await events().assignEventIds(tx, clicks, wanted)
    await record(await writeClicks(tx, clicks))
  })
type ClickedWorkspace = Awaited<ReturnType<typeof createWorkspace>>

const clickEvents = ({ token }: ClickedWorkspace) => readEvents(service, token, '&type=click')
const listClicks = async ({ token, link }: ClickedWorkspace) =>
  (await service.call('GET', `/v1/links/${link.id}/clicks?limit=100`, { token })).body.data
const waitForClicks = (workspace: ClickedWorkspace, count: number) =>
  waitFor(`${count} clicks`, async () => (await listClicks(workspace)).length === count)

async function visitTimes(link: LinkResponse, times: number): Promise<void> {
  for (let i = 0; i < times; i++) await visit(service, link.slug, { referer: 'https://news.example/today' })
}

it('creates no event without a subscribed webhook', async () => {
  const workspace = await createWorkspace()
  await makeWebhook(service, { events: ['link.created'] }, workspace.token)
  // A webhook in another workspace does not count.
  await makeWebhook(service, { events: ['*'] })
  await visitTimes(workspace.link, 3)
  await waitForClicks(workspace, 3)
  expect(await clickEvents(workspace)).toEqual([])
  expect((await listClicks(workspace)).map((click: any) => click.event_id)).toEqual([null, null, null])
})

it.each([[['click']], [['*']]])(
  'creates one event per click for a webhook with %j, with the ID digits and data of the click',
  async (events) => {
    const workspace = await createWorkspace()
    const webhook = await makeWebhook(service, { events }, workspace.token)
    await visitTimes(workspace.link, 5)
    await waitForClicks(workspace, 5)
    const clicks: any[] = (await listClicks(workspace)).reverse()
    for (const { id, event_id } of clicks) expect(event_id).toBe(id.replace('clk_', 'evt_'))
    const { id, slug } = workspace.link
    const link = {
      id,
      slug,
      short_url: `http://localhost:0/${slug}`,
      url: 'https://target.example/page',
      title: 'T',
      tags: ['t'],
      external_id: 'e',
    }
    expect(await clickEvents(workspace)).toEqual(
      clicks.map((click) => ({
        id: click.id.replace('clk_', 'evt_'),
        type: 'click',
        timestamp: click.occurred_at,
        data: { click, link },
      })),
    )
    const deliveries = await service.db.query('SELECT event_id FROM deliveries WHERE webhook_id = $1', [
      getWebhookUuid(webhook),
    ])
    expect(new Set(deliveries.map(({ event_id }) => event_id)).size).toBe(5)
    expect(deliveries).toHaveLength(5)
  },
)

it('creates events for a paused webhook, and none for a deleted one', async () => {
  const workspace = await createWorkspace()
  const { id } = await makeWebhook(service, { events: ['click'] }, workspace.token)
  const call = (method: string, body?: object) =>
    service.call(method, `/v1/webhooks/${id}`, { token: workspace.token, ...(body ? { body } : {}) })
  await call('PATCH', { status: 'paused' })
  await visitTimes(workspace.link, 2)
  await waitForClicks(workspace, 2)
  expect((await call('GET')).body).toMatchObject({ held: 2, pending: 0 })
  await call('DELETE')
  await visitTimes(workspace.link, 1)
  await waitForClicks(workspace, 3)
  expect(await clickEvents(workspace)).toHaveLength(2)
})

it('creates events once for a repeated batch', async () => {
  const workspace = await createWorkspace()
  const webhook = await makeWebhook(service, { events: ['click'] }, workspace.token)
  const identity = await readIdentity(service, workspace.link)
  const batch = Array.from({ length: 50 }, () => createClick(identity))
  await ingest(batch.slice(0, 30))
  await Promise.all([ingest(batch), ingest(batch)])
  await ingest(batch)
  expect(await clickEvents(workspace)).toHaveLength(50)
  const deliveries = await service.db.query('SELECT 1 FROM deliveries WHERE webhook_id = $1', [
    getWebhookUuid(webhook),
  ])
  expect(deliveries).toHaveLength(50)
})

it('creates no event for a click of a missing link', async () => {
  const workspace = await createWorkspace()
  await makeWebhook(service, { events: ['click'] }, workspace.token)
  const { workspaceId } = await readIdentity(service, workspace.link)
  const click = createClick({ workspaceId, linkId: newId(), slug: 'missing' })
  await ingest([click])
  const rows = await service.db.query('SELECT event_id FROM clicks WHERE id = $1', [click.id])
  expect(rows).toEqual([{ event_id: null }])
  expect(await clickEvents(workspace)).toEqual([])
})

it('creates no event for a batch that is repeated after a webhook was created', async () => {
  const workspace = await createWorkspace()
  const batch = [createClick(await readIdentity(service, workspace.link))]
  await ingest(batch)
  await makeWebhook(service, { events: ['click'] }, workspace.token)
  await ingest(batch)
  expect(await clickEvents(workspace)).toEqual([])
  expect((await listClicks(workspace))[0].event_id).toBeNull()
})

it('creates the events of a mixed batch in the workspace of each click', async () => {
  const [one, other, unsubscribed] = [
    await createWorkspace(),
    await createWorkspace(),
    await createWorkspace(),
  ]
  for (const { token } of [one, other]) await makeWebhook(service, { events: ['click'] }, token)
  const batch: ReturnType<typeof createClick>[] = []
  for (const { link } of [one, other, unsubscribed, one])
    batch.push(createClick(await readIdentity(service, link)))
  await ingest(batch)
  for (const [workspace, count] of [
    [one, 2],
    [other, 1],
    [unsubscribed, 0],
  ] as const) {
    const events = await clickEvents(workspace)
    expect(events).toHaveLength(count)
    for (const { data } of events) expect(data.link.id).toBe(workspace.link.id)
  }
})

/** Clicks become events only where someone wants them, and then each becomes exactly one. */
import { DataSource } from 'typeorm'

import { createClickEvents } from '../../../src/app/create-click-events.js'
import { newId } from '../../../src/platform/database/ids.js'
import { writeClicks } from '../../../src/clicks/ingest/write-clicks.js'
import { workspacesWanting } from '../../../src/dispatch/subscriptions.js'
import { clickOn, identityOf } from '../../support/factories/clicks.js'
import { makeLink, visit } from '../../support/factories/links.js'
import type { LinkAnswer } from '../../support/factories/links.js'
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import { waitFor } from '../../support/wait-for.js'
import { makeWebhook, uuidOf } from '../../support/factories/webhooks.js'
import { eventsOf } from '../../support/factories/events.js'

let service: Service
beforeAll(async () => (service = await shareService()))
afterAll(() => service.stop())

let workspaces = 0
async function freshWorkspace() {
  const name = `clicks-${workspaces++}`
  await service.addWorkspace(name)
  const { token } = await service.mint(undefined, name)
  return { token, link: await makeLink(service, { title: 'T', tags: ['t'], external_id: 'e' }, token) }
}
/** As the thread that counts clicks makes them. */
const events = () =>
  createClickEvents(service.app.get(DataSource), {
    shortUrlBase: () => 'http://localhost',
    waker: { wake: () => undefined },
  })
const ingest = (clicks: ReturnType<typeof clickOn>[]) =>
  service.app.get(DataSource).transaction(async (tx) => {
    const wanting = await workspacesWanting(
      tx,
      'click',
      clicks.map(({ workspaceId }) => workspaceId),
    )
    const record = await events().assignEventIds(tx, clicks, wanting)
    await record(await writeClicks(tx, clicks))
  })
type Fresh = Awaited<ReturnType<typeof freshWorkspace>>

const clickEvents = ({ token }: Fresh) => eventsOf(service, token, '&type=click')
const clicksOf = async ({ token, link }: Fresh) =>
  (await service.call('GET', `/v1/links/${link.id}/clicks?limit=100`, { token })).body.data
const counted = (fresh: Fresh, count: number) =>
  waitFor(`${count} clicks`, async () => (await clicksOf(fresh)).length === count)

async function visitTimes(link: LinkAnswer, times: number): Promise<void> {
  for (let i = 0; i < times; i++) await visit(service, link.slug, { referer: 'https://news.example/today' })
}

it('a click of which nobody wants to know makes no event', async () => {
  const fresh = await freshWorkspace()
  await makeWebhook(service, { events: ['link.created'] }, fresh.token)
  // Someone in another workspace is nobody here.
  await makeWebhook(service, { events: ['*'] })
  await visitTimes(fresh.link, 3)
  await counted(fresh, 3)
  expect(await clickEvents(fresh)).toEqual([])
  expect((await clicksOf(fresh)).map((click: any) => click.event_id)).toEqual([null, null, null])
})

it.each([[['click']], [['*']]])(
  'with a webhook for %j each click makes one event, which has its digits and its record',
  async (events) => {
    const fresh = await freshWorkspace()
    const webhook = await makeWebhook(service, { events }, fresh.token)
    await visitTimes(fresh.link, 5)
    await counted(fresh, 5)
    const clicks: any[] = (await clicksOf(fresh)).reverse()
    for (const { id, event_id } of clicks) expect(event_id).toBe(id.replace('clk_', 'evt_'))
    const { id, slug } = fresh.link
    const link = {
      id,
      slug,
      short_url: `http://localhost:0/${slug}`,
      url: 'https://target.example/page',
      title: 'T',
      tags: ['t'],
      external_id: 'e',
    }
    expect(await clickEvents(fresh)).toEqual(
      clicks.map((click) => ({
        id: click.id.replace('clk_', 'evt_'),
        type: 'click',
        timestamp: click.occurred_at,
        data: { click, link },
      })),
    )
    const deliveries = await service.db.query('SELECT event_id FROM deliveries WHERE webhook_id = $1', [
      uuidOf(webhook),
    ])
    expect(new Set(deliveries.map(({ event_id }) => event_id)).size).toBe(5)
    expect(deliveries).toHaveLength(5)
  },
)

it('a webhook that is paused wants them too; one that was deleted does not', async () => {
  const fresh = await freshWorkspace()
  const { id } = await makeWebhook(service, { events: ['click'] }, fresh.token)
  const call = (method: string, body?: object) =>
    service.call(method, `/v1/webhooks/${id}`, { token: fresh.token, ...(body ? { body } : {}) })
  await call('PATCH', { status: 'paused' })
  await visitTimes(fresh.link, 2)
  await counted(fresh, 2)
  expect((await call('GET')).body).toMatchObject({ held: 2, pending: 0 })
  await call('DELETE')
  await visitTimes(fresh.link, 1)
  await counted(fresh, 3)
  expect(await clickEvents(fresh)).toHaveLength(2)
})

it('a batch that comes twice makes its events once', async () => {
  const fresh = await freshWorkspace()
  const webhook = await makeWebhook(service, { events: ['click'] }, fresh.token)
  const identity = await identityOf(service, fresh.link)
  const batch = Array.from({ length: 50 }, () => clickOn(identity))
  await ingest(batch.slice(0, 30))
  await Promise.all([ingest(batch), ingest(batch)])
  await ingest(batch)
  expect(await clickEvents(fresh)).toHaveLength(50)
  const deliveries = await service.db.query('SELECT 1 FROM deliveries WHERE webhook_id = $1', [
    uuidOf(webhook),
  ])
  expect(deliveries).toHaveLength(50)
})

it('a click of a link that does not exist is no event, and its row does not name one', async () => {
  const fresh = await freshWorkspace()
  await makeWebhook(service, { events: ['click'] }, fresh.token)
  const { workspaceId } = await identityOf(service, fresh.link)
  const click = clickOn({ workspaceId, linkId: newId(), slug: 'nowhere' })
  await ingest([click])
  const rows = await service.db.query('SELECT event_id FROM clicks WHERE id = $1', [click.id])
  expect(rows).toEqual([{ event_id: null }])
  expect(await clickEvents(fresh)).toEqual([])
})

it('a batch that comes again after a webhook was made changes no click and makes no event', async () => {
  const fresh = await freshWorkspace()
  const batch = [clickOn(await identityOf(service, fresh.link))]
  await ingest(batch)
  await makeWebhook(service, { events: ['click'] }, fresh.token)
  await ingest(batch)
  expect(await clickEvents(fresh)).toEqual([])
  expect((await clicksOf(fresh))[0].event_id).toBeNull()
})

it('clicks of several workspaces in one batch go each to its own', async () => {
  const [mine, theirs, nobodys] = [await freshWorkspace(), await freshWorkspace(), await freshWorkspace()]
  for (const { token } of [mine, theirs]) await makeWebhook(service, { events: ['click'] }, token)
  const batch: ReturnType<typeof clickOn>[] = []
  for (const { link } of [mine, theirs, nobodys, mine]) batch.push(clickOn(await identityOf(service, link)))
  await ingest(batch)
  for (const [fresh, count] of [
    [mine, 2],
    [theirs, 1],
    [nobodys, 0],
  ] as const) {
    const events = await clickEvents(fresh)
    expect(events).toHaveLength(count)
    for (const { data } of events) expect(data.link.id).toBe(fresh.link.id)
  }
})

import { Statements } from '../../support/plans.js'
import { startService } from '../../support/service.js'
import type { Answer, Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import { makeDeliveries, makeWebhook, withoutSecret } from '../../support/factories/webhooks.js'
import type { WebhookAnswer } from '../../support/factories/webhooks.js'

let service: Service
beforeAll(async () => (service = await shareService()))
afterAll(() => service.stop())

let workspaces = 0
async function freshWorkspace(): Promise<string> {
  const name = `list-${workspaces++}`
  await service.addWorkspace(name)
  return (await service.mint(undefined, name)).token
}
const list = (token: string, query = ''): Promise<Answer> =>
  service.call('GET', `/v1/webhooks?${query}`, { token })
const idsOf = (webhooks: { id: string }[]) => webhooks.map(({ id }) => id)

describe('the list of webhooks', () => {
  it('is empty at first, and then has whole records, the newest first', async () => {
    const token = await freshWorkspace()
    expect((await list(token)).body).toEqual({ data: [], has_more: false, next_cursor: null })
    const made: WebhookAnswer[] = []
    for (const description of ['a', 'b', 'c']) made.push(await makeWebhook(service, { description }, token))
    expect((await list(token)).body.data).toEqual(made.reverse().map(withoutSecret))
  })

  it('is read in pages of which none repeats or skips one while others come and go', async () => {
    const token = await freshWorkspace()
    const made: string[] = []
    for (let i = 0; i < 25; i++) made.unshift((await makeWebhook(service, {}, token)).id)
    const seen: string[] = []
    let cursor = ''
    for (let page = 0; ; page++) {
      const { body, headers } = await list(token, `limit=7${cursor && `&cursor=${cursor}`}`)
      seen.push(...idsOf(body.data))
      if (page === 1) {
        await makeWebhook(service, {}, token)
        await service.call('DELETE', `/v1/webhooks/${seen[0]!}`, { token })
      }
      if (!body.has_more) break
      expect(headers.get('link')).toContain(`cursor=${body.next_cursor}`)
      cursor = body.next_cursor
    }
    expect(seen).toEqual(made)
  })

  it('takes no cursor of another workspace or another list', async () => {
    const [mine, theirs] = [await freshWorkspace(), await freshWorkspace()]
    for (let i = 0; i < 2; i++) await makeWebhook(service, {}, theirs)
    const { next_cursor } = (await list(theirs, 'limit=1')).body
    expect((await list(theirs, `limit=1&cursor=${next_cursor}`)).status).toBe(200)
    expect((await list(mine, `limit=1&cursor=${next_cursor}`)).status).toBe(400)
    const elsewhere = await service.call('GET', `/v1/events?cursor=${next_cursor}`, { token: theirs })
    expect(elsewhere.status).toBe(400)
  })

  it('says of each how many of its deliveries wait', async () => {
    const token = await freshWorkspace()
    const webhooks: WebhookAnswer[] = []
    for (let i = 0; i < 4; i++) webhooks.push(await makeWebhook(service, {}, token))
    for (const [i, webhook] of webhooks.entries()) {
      await makeDeliveries(service, webhook, i)
      await makeDeliveries(service, webhook, 5, 'failed')
    }
    const body = { status: 'paused' }
    await service.call('PATCH', `/v1/webhooks/${webhooks[2]!.id}`, { token, body })
    const { data } = (await list(token)).body
    expect(data.map(({ pending, held }: any) => [pending, held])).toEqual([
      [3, 0],
      [0, 2],
      [1, 0],
      [0, 0],
    ])
  })
})

describe('of many deliveries', () => {
  // For itself: what other files leave in the tables changes the plans.
  let alone: Service
  beforeAll(async () => (alone = await startService()))
  afterAll(() => alone.stop())

  it('reads the number of pending deliveries without reading deliveries', async () => {
    const webhook = await makeWebhook(alone)
    await makeDeliveries(alone, webhook, 20_000, 'succeeded')
    await makeDeliveries(alone, webhook, 50)
    await alone.db.query('VACUUM (ANALYZE) deliveries')
    const read = () => alone.call('GET', '/v1/webhooks')
    const { plans, result: answer } = await new Statements(alone).plansOf(read, /FROM lanes/)
    expect(answer.body.data[0]).toMatchObject({ id: webhook.id, pending: 50 })
    expect(plans).toHaveLength(1)
    const [plan] = plans
    expect(plan!.rowsRead).toBeLessThan(20)
    expect(plan!.blocks).toBeLessThan(60)
  })
})

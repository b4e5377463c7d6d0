import { Statements } from '../../support/plans.js'
import { startService } from '../../support/service.js'
import type { ServiceResponse, Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import { makeDeliveries, makeWebhook, withoutSecret } from '../../support/factories/webhooks.js'
import type { WebhookResponse } from '../../support/factories/webhooks.js'

let service: Service
beforeAll(async () => (service = await shareService()))
afterAll(() => service.stop())

let workspaces = 0
async function createWorkspace(): Promise<string> {
  const name = `list-${workspaces++}`
  await service.addWorkspace(name)
  return (await service.mint(undefined, name)).token
}
const list = (token: string, query = ''): Promise<ServiceResponse> =>
  service.call('GET', `/v1/webhooks?${query}`, { token })
const getWebhookIds = (webhooks: { id: string }[]) => webhooks.map(({ id }) => id)

describe('the list of webhooks', () => {
  it('is empty at first, and then contains full records, newest first', async () => {
    const token = await createWorkspace()
    expect((await list(token)).body).toEqual({ data: [], has_more: false, next_cursor: null })
    const created: WebhookResponse[] = []
    for (const description of ['a', 'b', 'c'])
      created.push(await makeWebhook(service, { description }, token))
    expect((await list(token)).body.data).toEqual(created.reverse().map(withoutSecret))
  })

  it('has pages that neither repeat nor skip webhooks during changes', async () => {
    const token = await createWorkspace()
    const created: string[] = []
    for (let i = 0; i < 25; i++) created.unshift((await makeWebhook(service, {}, token)).id)
    const seen: string[] = []
    let cursor = ''
    for (let page = 0; ; page++) {
      const { body, headers } = await list(token, `limit=7${cursor && `&cursor=${cursor}`}`)
      seen.push(...getWebhookIds(body.data))
      if (page === 1) {
        await makeWebhook(service, {}, token)
        await service.call('DELETE', `/v1/webhooks/${seen[0]!}`, { token })
      }
      if (!body.has_more) break
      expect(headers.get('link')).toContain(`cursor=${body.next_cursor}`)
      cursor = body.next_cursor
    }
    expect(seen).toEqual(created)
  })

  it('rejects cursors of another workspace or list', async () => {
    const [own, other] = [await createWorkspace(), await createWorkspace()]
    for (let i = 0; i < 2; i++) await makeWebhook(service, {}, other)
    const { next_cursor } = (await list(other, 'limit=1')).body
    expect((await list(other, `limit=1&cursor=${next_cursor}`)).status).toBe(200)
    expect((await list(own, `limit=1&cursor=${next_cursor}`)).status).toBe(400)
    const otherList = await service.call('GET', `/v1/events?cursor=${next_cursor}`, { token: other })
    expect(otherList.status).toBe(400)
  })

  it('contains the number of waiting deliveries of each webhook', async () => {
    const token = await createWorkspace()
    const webhooks: WebhookResponse[] = []
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

describe('the list of webhooks with many deliveries', () => {
  // A separate service, because rows of other spec files would change the plans.
  let alone: Service
  beforeAll(async () => (alone = await startService()))
  afterAll(() => alone.stop())

  it('reads the number of pending deliveries without reading deliveries', async () => {
    const webhook = await makeWebhook(alone)
    await makeDeliveries(alone, webhook, 20_000, 'succeeded')
    await makeDeliveries(alone, webhook, 50)
    await alone.db.query('VACUUM (ANALYZE) deliveries')
    const read = () => alone.call('GET', '/v1/webhooks')
    const { plans, result: response } = await new Statements(alone).collectPlans(read, /FROM lanes/)
    expect(response.body.data[0]).toMatchObject({ id: webhook.id, pending: 50 })
    expect(plans).toHaveLength(1)
    const [plan] = plans
    expect(plan!.rowsRead).toBeLessThan(20)
    expect(plan!.blocks).toBeLessThan(60)
  })
})

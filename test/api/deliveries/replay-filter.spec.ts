/** Replays apply the current filter of the webhook, unless the request ignores it. */
import { ReplayRunner } from '../../../src/deliveries/replay/replay-runner.js'
import { statementTimeoutMs } from '../../../src/platform/database/pg-client.js'
import { makeLink } from '../../support/factories/links.js'
import { getWebhookUuid, makeWebhook } from '../../support/factories/webhooks.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { duringTransaction } from '../../support/transactions.js'
import { waitFor } from '../../support/wait-for.js'

let service: Service
let runner: ReplayRunner
beforeAll(async () => {
  service = await startService()
  runner = service.app.get(ReplayRunner, { strict: false })
})
afterAll(() => service.stop())

let workspaces = 0
/** Creates three links and then a webhook, so that the events of the links have no deliveries yet. */
async function freshWebhook(filter: object | null) {
  const workspace = `filtered-replay-${workspaces++}`
  await service.addWorkspace(workspace)
  const { token } = await service.mint(undefined, workspace)
  const call = (method: string, path: string, body: object) => service.call(method, path, { token, body })
  const prefix = `r${workspaces}`
  const createLinks = async () => {
    for (const [slug, tags] of [
      ['sale', ['sale']],
      ['mail', ['mail']],
      ['none', []],
    ] as const)
      await makeLink(service, { slug: `${prefix}${slug}-${links++}`, tags }, token)
  }
  let links = 0
  await createLinks()
  const webhook = await makeWebhook(service, { filter }, token)
  const setFilter = (change: object | null) => call('PATCH', `/v1/webhooks/${webhook.id}`, { filter: change })
  /** Replays, and returns the announced number of deliveries. */
  const replay = async (body: object) => {
    const { body: response } = await call('POST', `/v1/webhooks/${webhook.id}/replay`, {
      since: '1h',
      ...body,
    })
    await waitFor('the replays to end', async () => {
      await runner.runReplays()
      return (await service.db.query('SELECT FROM replays WHERE finished_at IS NULL')).length === 0
    })
    return response.deliveries as number
  }
  const slugs = async (status = 'pending') => {
    const rows = await service.db.query<{ slug: string }>(
      `SELECT body::json #>> '{data,link,slug}' AS slug FROM deliveries JOIN events ON events.id = event_id
       WHERE webhook_id = $1 AND status = $2 ORDER BY event_id`,
      [getWebhookUuid(webhook), status],
    )
    return rows.map(({ slug }) => slug.slice(prefix.length))
  }
  const fail = () =>
    service.db.query(
      `UPDATE deliveries SET status = 'failed', next_attempt_at = NULL, completed_at = now() WHERE webhook_id = $1`,
      [getWebhookUuid(webhook)],
    )
  return { webhook, createLinks, setFilter, replay, slugs, fail }
}

describe('a replay of events', () => {
  it('sends only events that pass the filter', async () => {
    const { replay, slugs } = await freshWebhook({ tags: ['sale'] })
    expect(await replay({ from: 'events', dry_run: true })).toBe(1)
    expect(await replay({ from: 'events' })).toBe(1)
    expect(await slugs()).toEqual(['sale-0'])
    expect(await replay({ from: 'events' })).toBe(0)
  })

  it('sends all events if it ignores the filter', async () => {
    const { replay, slugs } = await freshWebhook({ tags: ['sale'] })
    expect(await replay({ from: 'events', ignore_filter: true, dry_run: true })).toBe(3)
    expect(await replay({ from: 'events', ignore_filter: true })).toBe(3)
    expect(await slugs()).toEqual(['sale-0', 'mail-1', 'none-2'])
  })

  it('applies the filter as it is now', async () => {
    const { setFilter, replay, slugs } = await freshWebhook({ tags: ['sale'] })
    await setFilter({ tags: ['mail'] })
    expect(await replay({ from: 'events' })).toBe(1)
    expect(await slugs()).toEqual(['mail-1'])
  })

  it('always applies the tags of a restricted token', async () => {
    const { webhook, replay, slugs } = await freshWebhook({ tags: ['sale'] })
    await service.db.query(`UPDATE webhooks SET restricted_tags = '{mail}' WHERE id = $1`, [
      getWebhookUuid(webhook),
    ])
    expect(await replay({ from: 'events' })).toBe(0)
    expect(await replay({ from: 'events', ignore_filter: true })).toBe(1)
    expect(await slugs()).toEqual(['mail-1'])
  })
})

it('counts the deliveries of a replay for longer than other statements may take', async () => {
  const { replay } = await freshWebhook({ tags: ['sale'] })
  let counted!: Promise<number>
  await duringTransaction(service, async (tx) => {
    await tx.query('LOCK TABLE events IN ACCESS EXCLUSIVE MODE')
    counted = replay({ from: 'events', dry_run: true })
    await waitFor('the count to exceed the usual limit', async () => {
      const running = await service.db.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
           AND query_start < now() - $1 * interval '1 ms'`,
        [statementTimeoutMs + 500],
      )
      return running.length > 0
    })
  })
  expect(await counted).toBe(1)
})

describe('a replay of deliveries', () => {
  it('sends only deliveries whose events pass the current filter, unless it ignores the filter', async () => {
    const { createLinks, setFilter, replay, slugs, fail } = await freshWebhook(null)
    await createLinks()
    await fail()
    await setFilter({ tags: ['mail'] })
    expect(await replay({ dry_run: true })).toBe(1)
    expect(await replay({})).toBe(1)
    expect(await slugs()).toEqual(['mail-4'])
    expect(await slugs('failed')).toEqual(['sale-3', 'none-5'])
    expect(await replay({ ignore_filter: true })).toBe(2)
    expect(await slugs()).toEqual(['sale-3', 'mail-4', 'none-5'])
  })
})

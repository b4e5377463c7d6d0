/** The longest overdue delivery, which `doctor` reports. */
import { DataSource } from 'typeorm'

import { dataSourceOptions } from '../../../src/platform/database/data-source.js'
import { LeasesRepository } from '../../../src/dispatch/leases.repository.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { getWebhookUuid, makeDeliveries, makeWebhook } from '../../support/factories/webhooks.js'

let service: Service
let source: DataSource
beforeAll(async () => {
  service = await startService()
  source = await new DataSource(dataSourceOptions(service.db.url, 1)).initialize()
})
afterAll(async () => {
  await source.destroy()
  await service.stop()
})
beforeEach(() => service.db.query('TRUNCATE deliveries'))

const longestDue = () => new LeasesRepository(source).findLongestDue()
const set = (table: string, key: string, webhook: { id: string }, change: string) =>
  service.db.query(`UPDATE ${table} SET ${change} WHERE ${key} = $1`, [getWebhookUuid(webhook)])

/** Creates a webhook with a delivery that is overdue by this many minutes. */
async function makeOverdue(minutes: number) {
  const webhook = await makeWebhook(service)
  await makeDeliveries(service, webhook, 1)
  await set('deliveries', 'webhook_id', webhook, `next_attempt_at = now() - interval '${minutes} min'`)
  return webhook
}

it('returns the webhook with the longest delay, even while a worker holds its lane', async () => {
  await makeOverdue(3)
  const webhook = await makeOverdue(10)
  await makeDeliveries(service, webhook, 1)
  await service.db.query(`INSERT INTO workers VALUES (gen_random_uuid(), now() + interval '1 min')`)
  await set('lanes', 'webhook_id', webhook, 'holder = (SELECT id FROM workers)')
  const found = await longestDue()
  expect(found?.webhookId).toBe(getWebhookUuid(webhook))
  expect(Math.round(found!.lateSeconds / 60)).toBe(10)
})

it.each([
  ['that is paused', 'webhooks', 'id', `status = 'paused'`],
  ['that is deleted', 'webhooks', 'id', 'deleted_at = now()'],
  ['whose receiver asked for a pause', 'lanes', 'webhook_id', `paused_until = now() + interval '1 min'`],
  ['whose circuit is open', 'lanes', 'webhook_id', `probe_at = now() + interval '1 min'`],
  ['without pending deliveries', 'deliveries', 'webhook_id', `status = 'succeeded'`],
  ['with a scheduled retry', 'deliveries', 'webhook_id', `next_attempt_at = now() + interval '1 min'`],
])('a webhook %s is not overdue', async (_, table, key, change) => {
  await set(table, key, await makeOverdue(10), change)
  expect(await longestDue()).toBeNull()
})

it('a webhook with a due probe but only a scheduled retry is not overdue', async () => {
  const webhook = await makeOverdue(10)
  await set('deliveries', 'webhook_id', webhook, `priority = 0, next_attempt_at = now() + interval '1 h'`)
  await set('lanes', 'webhook_id', webhook, `probe_at = now() - interval '10 min'`)
  expect(await longestDue()).toBeNull()
})

import { getDataSourceToken } from '@nestjs/typeorm'
import type { DataSource } from 'typeorm'

import { FeedWatch, findOldestTransaction } from '../../../src/platform/database/feed-watch.js'
import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

let service: Service
let other: TestDatabase
let log = ''
beforeAll(async () => {
  service = await startService({ onLog: (text) => (log += text) })
  other = await createDatabase()
})
afterAll(async () => {
  await other.drop()
  await service.stop()
})

it('reports an open transaction in another database that holds back the feeds', async () => {
  const watch = service.app.get(FeedWatch)
  await other.query('BEGIN')
  const [open] = await other.query<{ owner: string }>(
    `SELECT format('process %s in the database %s', pg_backend_pid(), current_database()) AS owner,
       pg_current_xact_id()::text`,
  )
  const { owner } = open!

  // The service may have an older transaction temporarily.
  await waitFor('the warning', async () => {
    await watch.checkTransactions(0)
    return log.includes(`An open transaction has held back the feeds`) && log.includes(owner)
  })
  const { text } = await service.call('GET', '/metrics')
  expect(Number(/^link_service_feed_held_back_seconds (\S+)$/m.exec(text)![1])).toBeGreaterThan(0)

  await other.query('COMMIT')
  const oldest = await findOldestTransaction(service.app.get<DataSource>(getDataSourceToken()))
  expect(oldest?.owner).not.toBe(owner)
})

it('warns once about the same transaction, and only after a minute', async () => {
  const watch = service.app.get(FeedWatch)
  await other.query('BEGIN')
  const [open] = await other.query<{ owner: string }>(
    `SELECT format('process %s in the database %s', pg_backend_pid(), current_database()) AS owner,
       pg_current_xact_id()::text`,
  )
  const mentions = () => log.split(open!.owner).length - 1
  const before = mentions()
  for (let i = 0; i < 5; i++) await watch.checkTransactions()
  expect(mentions()).toBe(before)
  await waitFor('the warning', async () => {
    await watch.checkTransactions(0)
    return mentions() > before
  })
  await watch.checkTransactions(0)
  expect(mentions()).toBe(before + 1)
  await other.query('ROLLBACK')
})

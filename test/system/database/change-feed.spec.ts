import { Logger } from '@nestjs/common'
import { DataSource } from 'typeorm'
import type { EntityManager } from 'typeorm'

import { readSettings } from '../../../src/platform/config/env.js'
import { ChangeFeed } from '../../../src/platform/database/change-feed.js'
import { dataSourceOptions } from '../../../src/platform/database/data-source.js'
import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import { DatabaseProxy } from '../../support/database-proxy.js'
import { encryptionKey, pepper } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

let db: TestDatabase
let dataSource: DataSource
let feed: ChangeFeed
let heard: string[]
let resets: number

// Losing connections is what these tests are about; the log need not tell of each.
beforeAll(() => Logger.overrideLogger(false))

const newFeed = (databaseUrl: string) =>
  new ChangeFeed({ ...readSettings({}), databaseUrl, tokenPepper: pepper, encryptionKey })

beforeEach(async () => {
  db = await createDatabase()
  dataSource = await new DataSource(dataSourceOptions(db.url, 2)).initialize()
  feed = newFeed(db.url)
  heard = []
  resets = 0
  feed.subscribe('token', { changed: (id) => heard.push(id), reset: () => (resets += 1) })
})
afterEach(async () => {
  await feed.onApplicationShutdown()
  await dataSource.destroy()
  await db.drop()
})

const announceIn = (tx: EntityManager, ...ids: string[]) => ChangeFeed.announce(tx, 'token', ids)
const announce = (...ids: string[]) => dataSource.transaction((tx) => announceIn(tx, ...ids))
const terminate = () =>
  db.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE application_name = 'link-service changes' AND datname = current_database()`,
  )

it('is not to be trusted before it is connected', async () => {
  expect(feed.isFresh()).toBe(false)
  expect(await feed.confirm()).toBe(false)
})

it('hears each id of a change once it is committed, in order', async () => {
  await feed.onApplicationBootstrap()
  expect(await feed.confirm()).toBe(true)
  await announce('a', 'b')
  await announce('c')
  await waitFor('the changes', () => heard.length === 3)
  expect(heard).toEqual(['a', 'b', 'c'])
})

it('hears nothing of a change that is rolled back or not committed yet', async () => {
  await feed.onApplicationBootstrap()
  await expect(
    dataSource.transaction(async (tx) => {
      await announceIn(tx, 'rolled-back')
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  await dataSource.transaction(async (tx) => {
    await announceIn(tx, 'committed')
    expect(await feed.confirm()).toBe(true)
    expect(heard).toEqual([])
  })
  await waitFor('the change', () => heard.length > 0)
  expect(heard).toEqual(['committed'])
})

it('after a confirmation nothing committed before it can be missing', async () => {
  await feed.onApplicationBootstrap()
  for (let i = 0; i < 200; i++) {
    await announce(`id-${i}`)
    // Trust that is fresh may be up to 0.8 s old; asked anew, the connection has to have delivered everything.
    await feed.catchUp()
    expect(heard.at(-1)).toBe(`id-${i}`)
  }
})

it('is deaf to topics that nobody here knows, and to nonsense', async () => {
  await feed.onApplicationBootstrap()
  for (const payload of ['', ':', 'nonsense', 'unknown:a', '__proto__:a', 'constructor:a'])
    await db.query(`SELECT pg_notify('link_service_changes', $1)`, [payload])
  await announce('after')
  await waitFor('the change', () => heard.length > 0)
  expect(heard).toEqual(['after'])
})

it('announces ten thousand ids in one statement', async () => {
  await feed.onApplicationBootstrap()
  await announce(...Array.from({ length: 10_000 }, (_, i) => `id-${i}`))
  await waitFor('all of them', () => heard.length === 10_000)
})

it('a lost connection ends the trust at once; coming back it has everything forgotten', async () => {
  await feed.onApplicationBootstrap()
  expect(await feed.confirm()).toBe(true)
  const before = resets
  await terminate()
  await waitFor('the loss', () => !feed.isFresh())
  expect(resets).toBeGreaterThan(before)
  await announce('missed')

  const during = resets
  await waitFor('the connection', () => feed.confirm())
  expect(resets).toBeGreaterThan(during)
  expect(heard).not.toContain('missed')
  await announce('heard again')
  await waitFor('the change', () => heard.includes('heard again'))
})

it('a process that is held up does not blame the connection: its answer is read before it is given up', async () => {
  await feed.onApplicationBootstrap()
  const before = resets
  const caughtUp = feed.catchUp()
  const start = performance.now()
  while (performance.now() - start < 700);
  expect(await caughtUp).toBe(true)
  expect(resets).toBe(before)
})

it('goes on trying when it was lost many times', async () => {
  await feed.onApplicationBootstrap()
  for (let i = 0; i < 5; i++) {
    await waitFor('the connection', () => feed.confirm())
    await terminate()
    await waitFor('the loss', () => !feed.isFresh())
  }
  expect(await waitFor('the connection', () => feed.confirm())).toBe(true)
})

it('a database that is out of reach at the start stops nothing, and is not trusted', async () => {
  const lost = newFeed('postgres://127.0.0.1:1/none')
  await lost.onApplicationBootstrap()
  expect(await lost.confirm()).toBe(false)
  await lost.onApplicationShutdown()
})

it('a database that is lost right after the login holds up neither the start nor the next try', async () => {
  const proxy = await DatabaseProxy.before(db.url)
  const through = newFeed(proxy.url)
  proxy.silenceAt('LISTEN')
  try {
    await through.onApplicationBootstrap()
    expect(await through.confirm()).toBe(false)
    proxy.heal()
    expect(await waitFor('the connection', () => through.confirm())).toBe(true)
  } finally {
    await through.onApplicationShutdown()
    await proxy.stop()
  }
})

it('leaves no connection behind', async () => {
  await feed.onApplicationBootstrap()
  const connections = () =>
    db.query(
      `SELECT 1 FROM pg_stat_activity WHERE application_name = 'link-service changes' AND datname = current_database()`,
    )
  expect(await connections()).toHaveLength(1)
  await feed.onApplicationShutdown()
  await waitFor('the end', async () => (await connections()).length === 0)
  expect(feed.isFresh()).toBe(false)
})

import { setTimeout as pause } from 'node:timers/promises'

import { Logger } from '@nestjs/common'
import { DataSource } from 'typeorm'
import type { EntityManager } from 'typeorm'

import { readSettings } from '../../../src/platform/config/env.js'
import { ChangeFeed } from '../../../src/platform/database/change-feed.js'
import { dataSourceOptions } from '../../../src/platform/database/data-source.js'
import { withTimeout } from '../../../src/platform/util/timers.js'
import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import { DatabaseProxy } from '../../support/database-proxy.js'
import { FaultyProxy } from '../../support/faulty-proxy.js'
import { encryptionKey, pepper } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

const { jest } = import.meta

let db: TestDatabase
let dataSource: DataSource
let feed: ChangeFeed
let received: string[]
let resets: number

// The tests break connections on purpose, so the warnings would only be noise.
const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue(undefined)
afterAll(() => warn.mockRestore())

const newFeed = (databaseUrl: string) =>
  new ChangeFeed({ ...readSettings({}), databaseUrl, tokenPepper: pepper, encryptionKey })

beforeEach(async () => {
  db = await createDatabase()
  dataSource = await new DataSource(dataSourceOptions(db.url, 2)).initialize()
  feed = newFeed(db.url)
  received = []
  resets = 0
  feed.subscribe('token', { onChange: (id) => received.push(id), onReset: () => (resets += 1) })
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

it('is not fresh before it connects', async () => {
  expect(feed.isFresh()).toBe(false)
  expect(await feed.confirm()).toBe(false)
})

it('receives committed ids in order', async () => {
  await feed.onApplicationBootstrap()
  expect(await feed.confirm()).toBe(true)
  await announce('a', 'b')
  await announce('c')
  await waitFor('the changes', () => received.length === 3)
  expect(received).toEqual(['a', 'b', 'c'])
})

it('does not receive ids of uncommitted or rolled back transactions', async () => {
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
    expect(received).toEqual([])
  })
  await waitFor('the change', () => received.length > 0)
  expect(received).toEqual(['committed'])
})

it('has received every id that was committed before catchUp resolves', async () => {
  await feed.onApplicationBootstrap()
  for (let i = 0; i < 200; i++) {
    await announce(`id-${i}`)
    // isFresh() may be based on a confirmation up to 0.8 s old, while catchUp() requests a new one.
    await feed.catchUp()
    expect(received.at(-1)).toBe(`id-${i}`)
  }
})

it('allows one subscriber of a topic', () => {
  const subscriber = { onChange: () => undefined, onReset: () => undefined }
  expect(() => feed.subscribe('token', subscriber)).toThrow('already has a subscriber')
})

it('ignores unknown topics and malformed payloads', async () => {
  await feed.onApplicationBootstrap()
  for (const payload of ['', ':', 'nonsense', 'unknown:a', '__proto__:a', 'constructor:a'])
    await db.query(`SELECT pg_notify('link_service_changes', $1)`, [payload])
  await announce('after')
  await waitFor('the change', () => received.length > 0)
  expect(received).toEqual(['after'])
})

it('announces 10,000 ids in one statement', async () => {
  await feed.onApplicationBootstrap()
  await announce(...Array.from({ length: 10_000 }, (_, i) => `id-${i}`))
  await waitFor('all ids', () => received.length === 10_000)
})

it('is not fresh after it loses its connection, and resets subscribers when it reconnects', async () => {
  await feed.onApplicationBootstrap()
  expect(await feed.confirm()).toBe(true)
  const before = resets
  await terminate()
  await waitFor('the connection loss', () => !feed.isFresh())
  expect(resets).toBeGreaterThan(before)
  await announce('missed')

  const resetsAfterLoss = resets
  await waitFor('the connection', () => feed.confirm())
  expect(resets).toBeGreaterThan(resetsAfterLoss)
  expect(received).not.toContain('missed')
  await announce('after-reconnect')
  await waitFor('the change', () => received.includes('after-reconnect'))
})

it('keeps the connection when the process was blocked and the confirmation has arrived', async () => {
  await feed.onApplicationBootstrap()
  const before = resets
  const caughtUp = feed.catchUp()
  const start = performance.now()
  while (performance.now() - start < 700);
  expect(await caughtUp).toBe(true)
  expect(resets).toBe(before)
})

it('reconnects each time it loses its connection', async () => {
  await feed.onApplicationBootstrap()
  for (let i = 0; i < 5; i++) {
    await waitFor('the connection', () => feed.confirm())
    await terminate()
    await waitFor('the connection loss', () => !feed.isFresh())
  }
  expect(await waitFor('the connection', () => feed.confirm())).toBe(true)
})

it('starts without a reachable database, but is not fresh', async () => {
  const unreachable = newFeed('postgres://127.0.0.1:1/none')
  await unreachable.onApplicationBootstrap()
  expect(await unreachable.confirm()).toBe(false)
  await unreachable.onApplicationShutdown()
})

it('starts and reconnects when the database stops responding right after the login', async () => {
  const proxy = await DatabaseProxy.start(db.url)
  const proxied = newFeed(proxy.url)
  proxy.silenceOnText('LISTEN')
  try {
    await proxied.onApplicationBootstrap()
    expect(await proxied.confirm()).toBe(false)
    proxy.restoreConnections()
    expect(await waitFor('the connection', () => proxied.confirm())).toBe(true)
  } finally {
    await proxied.onApplicationShutdown()
    await proxy.stop()
  }
})

it('closes its connection at shutdown', async () => {
  await feed.onApplicationBootstrap()
  const connections = () =>
    db.query(
      `SELECT 1 FROM pg_stat_activity WHERE application_name = 'link-service changes' AND datname = current_database()`,
    )
  expect(await connections()).toHaveLength(1)
  await feed.onApplicationShutdown()
  await waitFor('the connection to close', async () => (await connections()).length === 0)
  expect(feed.isFresh()).toBe(false)
})

it('opens one connection, even if catchUp is called while it connects', async () => {
  const proxy = await FaultyProxy.start(db.url)
  try {
    proxy.delayMs = 150
    feed = newFeed(proxy.url)
    const connected = feed.onApplicationBootstrap().then(() => true)
    // Longer than the feed waits before it connects again.
    while (!(await withTimeout(connected, 300, false))) expect(await feed.catchUp()).toBe(false)
    proxy.delayMs = 0
    expect(await feed.confirm()).toBe(true)
    // Further connections would have been opened by now.
    await pause(1_000)
    const [row] = await db.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity
       WHERE application_name = 'link-service changes' AND datname = current_database()`,
    )
    expect(row!.count).toBe(1)
  } finally {
    await feed.onApplicationShutdown()
    await proxy.stop()
  }
})

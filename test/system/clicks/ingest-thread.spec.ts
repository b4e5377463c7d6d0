/** The thread that writes the journal to the database. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'

import { IngestThread, spawnIngest } from '../../../src/clicks/ingest/ingest-thread.js'
import type { ClickJournal, JournalOptions } from '../../../src/clicks/journal/click-journal.js'
import { newId } from '../../../src/platform/database/ids.js'
import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import { DatabaseProxy } from '../../support/database-proxy.js'
import { Journals, recordClicks, visit } from '../../support/journals.js'
import { waitFor } from '../../support/wait-for.js'

let db: TestDatabase
let proxy: DatabaseProxy
beforeAll(async () => {
  db = await createDatabase()
  proxy = await DatabaseProxy.start(db.url)
  const workspaceId = newId()
  await db.query(`INSERT INTO workspaces VALUES ($1, 'visited', now())`, [workspaceId])
  await db.query(
    `INSERT INTO links (id, workspace_id, slug, url, tags, redirect_status, forward_query, enabled, created_at, updated_at)
     VALUES ($1, $2, $3, 'https://example.com/', '{}', 302, false, true, now(), now())`,
    [visit.linkId, workspaceId, visit.slug],
  )
})
afterAll(async () => {
  await proxy.stop()
  await db.drop()
})

let journals: Journals
let threads: IngestThread[]
let workers: Worker[]
let logged: string[]
beforeEach(async () => {
  journals = new Journals()
  threads = []
  workers = []
  logged = []
  await db.query('TRUNCATE clicks, link_counters')
})
afterEach(async () => {
  for (const thread of threads) await thread.stop(2_000)
  await journals.stop()
})

function start(
  options: Partial<JournalOptions> = {},
  firstThread: typeof spawnIngest = spawnIngest,
): { journal: ClickJournal; thread: IngestThread } {
  const journal = journals.open(options)
  const thread = new IngestThread({
    settings: () => ({
      databaseUrl: proxy.url,
      databaseDirectUrl: null,
      clickIp: 'truncate',
      geoipDb: null,
      shortUrlBase: 'http://localhost',
    }),
    journal,
    onDeliveries: () => undefined,
    log: { info: (message) => logged.push(message), warn: (message) => logged.push(message) },
    spawn: (data) => {
      const worker = workers.length === 0 ? firstThread(data) : spawnIngest(data)
      workers.push(worker)
      return worker
    },
  })
  threads.push(thread)
  thread.start()
  return { journal, thread }
}

const written = async () =>
  (await db.query<{ id: string }>('SELECT id FROM clicks ORDER BY id')).map(({ id }) => id)
const counted = async () => {
  const [row] = await db.query<{ total: number }>('SELECT total::int FROM link_counters')
  return row?.total ?? 0
}
const allWritten = (ids: string[]) =>
  waitFor(`${ids.length} clicks`, async () => (await written()).length >= ids.length, 30_000)
async function expectExactly(ids: string[]): Promise<void> {
  await allWritten(ids)
  expect(await written()).toEqual([...ids].sort())
  expect(await counted()).toBe(ids.length)
}

it('moves clicks from the journal to the database', async () => {
  const { journal } = start()
  const ids: string[] = []
  for (const count of [1, 300, 7_000]) {
    ids.push(...(await recordClicks(journal, count)))
    await expectExactly(ids)
  }
  await waitFor('the journal to be empty', () => journal.getStats().pendingClicks === 0)
  expect(journal.getStats()).toMatchObject({ pendingBytes: 0, oldestPendingMs: 0, torn: 0, dropped: 0 })
  expect(logged).toEqual([])
})

it('keeps the order of the clicks in the feed when it writes several batches concurrently', async () => {
  const { journal } = start()
  const ids = await recordClicks(journal, 40_000)
  await allWritten(ids)
  const feed = await db.query<{ id: string }>('SELECT id FROM clicks ORDER BY tx, id')
  expect(feed.map(({ id }) => id)).toEqual([...ids].sort())
})

it('writes the first click after an idle period without delay', async () => {
  const { journal } = start()
  const ids: string[] = []
  for (let i = 0; i < 20; i++) {
    ids.push(...(await recordClicks(journal, 1)))
    // Without a wake-up, the thread would find the click only in its next check, up to 30 s later.
    await waitFor('the click', async () => (await written()).length === ids.length)
  }
  await expectExactly(ids)
})

it('restarts after a thrown value that is not an Error', async () => {
  const { journal } = start({}, () => new Worker('throw null', { eval: true }))
  await expectExactly(await recordClicks(journal, 10))
  expect(logged).toEqual(['The click ingest thread ended and restarts in 1000 ms: null'])
})

it('restarts when it is terminated, and counts every click once', async () => {
  const { journal } = start({ segmentBytes: 20_000 })
  const ids: string[] = []
  for (let round = 0; round < 2; round++) {
    ids.push(...(await recordClicks(journal, 500)))
    await waitFor('some clicks to be written', async () => (await written()).length > round * 500)
    const dying = workers.at(-1)!
    ids.push(...(await recordClicks(journal, 500)))
    await dying.terminate()
    await waitFor('the new thread', () => workers.length === round + 2, 20_000)
  }
  await expectExactly(ids)
  await waitFor('the journal to be empty', () => journal.getStats().pendingBytes === 0)
  expect(journal.getStats().pendingClicks).toBe(0)
  expect(logged).toEqual(
    Array(2).fill(expect.stringMatching(/^The click ingest thread ended and restarts in \d+ ms: /)),
  )
})

it('follows the journal to a new folder after the process was suspended', async () => {
  let now = Date.now()
  const { journal } = start({ now: () => now })
  const ids = await recordClicks(journal, 200)
  await expectExactly(ids)
  ids.push(...(await recordClicks(journal, 200)))
  now += 31_000
  ids.push(...(await recordClicks(journal, 200)))
  await expectExactly(ids)
  await waitFor('the old folder to be removed', () => journals.folders().length === 1)
  await waitFor('the journal to be empty', () => journal.getStats().pendingClicks === 0)
})

it('drains the journal before it stops', async () => {
  const { journal, thread } = start()
  const ids = await recordClicks(journal, 1)
  await expectExactly(ids)
  ids.push(...(await recordClicks(journal, 3_000)))
  await thread.stop(2_000)
  expect(journal.getStats()).toMatchObject({ pendingBytes: 0, pendingClicks: 0 })
  await expectExactly(ids)
})

it('keeps clicks in the journal during a database outage, warns once, and loses none', async () => {
  const { journal } = start()
  const ids = await recordClicks(journal, 10)
  await expectExactly(ids)
  proxy.refuseConnections()
  try {
    ids.push(...(await recordClicks(journal, 100)))
    await waitFor('the warning', () => logged.length > 0, 20_000)
    ids.push(...(await recordClicks(journal, 100)))
    expect(journal.getStats().pendingClicks).toBe(200)
    expect(journal.getStats().oldestPendingMs).toBeGreaterThan(0)
  } finally {
    proxy.restoreConnections()
  }
  await expectExactly(ids)
  await waitFor('the message about the recovery', () => logged.length === 2)
  expect(logged).toEqual([
    expect.stringMatching(/^Clicks cannot be moved from the journal to the database: /),
    'Clicks are written to the database again.',
  ])
})

it('stops in time when the database is silent, and leaves the clicks for the next start', async () => {
  const { journal, thread } = start()
  const ids = await recordClicks(journal, 10)
  await expectExactly(ids)
  proxy.silenceConnections('queries')
  try {
    ids.push(...(await recordClicks(journal, 100)))
    await thread.stop(2_000)
    await journal.close()
  } finally {
    proxy.restoreConnections()
  }
  start()
  await expectExactly(ids)
})

it('does not load the framework into each thread', async () => {
  const ingester = new URL('../../../dist/clicks/ingest/click-ingester.js', import.meta.url).href
  const program = `
    import { createRequire } from 'node:module'
    await import(${JSON.stringify(ingester)})
    console.log(JSON.stringify(Object.keys(createRequire(import.meta.url).cache)))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
  const loaded: string[] = JSON.parse(stdout)
  expect(loaded.some((path) => path.includes('/typeorm/'))).toBe(true)
  // Nest consists of ES modules, which the cache does not list, but Nest loads this CommonJS library.
  expect(loaded.filter((path) => path.includes('/rxjs/'))).toEqual([])
})

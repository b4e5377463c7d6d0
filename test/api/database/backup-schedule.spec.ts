/** The schedule of backups, with a wrong clock and a locked database. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

import type { DataSource } from 'typeorm'

import { readSettings } from '../../../src/platform/config/env.js'
import { connectDataSource, dataSourceOptions } from '../../../src/platform/database/data-source.js'
import { withTimeout } from '../../../src/platform/util/timers.js'
import type { RunningSettings } from '../../../src/settings.js'
import { backupFormat, formatVersion, toLine } from '../../../src/tools/backup/backup-format.js'
import { BackupSchedule } from '../../../src/tools/backup/backup-schedule.js'
import { scheduledName } from '../../../src/tools/backup/scheduled-backups.js'
import { createEnvironment } from '../../support/built/test-settings.js'
import { connectTo, createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import { waitFor } from '../../support/wait-for.js'

let db: TestDatabase
let folder: string
let source: DataSource
let schedule: BackupSchedule
beforeAll(async () => {
  db = await createDatabase()
  source = await connectDataSource(dataSourceOptions(db.url, 1))
})
afterAll(async () => {
  await source.destroy()
  await db.drop()
})
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'link-service-schedule-'))
  const settings = {
    ...readSettings(createEnvironment(folder)),
    databaseUrl: db.url,
    backupDir: folder,
    backupEvery: 3_600,
  } as RunningSettings
  schedule = new BackupSchedule(settings, source)
})
afterEach(async () => {
  await schedule.beforeApplicationShutdown()
  rmSync(folder, { recursive: true, force: true })
})

const backups = () => readdirSync(folder).filter((name) => name.endsWith('.backup.gz'))

it('creates backups although a wrong clock has dated one in the future', async () => {
  writeFileSync(join(folder, scheduledName(new Date(Date.now() + 300 * 86_400_000))), 'of a wrong clock')
  schedule.onApplicationBootstrap()
  await waitFor('a backup', () => backups().length === 2)
})

describe.each([
  ['is not a backup', () => Buffer.from('a file with this name')],
  ['is a backup of another cluster', () => backupWith({ isScheduled: true, feed: { cluster: '1' } })],
  ['was created by hand', () => backupWith({ isScheduled: false })],
])('with a newer file that %s', (_name, content) => {
  it('creates a backup', async () => {
    const minuteAgo = new Date(Date.now() - 60_000)
    writeFileSync(join(folder, scheduledName(minuteAgo)), await content())
    schedule.onApplicationBootstrap()
    await waitFor('a backup', () => backups().length === 2)
  })
})

it('creates no backup until one is due after the newest of this cluster', async () => {
  const minuteAgo = new Date(Date.now() - 60_000)
  writeFileSync(join(folder, scheduledName(minuteAgo)), await backupWith({ isScheduled: true }))
  schedule.onApplicationBootstrap()
  await waitFor('time to pass', () => schedule.overdueMs > 0)
  await waitFor('the first check', () => schedule.overdueMs === 0)
  await schedule.beforeApplicationShutdown()
  expect(backups()).toHaveLength(1)
})

/** A backup of this cluster with these values in its header, and without tables. */
async function backupWith(header: object): Promise<Buffer> {
  const [row] = await db.query<{ cluster: string }>(
    'SELECT system_identifier::text AS cluster FROM pg_control_system()',
  )
  return gzipSync(toLine({ format: backupFormat, formatVersion, feed: row, ...header }))
}

it('ends at a shutdown even if the backup waits for a lock', async () => {
  const holder = await connectTo(db.url)
  await holder.query('BEGIN')
  await holder.query('LOCK TABLE links IN ACCESS EXCLUSIVE MODE')
  try {
    schedule.onApplicationBootstrap()
    await waitFor('the lock', async () => {
      const waiting = await db.query(
        `SELECT FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'link-service backup' AND wait_event_type = 'Lock'`,
      )
      return waiting.length > 0
    })
    expect(await withTimeout(schedule.beforeApplicationShutdown(), 5_000, 'too late')).toBeUndefined()
    expect(backups()).toEqual([])
  } finally {
    await holder.drop()
  }
})

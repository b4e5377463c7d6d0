/** The schedule of backups, with a wrong clock and a locked database. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { readSettings } from '../../../src/platform/config/env.js'
import { withTimeout } from '../../../src/platform/util/timers.js'
import type { RunningSettings } from '../../../src/settings.js'
import { BackupSchedule } from '../../../src/tools/backup/backup-schedule.js'
import { scheduledName } from '../../../src/tools/backup/scheduled-backups.js'
import { environmentOf } from '../../support/built/test-settings.js'
import { connectTo, createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import { waitFor } from '../../support/wait-for.js'

let db: TestDatabase
let folder: string
let schedule: BackupSchedule
beforeAll(async () => (db = await createDatabase()))
afterAll(() => db.drop())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'link-service-schedule-'))
  const settings = {
    ...readSettings(environmentOf(folder)),
    databaseUrl: db.url,
    backupDir: folder,
    backupEvery: 3_600,
  } as RunningSettings
  schedule = new BackupSchedule(settings)
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

it('ends at a shutdown although the backup waits for a lock', async () => {
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

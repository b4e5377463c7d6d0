/** Backups that the service creates by itself. */
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

import { backupFormat, formatVersion, toLine } from '../../../src/tools/backup/backup-format.js'
import { scheduledName } from '../../../src/tools/backup/scheduled-backups.js'
import { copyDataFolder } from '../../support/data-folder.js'
import { spawnService, startProcess } from '../../support/process.js'
import type { ServiceProcess } from '../../support/process.js'
import { canMount, fillDisk, mountDisk, unmountDisk } from '../../support/small-disk.js'
import { waitFor } from '../../support/wait-for.js'

let folder: string
let service: ServiceProcess | null = null
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'link service schedule '))))
afterEach(async () => {
  await service?.stop()
  service = null
  rmSync(folder, { recursive: true, force: true })
})

const backupsIn = (path: string) =>
  readdirSync(path).filter((name) => /^link-service-\w+Z\.backup\.gz$/.test(name))
const settings = (more: Record<string, string>) => ({
  DATA_DIR: join(folder, 'data'),
  BACKUP_DIR: join(folder, 'backups'),
  LOG_LEVEL: 'info',
  ...more,
})
const overdueSeconds = async () => {
  const text = await (await fetch(`${service!.origin}/metrics`)).text()
  return Number(/^link_service_backup_overdue_seconds (\S+)$/m.exec(text)?.[1])
}
async function doctorOn(env: Record<string, string>): Promise<{ status: string; message: string }> {
  const { gone, output } = spawnService(['doctor', '--json'], env)
  await gone
  return JSON.parse(output()).checks.find(({ name }: { name: string }) => name === 'backups')
}

it('keeps the newest backups, and deletes no other files', async () => {
  await copyDataFolder(join(folder, 'data'))
  const env = settings({ BACKUP_EVERY: '1s', BACKUP_KEEP: '2' })
  service = await startProcess(env)
  await waitFor('a backup', () => service!.errors().includes('Backed up the database to'))
  const other = 'link-service-20200101T000000Z.backup.gz'
  writeFileSync(join(folder, 'backups', other), 'a file of somebody else')
  await waitFor('a deletion', () => service!.errors().includes('1 old backups deleted'))
  await waitFor('the newest two', () => backupsIn(join(folder, 'backups')).length === 3)
  await service.stop()
  expect(service.errors()).not.toContain('The backup failed')
  expect(readdirSync(join(folder, 'backups')).filter((name) => name.endsWith('.tmp'))).toEqual([])
  expect(backupsIn(join(folder, 'backups'))).toContain(other)

  expect(await doctorOn({ ...env, BACKUP_EVERY: '1d' })).toMatchObject({ status: 'ok' })
  const [newest, ...older] = backupsIn(join(folder, 'backups')).filter((name) => name !== other)
  for (const name of older) rmSync(join(folder, 'backups', name))
  renameSync(
    join(folder, 'backups', newest!),
    join(folder, 'backups', 'link-service-20200102T000000Z.backup.gz'),
  )
  expect(await doctorOn({ ...env, BACKUP_EVERY: '1d' })).toMatchObject({
    status: 'fail',
    message: expect.stringMatching(/hours old/),
  })
  rmSync(join(folder, 'backups', 'link-service-20200102T000000Z.backup.gz'))
  expect(await doctorOn({ ...env, BACKUP_EVERY: '1d' })).toMatchObject({
    status: 'warn',
    message: expect.stringContaining('There is no scheduled backup'),
  })
}, 120_000)

it('counts only backups of this database in doctor', async () => {
  await copyDataFolder(join(folder, 'data'))
  mkdirSync(join(folder, 'backups'))
  const header = { format: backupFormat, formatVersion, isScheduled: true, feed: { cluster: '1' } }
  writeFileSync(join(folder, 'backups', scheduledName(new Date())), gzipSync(toLine(header)))
  expect(await doctorOn(settings({}))).toMatchObject({
    status: 'warn',
    message: expect.stringContaining('There is no scheduled backup'),
  })
}, 120_000)

it('logs a failed backup, and continues to run', async () => {
  await copyDataFolder(join(folder, 'data'))
  writeFileSync(join(folder, 'backups'), 'a file instead of a folder')
  service = await startProcess(settings({}))
  await waitFor('the error', () => service!.errors().includes('The backup failed: '))
  expect(await overdueSeconds()).toBeGreaterThan(0)
  expect((await fetch(`${service.origin}/healthz`)).status).toBe(200)
}, 120_000)

const itMounts = canMount ? it : it.skip

itMounts(
  'continues after a full disk, and leaves no unfinished file',
  async () => {
    await copyDataFolder(join(folder, 'data'))
    const backups = join(folder, 'backups')
    mkdirSync(backups)
    mountDisk(backups, '4m')
    try {
      const filler = fillDisk(backups)
      service = await startProcess(settings({ BACKUP_EVERY: '1s' }))
      await waitFor('the error', () => service!.errors().includes('no space left on device'))
      // The next attempts create files, too.
      await waitFor('the unfinished file to be deleted', () => readdirSync(backups).join() === 'filler')
      rmSync(filler)
      await waitFor('a backup', () => backupsIn(backups).length > 0)
      await service.stop()
    } finally {
      unmountDisk(backups)
    }
  },
  120_000,
)

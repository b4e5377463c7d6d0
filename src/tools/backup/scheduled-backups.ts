/** The scheduled backups in BACKUP_DIR: their names, and which of them may be deleted. */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

import type { DataSource } from 'typeorm'

import { currentMs } from '../../platform/util/clock.js'
import { isDraft } from './backup-file.js'
import { readBackupHeader } from './backup-format.js'

const backupName = /^link-service-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.backup\.gz/
/** A running backup writes to its draft continuously. */
const draftIsAbandonedAfterMs = 3_600_000

export interface ScheduledBackup {
  path: string
  time: number
}

export function scheduledName(time: Date): string {
  return `link-service-${time.toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '')}.backup.gz`
}

/** Returns the cluster of the database, as in the headers of its backups. */
export async function readCluster(source: DataSource): Promise<string> {
  const [row]: { cluster: string }[] = await source.query(
    'SELECT system_identifier::text AS cluster FROM pg_control_system()',
  )
  return row!.cluster
}

/**
 * Lists the scheduled backups of one cluster, or of all if it is null, newest first. Backups of another installation or
 * from before a restore have another cluster.
 */
export async function listScheduledBackups(
  folder: string,
  cluster: string | null,
): Promise<ScheduledBackup[]> {
  const found: ScheduledBackup[] = []
  for (const backup of await findNamedFiles(folder)) {
    const header = await readBackupHeader(backup.path).catch(() => null)
    if (header?.isScheduled && (cluster === null || header.feed.cluster === cluster)) found.push(backup)
  }
  return found
}

/** Finds the files that are named like a backup. Omits those from the future, which come from a wrong clock. */
async function findNamedFiles(folder: string): Promise<ScheduledBackup[]> {
  const now = currentMs()
  return (await readdir(folder))
    .flatMap((name) => {
      const match = backupName.exec(name)
      if (match?.[0] !== name) return []
      const [, year, month, day, hour, minute, second] = match
      const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
      return time <= now ? [{ path: join(folder, name), time }] : []
    })
    .sort((a, b) => b.time - a.time)
}

/** Deletes all but the newest scheduled backups of this cluster, and abandoned drafts. */
export async function deleteOldBackups(folder: string, keep: number, cluster: string): Promise<string[]> {
  const old = (await listScheduledBackups(folder, cluster)).slice(keep).map(({ path }) => path)
  for (const path of old) await rm(path, { force: true })
  await deleteAbandonedDrafts(folder)
  return old
}

async function deleteAbandonedDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!backupName.test(name) || !isDraft(name)) continue
    const path = join(folder, name)
    const found = await stat(path).catch(() => null)
    if (found && Date.now() - found.mtimeMs > draftIsAbandonedAfterMs) await rm(path, { force: true })
  }
}

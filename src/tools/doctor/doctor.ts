/**
 * `link-service doctor`: checks an installation. Runs checks one after the other, and skips those that depend on a
 * failed check.
 */
import { outputScreen, print, printJson } from '../../platform/command-line/output.js'
import { paint } from '../../platform/command-line/screen.js'
import type { Settings } from '../../settings.js'
import { requireSharedDatabase } from '../../platform/config/env.js'
import { readQueueView } from '../../platform/queue/queue-view.js'
import { readCluster } from '../backup/scheduled-backups.js'
import { attempt, check, failure, ok } from './check.js'
import type { Check } from './check.js'
import {
  analytics,
  analyticsProgress,
  clock,
  connections,
  feeds,
  keyRotation,
  migrations,
  openToExamine,
  reservedLinks,
  secrets,
  serverVersion,
} from './database-checks.js'
import type { RunningDatabase } from './database-checks.js'
import { egressProxy, encryptionKey, notices, overdue, queue, workers } from './delivery-checks.js'
import {
  appearance,
  authorityFile,
  backups,
  countryFile,
  dataFolder,
  diskSpace,
  journals,
  nodeVersion,
  publicUrl,
} from './environment-checks.js'

const tones = { ok: 'good', warn: 'warn', fail: 'bad' } as const
const nameWidth = 'webhook_ca_file'.length

type Checks = AsyncGenerator<Check, void>

async function* runChecks(read: () => Settings): Checks {
  yield check('node', () => nodeVersion(process.versions.node))
  const settings = await attempt(() => readStartSettings(read))
  if (settings instanceof Error) {
    yield failure('settings', settings)
    return
  }
  yield check('settings', () => ok('All settings are valid.'))
  yield* examineSettings(settings)
  // The worker role keeps nothing in the data folder.
  const hasFolder = settings.role !== 'worker' && (yield* examineFolder(settings))
  if (hasFolder || settings.databaseUrl !== null) yield* examineDatabase(settings)
}

/** Checks a running service over its own connections. Does not check the settings, which are valid after a start. */
export async function* examineRunning(database: RunningDatabase): Checks {
  const { settings } = database
  yield check('node', () => nodeVersion(process.versions.node))
  yield* examineSettings(settings)
  if (settings.role !== 'worker') yield* examineFolder(settings)
  // Checks only the progress of analytics, because comparing all counts takes too long for a request.
  yield* examineOpen(database, analyticsProgress)
}

function readStartSettings(read: () => Settings): Settings {
  const settings = read()
  requireSharedDatabase(settings)
  return settings
}

async function* examineSettings(settings: Settings): Checks {
  const { publicUrl: address, geoipDb, webhookCaFile, instanceLogo, pagesDir } = settings
  yield check('public_url', () => publicUrl(address))
  if (geoipDb !== null) yield check('geoip_db', () => countryFile(geoipDb))
  if (webhookCaFile !== null) yield check('webhook_ca_file', () => authorityFile(webhookCaFile))
  if (instanceLogo !== null || pagesDir !== null) yield check('appearance', () => appearance(settings))
}

async function* examineFolder({ dataDir }: Settings): AsyncGenerator<Check, boolean> {
  const folder = await check('data_folder', () => dataFolder(dataDir))
  yield folder
  if (folder.status !== 'ok') return false
  yield check('disk_space', () => diskSpace(dataDir))
  yield check('journal', () => journals(dataDir))
  return true
}

async function* examineDatabase(settings: Settings): Checks {
  const database = await attempt(() => openToExamine(settings))
  if (database instanceof Error) {
    yield failure('database', database)
    yield* examineBackups(settings, () => null)
    const { redisUrl } = settings
    const address = { redisUrl, databaseUrl: '' }
    if (redisUrl !== null) yield check('queue', () => queue(address, readQueueView(address)))
    return
  }
  try {
    yield* examineOpen(database, analytics)
  } finally {
    // If an embedded server does not stop, the next process uses that server.
    await database.close().catch(() => undefined)
  }
}

async function* examineBackups(
  { role, backupDir, backupEvery }: Settings,
  findCluster: () => Promise<string> | null,
): Checks {
  if (role === 'worker' || backupDir === null) return
  yield check('backups', async () => backups(backupDir, backupEvery, await findCluster()))
}

async function* examineOpen(database: RunningDatabase, checkAnalytics: typeof analytics): Checks {
  const { settings } = database
  yield check('database', () => serverVersion(database))
  yield* examineBackups(settings, () => readCluster(database.source))
  yield check('connections', () => connections(database))
  yield check('clock', () => clock(database))
  const migrated = await check('migrations', () => migrations(database))
  yield migrated
  if (migrated.status !== 'ok' && settings.redisUrl === null) return
  const viewed = readQueueView(settings)
  const reached = await check('queue', () => queue(settings, viewed))
  yield reached
  if (migrated.status !== 'ok') return
  if (reached.status !== 'fail') yield check('workers', () => workers(database, viewed))
  yield check('deliveries', () => overdue(database))
  const { webhookProxy } = settings
  if (webhookProxy !== null) yield check('egress_proxy', () => egressProxy(database, webhookProxy))
  yield check('notices', () => notices(database))
  yield check('analytics', () => checkAnalytics(database))
  yield check('feeds', () => feeds(database))
  yield check('slugs', () => reservedLinks(database))
  yield check('secrets', () => secrets(database))
  yield check('key_rotation', () => keyRotation(database))
  yield check('encryption_key', () => encryptionKey(database))
}

/** Runs all checks and prints their results. Returns false if a check failed. */
export async function doctor(
  readSettings: () => Settings,
  { json }: { json?: boolean | undefined },
): Promise<boolean> {
  const checks: Check[] = []
  for await (const check of runChecks(readSettings)) {
    checks.push(check)
    if (!json) print(formatFinding(check))
  }
  const isOk = checks.every(({ status }) => status !== 'fail')
  if (json) printJson({ ok: isOk, checks })
  return isOk
}

function formatFinding({ name, status, message }: Check): string {
  const shownStatus = paint(status.padEnd('warn'.length), tones[status], outputScreen())
  return `${shownStatus}  ${name.padEnd(nameWidth)}  ${message}`
}

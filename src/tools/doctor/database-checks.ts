/** Checks the database: its version, connections, migrations, secrets, feeds and analytics. */
import type { DataSource } from 'typeorm'

import { Comparison } from '../../analytics/comparison.js'
import { maxHealthyLagMs } from '../../analytics/limits.js'
import { AnalyticsLag } from '../../analytics/rolling/checkpoints.repository.js'
import { history } from '../../migrations/history.js'
import type { Settings } from '../../settings.js'
import type { RunningSettings } from '../../settings.js'
import { reservedSlugs } from '../../links/urls.js'
import {
  connectDataSource,
  dataSourceOptions,
  rejectOldDatabase,
} from '../../platform/database/data-source.js'
import { isRestored } from '../../platform/database/feed-epoch.js'
import { findOldestTransaction, longTransactionSeconds } from '../../platform/database/feed-watch.js'
import { hasEmbeddedDatabase } from '../../platform/database/embedded/embedded-postgres.js'
import { encodeId } from '../../platform/database/ids.js'
import {
  clockDifference,
  describeDifference,
  maxClockDifferenceMs,
} from '../../platform/database/database-clock.js'
import { findDatabase } from '../../platform/database/open-database.js'
import { backgroundTimeoutMs } from '../../platform/database/pg-client.js'
import { isPooled, requireSession } from '../../platform/database/pooler.js'
import { isEncryptionKey, readKeyStatuses } from '../../platform/database/key-status.js'
import { describeDependents, findSecretProblem } from '../../platform/database/secret-fingerprints.js'
import { hasPendingQueueMigrations } from '../../platform/queue/schema.js'
import { fail, NotCreatedYet, ok, warn } from './check.js'
import type { Finding } from './check.js'

const oldestServer = 15

export interface RunningDatabase {
  source: DataSource
  settings: RunningSettings
  /** Whether a start applies pending migrations. */
  startMigrates: boolean
}

interface ExaminedDatabase extends RunningDatabase {
  close(): Promise<void>
}

/** Opens the database without creating it or applying migrations. */
export async function openToExamine(settings: Settings): Promise<ExaminedDatabase> {
  if (settings.databaseUrl === null && !(await hasEmbeddedDatabase(settings.dataDir)))
    throw new NotCreatedYet(
      `There is no database in ${settings.dataDir}. The first start creates it. If the service has run before, set DATA_DIR to its data folder.`,
    )
  const found = await findDatabase(settings, 'command')
  try {
    const source = await connectDataSource({
      ...dataSourceOptions(found.settings.databaseUrl, 1, backgroundTimeoutMs, isPooled(found.settings)),
      migrations: history,
    })
    return {
      source,
      settings: found.settings,
      startMigrates: found.isEmbedded || settings.migrate,
      close: async () => {
        await source.destroy().catch(() => undefined)
        await found.release()
      },
    }
  } catch (error) {
    await found.release()
    throw error
  }
}

export async function serverVersion({ source }: RunningDatabase): Promise<Finding> {
  const [row]: { version: string; major: number }[] = await source.query(
    `SELECT current_setting('server_version') AS version, current_setting('server_version_num')::int / 10000 AS major`,
  )
  const { version, major } = row!
  return major < oldestServer
    ? fail(
        `PostgreSQL ${version} is too old. Set DATABASE_URL to a server of version ${oldestServer} or newer.`,
      )
    : ok(`PostgreSQL ${version}.`)
}

/** Behind a pooler, the role must set what is otherwise set for each connection. */
export async function connections({ source, settings }: RunningDatabase): Promise<Finding> {
  await requireSession(settings)
  if (!isPooled(settings)) return ok('Connections are not pooled.')
  const [row]: { isComplete: boolean; role: string }[] = await source.query(
    `SELECT current_setting('statement_timeout') <> '0' AND current_setting('idle_in_transaction_session_timeout') <> '0'
         AND current_setting('jit') = 'off' AS "isComplete",
       format('%I IN DATABASE %I', current_user, current_database()) AS role`,
  )
  if (row!.isComplete)
    return ok('DATABASE_DIRECT_URL is not pooled, and pooled connections have timeouts and `jit` off.')
  const roleSettings = [
    "statement_timeout = '60s'",
    "idle_in_transaction_session_timeout = '60s'",
    'jit = off',
  ]
  const commands = roleSettings.map((setting) => `ALTER ROLE ${row!.role} SET ${setting}`)
  return warn(
    `Statements through the pooler have no timeouts, or PostgreSQL may compile them. Run: ${commands.join('; ')}`,
  )
}

export async function feeds({ source }: RunningDatabase): Promise<Finding> {
  if (await isRestored(source))
    return warn(
      'The database was restored into another cluster, so new rows are missing in the feeds. Restart the service to fix this.',
    )
  const oldest = await findOldestTransaction(source)
  if (!oldest?.seconds || oldest.seconds < longTransactionSeconds)
    return ok('No long transaction holds back the feeds.')
  return warn(
    `The feeds and analytics have waited ${Math.round(oldest.seconds)} s for an open transaction: ${oldest.owner}. To end the transaction: ${oldest.remedy}`,
  )
}

export async function secrets({ source, settings }: RunningDatabase): Promise<Finding> {
  const problem = await findSecretProblem(source, settings)
  return problem === null ? ok('The secrets belong to this database.') : fail(problem)
}

/** Without stored responses, which take long to read and expire within a day. */
export async function keyRotation({ source, settings }: RunningDatabase): Promise<Finding> {
  const statuses = await readKeyStatuses(source, settings, { withStoredResponses: false })
  const rotating = statuses.filter(({ state }) => state === 'rotating')
  if (rotating.length === 0) return ok('No rotation of ENCRYPTION_KEY or TOKEN_PEPPER is in progress.')
  const texts = rotating.map(({ secret, dependents }) => {
    const needed = describeDependents(dependents)
    if (needed !== null) return `The old ${secret.setting} is still needed for ${needed}.`
    return isEncryptionKey(secret)
      ? `Only stored responses of idempotency keys may still need the old ${secret.setting}. They expire within 24 hours. Check with \`link-service keys status\`.`
      : `Nothing needs the old ${secret.setting}. Run \`link-service keys finish\`.`
  })
  return warn(texts.join(' '))
}

export async function clock({ source }: RunningDatabase): Promise<Finding> {
  return clockFinding((await clockDifference(source)).differenceMs)
}

export function clockFinding(ms: number): Finding {
  const described = describeDifference(ms)
  return Math.abs(ms) > maxClockDifferenceMs
    ? warn(`${described} Synchronize both machines with the same time servers.`)
    : ok(described)
}

export async function migrations(database: RunningDatabase): Promise<Finding> {
  if (!(await hasPendingMigrations(database))) return ok('All migrations are applied.')
  return database.startMigrates
    ? warn('Migrations are pending. The next start or `npm run migrate` applies them.')
    : fail('Migrations are pending, and the service does not start without them. Run `npm run migrate`.')
}

/** Finds links whose slug a later version reserved, and which visitors can no longer open. */
export async function reservedLinks({ source, settings }: RunningDatabase): Promise<Finding> {
  const links: { id: string; slug: string }[] = await source.query(
    'SELECT id, slug FROM links WHERE slug = ANY($1) AND deleted_at IS NULL ORDER BY slug',
    [[...reservedSlugs(settings.basePath)]],
  )
  if (links.length === 0) return ok('No link has a reserved slug.')
  const list = links.map(({ id, slug }) => `/${slug} (${encodeId('lnk', id)})`).join(', ')
  return warn(
    `The service uses these paths itself, so visitors cannot open the links: ${list}. Create links with other slugs for the same destinations, and delete these.`,
  )
}

/** Formats an age in minutes, hours or days, such as `58 days`. */
function formatAge(seconds: number): string {
  const hours = seconds / 3600
  if (hours < 2) return `${Math.round(seconds / 60)} minutes`
  return hours < 48 ? `${Math.round(hours)} hours` : `${Math.round(hours / 24)} days`
}

export async function analyticsProgress({ source }: RunningDatabase): Promise<Finding> {
  const seconds = await new AnalyticsLag(source).readSeconds()
  return seconds * 1000 <= maxHealthyLagMs
    ? ok('The worker keeps up with new clicks.')
    : warn(
        `The oldest click that is not counted yet is ${formatAge(seconds)} old. Responses are exact but slower. Start a worker (ROLE=all or link-service worker), or give the running worker more CPU time.`,
      )
}

/** Compares all counts with the counters of links and the clicks of a day. Can take minutes. */
export async function analytics(database: RunningDatabase): Promise<Finding> {
  const differences = await new Comparison(database.source).compareCounts()
  const [first] = differences
  if (first === undefined) return analyticsProgress(database)
  return fail(
    `The counts disagree with the recorded clicks: ${first}${differences.length > 1 ? ` (and ${differences.length - 1} more)` : ''}. This is a bug in the service. Please report it.`,
  )
}

async function hasPendingMigrations({ source, settings }: RunningDatabase): Promise<boolean> {
  // Checked first, because TypeORM would create a missing table of migrations.
  const [row]: { exists: boolean }[] = await source.query(
    `SELECT to_regclass('migrations') IS NOT NULL AS "exists"`,
  )
  if (!row!.exists) return true
  await rejectOldDatabase(source)
  return (await source.showMigrations()) || (await hasPendingQueueMigrations(settings))
}

import type { DataSource } from 'typeorm'

import { history } from '../../migrations/history.js'
import type { Settings } from '../../settings.js'
import type { RunningSettings } from '../../settings.js'
import { reservedSlugs } from '../../links/urls.js'
import { connect, dataSourceOptions, rejectOldDatabase } from '../../platform/database/data-source.js'
import { isRestored } from '../../platform/database/feed-epoch.js'
import { findOldestTransaction, longTransactionSeconds } from '../../platform/database/feed-watch.js'
import { hasEmbeddedDatabase } from '../../platform/database/embedded/embedded-postgres.js'
import { encodeId } from '../../platform/database/ids.js'
import {
  clockDifference,
  describeDifference,
  mostClockDifferenceMs,
} from '../../platform/database/database-clock.js'
import { findDatabase } from '../../platform/database/open-database.js'
import { backgroundMayTakeMs } from '../../platform/database/pg-client.js'
import { isPooled, requireSession } from '../../platform/database/pooler.js'
import { findWrongSecret } from '../../platform/database/secret-fingerprints.js'
import { hasPendingQueueMigrations } from '../../platform/queue/schema.js'
import { fail, NotMadeYet, ok, warn } from './check.js'
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

/** Opens the database without making it and without applying migrations. */
export async function openToExamine(settings: Settings): Promise<ExaminedDatabase> {
  if (settings.databaseUrl === null && !(await hasEmbeddedDatabase(settings.dataDir)))
    throw new NotMadeYet(
      `There is no database in ${settings.dataDir}. The first start makes it; if the service has run before, set DATA_DIR to its folder.`,
    )
  const found = await findDatabase(settings, 'command')
  try {
    const source = await connect({
      ...dataSourceOptions(found.settings.databaseUrl, 1, backgroundMayTakeMs, isPooled(found.settings)),
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
    ? fail(`PostgreSQL ${version} is too old. Set DATABASE_URL to one of version ${oldestServer} or newer.`)
    : ok(`PostgreSQL ${version}.`)
}

/** Behind a pooler, connections get their time limits from the role, because a pooler refuses them at the start. */
export async function connections({ source, settings }: RunningDatabase): Promise<Finding> {
  await requireSession(settings)
  if (!isPooled(settings)) return ok('Connections keep their session.')
  const [row]: { isLimited: boolean; role: string }[] = await source.query(
    `SELECT current_setting('statement_timeout') <> '0' AND current_setting('idle_in_transaction_session_timeout') <> '0' AS "isLimited",
       format('%I IN DATABASE %I', current_user, current_database()) AS role`,
  )
  return row!.isLimited
    ? ok('DATABASE_DIRECT_URL keeps sessions, and the pooled connections have time limits.')
    : warn(
        `Statements through the pooler have no time limits. Run: ALTER ROLE ${row!.role} SET statement_timeout = '60s'; ALTER ROLE ${row!.role} SET idle_in_transaction_session_timeout = '60s'`,
      )
}

export async function feeds({ source }: RunningDatabase): Promise<Finding> {
  if (await isRestored(source))
    return warn(
      'The database was restored into another cluster, so new rows are missing in the feeds. The next start corrects this.',
    )
  const oldest = await findOldestTransaction(source)
  if (!oldest?.seconds || oldest.seconds < longTransactionSeconds)
    return ok('No long transaction holds back the feeds.')
  return warn(
    `The feeds and analytics have waited ${Math.round(oldest.seconds)} s for an open transaction: ${oldest.owner}. To end it: ${oldest.remedy}`,
  )
}

export async function secrets({ source, settings }: RunningDatabase): Promise<Finding> {
  const wrong = await findWrongSecret(source, settings)
  return wrong
    ? fail(
        `${wrong.shownAs} is not the secret that this database was used with. Restore the original secret.`,
      )
    : ok('The secrets are those of this database.')
}

export async function clock({ source }: RunningDatabase): Promise<Finding> {
  return clockFinding((await clockDifference(source)).differenceMs)
}

export function clockFinding(ms: number): Finding {
  const described = describeDifference(ms)
  return Math.abs(ms) > mostClockDifferenceMs
    ? warn(`${described} Synchronize both machines with the same time servers.`)
    : ok(described)
}

export async function migrations(database: RunningDatabase): Promise<Finding> {
  if (!(await isAnythingPending(database))) return ok('All are applied.')
  return database.startMigrates
    ? warn('Some are pending. The next start applies them, or `npm run migrate`.')
    : fail('Some are pending, and a start refuses. Run `npm run migrate`.')
}

/** Finds links whose slug now belongs to the service. They are older than that, and nobody can reach them. */
export async function reservedLinks({ source, settings }: RunningDatabase): Promise<Finding> {
  const links: { id: string; slug: string }[] = await source.query(
    'SELECT id, slug FROM links WHERE slug = ANY($1) AND deleted_at IS NULL ORDER BY slug',
    [[...reservedSlugs(settings.basePath)]],
  )
  if (links.length === 0) return ok('No link has a slug of the service.')
  const named = links.map(({ id, slug }) => `/${slug} (${encodeId('lnk', id)})`).join(', ')
  return warn(
    `The service itself answers under ${named}, so nobody reaches the link. Make one with another slug for the same target, and delete this one.`,
  )
}

async function isAnythingPending({ source, settings }: RunningDatabase): Promise<boolean> {
  // Asking TypeORM would make the table of migrations if it is missing, so this looks first.
  const [row]: { isThere: boolean }[] = await source.query(
    `SELECT to_regclass('migrations') IS NOT NULL AS "isThere"`,
  )
  if (!row!.isThere) return true
  await rejectOldDatabase(source)
  return (await source.showMigrations()) || (await hasPendingQueueMigrations(settings))
}

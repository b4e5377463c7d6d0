/** Refuses to restore a backup that does not fit the service, its secrets or its database. */
import { join } from 'node:path'

import { previousFile, readSecret } from '../../platform/config/secret-files.js'
import type { Setting } from '../../platform/config/setting.js'
import { StartupError } from '../../platform/config/startup-error.js'
import type { Migrations } from '../../platform/database/data-source.js'
import { hasEmbeddedDatabase } from '../../platform/database/embedded/embedded-postgres.js'
import { findUnknownSecret } from '../../platform/database/secret-fingerprints.js'
import { version } from '../../platform/util/program.js'
import { allSettings } from '../../settings.js'
import type { RunningSettings, Settings } from '../../settings.js'
import type { BackupHeader } from './backup-format.js'
import {
  filledByMigrations,
  hasOnlyPlainNames,
  isBackedUp,
  listBackupTables,
  quoteName,
} from './backup-tables.js'
import type { Query } from './backup-tables.js'

export const restoreName = 'link-service restore'

/** Returns the migrations that the backed-up database had. Throws if this version does not know all of them. */
export function getBackupMigrations(header: BackupHeader, known: Migrations): Migrations {
  const names = known.map(({ name }) => name)
  const unknown = header.migrations.filter((name) => !names.includes(name))
  if (unknown.length > 0)
    throw new StartupError(
      `The backup is from Link Service ${header.version}, which is newer than this version, ${version}. Restore the backup with version ${header.version} or newer.`,
    )
  if (header.migrations.length === 0 || !hasOnlyPlainNames(header.tables.filter(isBackedUp)))
    throw new StartupError('The header of the backup is not valid.')
  return known.slice(0, header.migrations.length)
}

/**
 * Throws if the secrets are missing or differ from those of the backup. Runs before the database is created, because
 * creating the embedded database also generates missing secrets.
 */
export async function requireSecretsOfBackup(header: BackupHeader, settings: Settings): Promise<void> {
  const secrets: Record<string, string> = {}
  for (const [key, { name, generated }] of Object.entries<Setting<unknown>>(allSettings)) {
    if (!generated || settings.written[name]) continue
    const file = join(settings.dataDir, 'secrets', generated.file)
    const secret = await readSecret(file)
    if (secret === null)
      throw new StartupError(
        `The secret ${file} is missing. Copy the folder "secrets" of the original data folder to ${settings.dataDir}, or set ${name}. Backups do not contain secrets.`,
      )
    secrets[key] = secret
    const previous = await readSecret(previousFile(settings.dataDir, generated.file))
    if (previous !== null) secrets[`${key}Previous`] = previous
  }
  const wrong = findUnknownSecret(header.secrets, { ...settings, ...secrets } as RunningSettings)
  if (wrong)
    throw new StartupError(
      `${wrong.shownAs} is not the one that the backup was created with. Restore the original secret. If it has been rotated since the backup, also set ${wrong.previousSetting}.`,
    )
}

/** Returns whether the restore creates the embedded database. */
export async function isNewDatabase(settings: Settings): Promise<boolean> {
  return settings.databaseUrl === null && !(await hasEmbeddedDatabase(settings.dataDir))
}

/**
 * Throws if the database has migrations that the backup did not have. They would not run again, so they
 * would not change the restored rows.
 */
export async function requireNoLaterMigrations(
  query: Query,
  header: BackupHeader,
  shownAs: string,
): Promise<void> {
  const [found] = await query<{ exists: boolean }>(`SELECT to_regclass('migrations') IS NOT NULL AS exists`)
  if (!found!.exists) return
  const later = await query('SELECT FROM migrations WHERE NOT name = ANY ($1)', [header.migrations])
  if (later.length > 0)
    throw new StartupError(
      `The database ${shownAs} has later migrations than the backup, which is from version ${header.version}. Use a new DATA_DIR, or create a new database.`,
    )
}

/** Throws if the database has rows of a service. */
export async function requireEmptyDatabase(query: Query, shownAs: string): Promise<void> {
  for (const { name } of await listBackupTables(query)) {
    if (filledByMigrations.includes(name)) continue
    const [row] = await query<{ filled: boolean }>(`SELECT EXISTS (SELECT FROM ${quoteName(name)}) AS filled`)
    if (row!.filled)
      throw new StartupError(
        `The database already contains data (table ${name} in ${shownAs}). A backup is restored only into an empty database: use a new DATA_DIR, or create a new database.`,
      )
  }
}

/** Throws if another process of the service is connected. The embedded database allows only one anyway. */
export async function requireStoppedService(query: Query): Promise<void> {
  const connected = await query<{ pid: number; name: string }>(
    `SELECT pid, application_name AS name FROM pg_stat_activity
     WHERE datname = current_database() AND application_name LIKE 'link-service%' AND application_name <> $1
     ORDER BY pid`,
    [restoreName],
  )
  if (connected.length > 0)
    throw new StartupError(
      `A service is connected to the database (${connected[0]!.name}, PostgreSQL process ${connected[0]!.pid}). Stop every process of the service first.`,
    )
}

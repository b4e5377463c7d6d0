/** Opens the configured database or starts the embedded one, and reads its secrets. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'

import pg from 'pg'

import { applyStagedSecret, previousFile, readOrCreateSecret, readSecret } from '../config/secret-files.js'
import { allSettings } from '../../settings.js'
import type { RunningSettings, Settings } from '../../settings.js'
import type { Setting } from '../config/setting.js'
import { StartupError } from '../config/startup-error.js'
import { hasEmbeddedDatabase, openEmbeddedDatabase } from './embedded/embedded-postgres.js'
import {
  connectDataSource,
  connectTimeoutMs,
  dataSourceOptions,
  runMigrations,
  refusePendingMigrations,
} from './data-source.js'
import type { Migrations } from './data-source.js'
import { continueFeeds } from './feed-epoch.js'
import { endConnection, PgClient } from './pg-client.js'
import { directUrl, requireSuitableConnections } from './pooler.js'
import { acceptSecrets, requireKnownSecrets } from './secret-fingerprints.js'

export interface OpenDatabase {
  settings: RunningSettings
  isEmbedded: boolean
  /** The location of the database, for display. */
  shownAs: string
  release(): Promise<void>
  onLost(listener: (error: Error) => void): void
}

/** Opens the database. Applies pending migrations, or throws if the operator must apply them. */
export async function openDatabase(
  settings: Settings,
  use: 'service' | 'command',
  migrations: Migrations,
): Promise<OpenDatabase> {
  const opened = await findDatabase(settings, use)
  try {
    if (!opened.isEmbedded) await requireSuitableConnections(opened.settings)
    const url = directUrl(opened.settings)
    if (opened.isEmbedded || settings.migrate) await runMigrations(url, migrations)
    else await refusePendingMigrations(url, migrations)
    await prepare(opened.settings)
    return opened
  } catch (error) {
    await opened.release()
    throw error
  }
}

async function prepare(settings: RunningSettings): Promise<void> {
  const source = await connectDataSource(dataSourceOptions(directUrl(settings), 1))
  try {
    await requireKnownSecrets(source, settings)
    await continueFeeds(source)
  } finally {
    await source.destroy()
  }
}

/**
 * Opens the database for a command that needs existing data. Never creates a database, because the command may have
 * been run in the wrong folder.
 */
export async function openExistingDatabase(
  settings: Settings,
  migrations: Migrations,
): Promise<OpenDatabase> {
  await requireDatabase(settings)
  return openDatabase(settings, 'command', migrations)
}

/** Accepts the current secrets for an existing database. */
export async function replaceSecrets(settings: Settings, migrations: Migrations): Promise<void> {
  await requireDatabase(settings)
  const opened = await findDatabase(settings, 'command')
  try {
    const url = directUrl(opened.settings)
    await refusePendingMigrations(url, migrations)
    const source = await connectDataSource(dataSourceOptions(url, 1))
    await acceptSecrets(source, opened.settings).finally(() => source.destroy())
  } finally {
    await opened.release()
  }
}

/** Throws if there is no database yet. */
export async function requireDatabase(settings: Settings): Promise<void> {
  if (settings.databaseUrl === null && !(await hasEmbeddedDatabase(settings.dataDir)))
    throw new StartupError(
      `There is no database in ${settings.dataDir}. Set DATA_DIR to the data folder that the service prints when it starts, or set DATABASE_URL to the database of the service. If the service has never run, start it first.`,
    )
}

/** Opens the database without checking or applying migrations. */
export async function findDatabase(settings: Settings, use: 'service' | 'command'): Promise<OpenDatabase> {
  const { databaseUrl } = settings
  return databaseUrl === null ? openEmbedded(settings, use) : externalDatabase(settings, databaseUrl)
}

function externalDatabase(settings: Settings, databaseUrl: string): OpenDatabase {
  return {
    settings: { ...settings, databaseUrl },
    isEmbedded: false,
    shownAs: 'the database in DATABASE_URL',
    release: () => Promise.resolve(),
    onLost: () => undefined,
  }
}

async function openEmbedded(settings: Settings, use: 'service' | 'command'): Promise<OpenDatabase> {
  const database = await openEmbeddedDatabase({
    dataDir: settings.dataDir,
    postgresBinDir: settings.postgresBinDir,
    use,
  })
  try {
    await checkEmbeddedConnection(database.url, settings.dataDir)
    return {
      settings: {
        ...settings,
        ...(await generatedSecrets(settings, database.url, use)),
        databaseUrl: database.url,
      },
      isEmbedded: true,
      shownAs: settings.dataDir,
      release: () => database.release(),
      onLost: (listener) => {
        database.onLost(listener)
      },
    }
  } catch (error) {
    await database.release()
    throw error
  }
}

/** Throws if the embedded database accepts no connection. A frozen one does not, although its supervisor still responds. */
export async function checkEmbeddedConnection(url: string, dataDir: string): Promise<void> {
  const client = new PgClient({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs })
  try {
    await client.connect()
  } catch (error) {
    const { message } = error as Error
    throw new StartupError(
      error instanceof pg.DatabaseError
        ? `The embedded database in ${dataDir} rejected the connection: ${message}.`
        : `The embedded database in ${dataDir} does not respond: ${message}. Check the disk, and restart the service.`,
    )
  } finally {
    await endConnection(client)
  }
}

/** Returns the generated secrets by the keys of their settings. The first start generates them. */
async function generatedSecrets(
  settings: Settings,
  databaseUrl: string,
  use: 'service' | 'command',
): Promise<Partial<Settings>> {
  const secrets: Record<string, string> = {}
  for (const [key, { name, generated }] of Object.entries<Setting<unknown>>(allSettings)) {
    if (!generated || settings.written[name]) continue
    // Only the service applies a prepared rotation, because a running service does not know the new secret yet.
    if (use === 'service') await applyStagedSecret(settings.dataDir, generated.file)
    await refuseNewSecret(databaseUrl, join(settings.dataDir, 'secrets', generated.file), generated.ifLost)
    secrets[key] = await readOrCreateSecret(settings.dataDir, generated.file, () =>
      randomBytes(32).toString('base64url'),
    )
    const previous = settings.written[`${name}_PREVIOUS`]
      ? null
      : await readSecret(previousFile(settings.dataDir, generated.file))
    if (previous !== null) secrets[`${key}Previous`] = previous
  }
  return secrets
}

/** Throws if an existing database has lost its secret, because a new secret would silently break existing data. */
async function refuseNewSecret(databaseUrl: string, file: string, ifLost: string): Promise<void> {
  if ((await readSecret(file)) !== null) return
  const client = new PgClient(databaseUrl)
  await client.connect()
  try {
    // The first start generates the secrets before it applies the first migration.
    const { rows } = await client.query(`SELECT FROM pg_tables WHERE tablename = 'migrations'`)
    if (rows.length === 0) return
  } finally {
    await client.end()
  }
  throw new StartupError(
    `The secret ${file} is missing, and the database needs it. Restore the file from a backup. If there is no backup, write the output of \`openssl rand -base64 32\` to the file, run \`link-service accept-secrets\`, then ${ifLost}.`,
  )
}

/** Finds or starts the database that the settings mean, with the secrets that go with it. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'

import { readOrCreateSecret, readSecret } from '../config/secret-files.js'
import { allSettings } from '../../settings.js'
import type { RunningSettings, Settings } from '../../settings.js'
import type { Setting } from '../config/setting.js'
import { StartupError } from '../config/startup-error.js'
import { hasEmbeddedDatabase, openEmbeddedDatabase } from './embedded/embedded-postgres.js'
import { connect, dataSourceOptions, migrate, refusePendingMigrations } from './data-source.js'
import type { Migrations } from './data-source.js'
import { continueFeeds } from './feed-epoch.js'
import { PgClient } from './pg-client.js'
import { directUrl, requireSuitableConnections } from './pooler.js'
import { acceptSecrets, requireKnownSecrets } from './secret-fingerprints.js'

export interface OpenDatabase {
  settings: RunningSettings
  isEmbedded: boolean
  /** Says for people where the database is. */
  shownAs: string
  release(): Promise<void>
  onLost(listener: (error: Error) => void): void
}

/** Applies the pending migrations, or refuses to go on where the operator has to apply them. */
export async function openDatabase(
  settings: Settings,
  use: 'service' | 'command',
  migrations: Migrations,
): Promise<OpenDatabase> {
  const opened = await findDatabase(settings, use)
  try {
    if (!opened.isEmbedded) await requireSuitableConnections(opened.settings)
    const url = directUrl(opened.settings)
    if (opened.isEmbedded || settings.migrate) await migrate(url, migrations)
    else await refusePendingMigrations(url, migrations)
    await prepare(opened.settings)
    return opened
  } catch (error) {
    await opened.release()
    throw error
  }
}

async function prepare(settings: RunningSettings): Promise<void> {
  const source = await connect(dataSourceOptions(directUrl(settings), 1))
  try {
    await requireKnownSecrets(source, settings)
    await continueFeeds(source)
  } finally {
    await source.destroy()
  }
}

/**
 * Opens the database for a command that needs the data of a service. Such a command may be run in a wrong folder. It
 * must not create a second database there, because no service would use it.
 */
export async function openExistingDatabase(
  settings: Settings,
  migrations: Migrations,
): Promise<OpenDatabase> {
  await requireDatabase(settings)
  return openDatabase(settings, 'command', migrations)
}

/** Uses an existing database with the present secrets, whatever it was used with before. */
export async function replaceSecrets(settings: Settings, migrations: Migrations): Promise<void> {
  await requireDatabase(settings)
  const opened = await findDatabase(settings, 'command')
  try {
    const url = directUrl(opened.settings)
    await refusePendingMigrations(url, migrations)
    const source = await connect(dataSourceOptions(url, 1))
    await acceptSecrets(source, opened.settings).finally(() => source.destroy())
  } finally {
    await opened.release()
  }
}

async function requireDatabase(settings: Settings): Promise<void> {
  if (settings.databaseUrl === null && !(await hasEmbeddedDatabase(settings.dataDir)))
    throw new StartupError(
      `There is no database in ${settings.dataDir}, and this command makes none. Set DATA_DIR to the folder that your service shows as its data when it starts, or DATABASE_URL to its database; where there is no service yet, start it first.`,
    )
}

/** Opens the database as it is. Migrations may be pending. */
export async function findDatabase(settings: Settings, use: 'service' | 'command'): Promise<OpenDatabase> {
  const { databaseUrl } = settings
  return databaseUrl === null ? openEmbedded(settings, use) : given(settings, databaseUrl)
}

function given(settings: Settings, databaseUrl: string): OpenDatabase {
  return {
    settings: { ...settings, databaseUrl },
    isEmbedded: false,
    shownAs: 'the database of DATABASE_URL',
    release: () => Promise.resolve(),
    onLost: () => undefined,
  }
}

async function openEmbedded(settings: Settings, use: 'service' | 'command'): Promise<OpenDatabase> {
  const database = await openEmbeddedDatabase({ dataDir: settings.dataDir, use })
  try {
    return {
      settings: { ...settings, ...(await madeSecrets(settings, database.url)), databaseUrl: database.url },
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

/** The secrets that were not given, by the names of their settings. The first start makes them. */
async function madeSecrets(settings: Settings, databaseUrl: string): Promise<Partial<Settings>> {
  const secrets: Record<string, string> = {}
  for (const [key, { name, made }] of Object.entries<Setting<unknown>>(allSettings)) {
    if (!made || settings.written[name]) continue
    await refuseNewSecret(databaseUrl, join(settings.dataDir, 'secrets', made.file), made.ifLost)
    secrets[key] = await readOrCreateSecret(settings.dataDir, made.file, () =>
      randomBytes(32).toString('base64url'),
    )
  }
  return secrets
}

/** Fails where a database is without its secret. A new one would end what the lost one holds, and not say so. */
async function refuseNewSecret(databaseUrl: string, file: string, ifLost: string): Promise<void> {
  if ((await readSecret(file)) !== null) return
  const client = new PgClient(databaseUrl)
  await client.connect()
  try {
    // The first start makes the secrets before it applies the first migration.
    const { rows } = await client.query(`SELECT FROM pg_tables WHERE tablename = 'migrations'`)
    if (rows.length === 0) return
  } finally {
    await client.end()
  }
  throw new StartupError(
    `The secret ${file} is missing, and the database needs it. Put it back from a backup. Without one, write a long random text into it, and run \`link-service accept-secrets\`: then ${ifLost}.`,
  )
}

/** Creates the role and the database of the service in a server that has just been started. */
import { join } from 'node:path'

import { Client } from 'pg'

import { readSecret } from '../../config/secret-files.js'
import { StartupError } from '../../config/startup-error.js'
import { endConnection } from '../pg-client.js'
import { superuser } from './cluster.js'
import type { DataFolder } from './data-folder.js'

export const applicationRole = 'link_service'

export function passwordFile({ dataDir }: DataFolder): string {
  return join(dataDir, 'secrets', 'postgres-password')
}

/** The service's role owns its database and nothing else, so that a hole in the service does not open the server. */
export async function prepareDatabase(folder: DataFolder, port: number): Promise<void> {
  const client = new Client({
    host: '127.0.0.1',
    port,
    user: superuser,
    password: (await readSecret(passwordFile(folder))) ?? '',
    database: 'postgres',
    ssl: false,
    connectionTimeoutMillis: 5_000,
  })
  client.on('error', () => undefined)
  await client.connect().catch((error: unknown) => {
    if (!['28P01', '28000'].includes((error as { code?: string }).code ?? '')) throw error
    throw new StartupError(
      `The database in ${folder.cluster} does not accept the password in ${folder.dataDir}/secrets. Put back the secrets that belong to it.`,
    )
  })
  try {
    // The superuser's password is copied in the form in which the server stores it, so it is in no statement and no log.
    await client.query(`
      DO $$ BEGIN
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${applicationRole}') THEN
          EXECUTE format('CREATE ROLE ${applicationRole} LOGIN CREATEDB PASSWORD %L',
            (SELECT rolpassword FROM pg_authid WHERE rolname = current_user));
        END IF;
      END $$`)
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [applicationRole])
    if (rowCount === 0) await client.query(`CREATE DATABASE ${applicationRole} OWNER ${applicationRole}`)
  } finally {
    await endConnection(client)
  }
}

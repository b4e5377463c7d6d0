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

/** The role owns only the service's database, so that a compromised service cannot control the server. */
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
      `The database in ${folder.cluster} does not accept the password in ${folder.dataDir}/secrets. Restore the matching secrets.`,
    )
  })
  try {
    // Copies the stored hash of the superuser's password, so that no statement or log contains the password.
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

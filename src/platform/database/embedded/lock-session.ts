/** The connection whose advisory locks say that a process uses the server, and what the process does over it. */
import { realpath } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'

import { Client, DatabaseError } from 'pg'
import type { QueryResultRow } from 'pg'

import { StartupError } from '../../config/startup-error.js'
import { endConnection } from '../pg-client.js'
import { superuser } from './cluster.js'
import type { DataFolder } from './data-folder.js'

export type DatabaseUse = 'service' | 'command'

export const applicationRole = 'link_service'

/** Each database has its own advisory locks. These are taken in `postgres`, so they never meet the service's own. */
export const lock = { users: 1, service: 2, preparation: 3, watch: 4 }

/** How long PostgreSQL may take to notice that a killed service's connection is gone. */
const servicePatience = 3_000

const lockSession = {
  name: 'locks',
  options: '-c idle_session_timeout=0 -c lock_timeout=0 -c statement_timeout=60000',
}

/** Null while the server does not take connections, or is not ours. */
export async function openLockSession(
  folder: DataFolder,
  port: number,
  password: string,
): Promise<Client | null> {
  return openSession(lockSession, folder, port, password)
}

export async function openSession(
  { name, options }: { name: string; options: string },
  folder: DataFolder,
  port: number,
  password: string,
): Promise<Client | null> {
  const client = new Client({
    host: '127.0.0.1',
    port,
    user: superuser,
    password,
    database: 'postgres',
    ssl: false,
    application_name: `link-service ${name} ${process.pid}`,
    options,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  })
  // Callers learn of the connection's end from a failed query or from `end`.
  client.on('error', () => undefined)
  try {
    await client.connect()
    const shown = await client.query<{ data_directory: string }>('show data_directory')
    const directory = await realpath(shown.rows[0]?.data_directory ?? '').catch(() => '')
    if (directory === (await realpath(folder.cluster))) return client
  } catch (error) {
    if (['28P01', '28000'].includes((error as { code?: string }).code ?? ''))
      throw new StartupError(
        `The database in ${folder.cluster} does not accept the password in ${folder.dataDir}/secrets. Put back the secrets that belong to it.`,
      )
  }
  await closeSession(client)
  return null
}

export async function closeSession(client: Client): Promise<void> {
  await endConnection(client)
}

/** `stopping`: somebody left as the last one and is turning the server off. */
export async function takeLocks(client: Client, use: DatabaseUse): Promise<'taken' | 'stopping' | 'in use'> {
  if (!(await ask(client, 'pg_try_advisory_lock_shared', lock.users))) return 'stopping'
  if (use === 'command') return 'taken'
  for (const until = Date.now() + servicePatience; ; await setTimeout(50)) {
    if (await ask(client, 'pg_try_advisory_lock', lock.service)) return 'taken'
    if (Date.now() > until) return 'in use'
  }
}

/**
 * True for the last process, which then has to stop the server. It holds the lock until the server is down, so no other
 * process gets in. If two processes leave together, the one that asks later gets the lock.
 */
export async function giveBackLocks(client: Client): Promise<boolean> {
  await query(client, 'select pg_advisory_unlock_all()')
  return await ask(client, 'pg_try_advisory_lock', lock.users)
}

/** The connection to the server ended. The server itself may still run. */
export class SessionLost extends Error {
  override name = 'SessionLost'
}

async function query<Row extends QueryResultRow>(
  client: Client,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  try {
    return (await client.query<Row>(text, values)).rows
  } catch (error) {
    // Errors that the server sends are DatabaseErrors. Those with 57P say that the server is about to stop.
    if (error instanceof DatabaseError && !error.code?.startsWith('57P')) throw error
    throw new SessionLost('The connection to the embedded database ended.', { cause: error })
  }
}

async function ask(client: Client, call: string, key: number): Promise<boolean> {
  const [row] = await query<{ got: boolean }>(client, `select ${call}($1::bigint) as got`, [key])
  return row?.got === true
}

/** The service's role owns its database and nothing else, so that a hole in the service does not open the server. */
export async function prepareDatabase(client: Client): Promise<void> {
  await query(client, 'select pg_advisory_lock($1::bigint)', [lock.preparation])
  // The superuser's password is copied in the form in which the server stores it, so it is in no statement and no log.
  await query(
    client,
    `do $$ begin
    if not exists (select from pg_roles where rolname = '${applicationRole}') then
      execute format('create role ${applicationRole} login createdb password %L',
        (select rolpassword from pg_authid where rolname = current_user));
    end if;
  end $$`,
  )
  const known = await query(client, 'select from pg_database where datname = $1', [applicationRole])
  if (known.length === 0) await query(client, `create database ${applicationRole} owner ${applicationRole}`)
  await query(client, 'select pg_advisory_unlock($1::bigint)', [lock.preparation])
}

/**
 * DATABASE_URL may be a pooler, such as PgBouncer in transaction mode. It may run each transaction in another session,
 * which breaks LISTEN, session locks and named statements. Whatever needs a session uses DATABASE_DIRECT_URL.
 */
import { randomUUID } from 'node:crypto'

import type pg from 'pg'

import { StartupError } from '../config/startup-error.js'
import { withTimeout } from '../util/timers.js'
import { connect, dataSourceOptions } from './data-source.js'
import { endConnection, PgClient, statementMayTakeMs } from './pg-client.js'

interface Addresses {
  databaseUrl: string
  databaseDirectUrl?: string | null
}

const connectsWithinMs = 5_000
const arrivesWithinMs = 2_000

/** The address of PostgreSQL itself. */
export function directUrl({ databaseUrl, databaseDirectUrl }: Addresses): string {
  return databaseDirectUrl ?? databaseUrl
}

export function isPooled(addresses: Addresses): boolean {
  return directUrl(addresses) !== addresses.databaseUrl
}

/** Fails with one line if the service cannot work over these addresses. */
export async function requireSuitableConnections(addresses: Addresses): Promise<void> {
  await requireSession(addresses)
  if (!isPooled(addresses)) return
  const pooled = await connect(dataSourceOptions(addresses.databaseUrl, 1, statementMayTakeMs, true))
  await pooled.destroy()
}

/** Fails with one line if the direct address is a pooler. */
export async function requireSession(addresses: Addresses): Promise<void> {
  const setting = isPooled(addresses) ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL'
  if (await keepsSession(directUrl(addresses), setting)) return
  throw new StartupError(
    `${setting} is the address of a pooler that does not keep sessions, such as PgBouncer in transaction mode. Set DATABASE_DIRECT_URL to the address of PostgreSQL itself.`,
  )
}

async function keepsSession(url: string, setting: string): Promise<boolean> {
  const listener = new PgClient({
    connectionString: url,
    connectionTimeoutMillis: connectsWithinMs,
    statement_timeout: statementMayTakeMs,
    query_timeout: statementMayTakeMs,
  })
  try {
    await listener.connect()
    const channel = `link_service_${randomUUID()}`
    await listener.query(`LISTEN "${channel}"`)
    return await receivesNotifications(listener, channel, url)
  } catch (error) {
    const { message, code } = error as Error & { code?: string }
    // PgBouncer refuses the time limits, unless its configuration ignores them.
    if (code === '08P01') return false
    throw new StartupError(
      `The database of ${setting} cannot be reached: ${message || code}. Check the address and that it runs.`,
    )
  } finally {
    await endConnection(listener)
  }
}

/**
 * Sends a notification from a second connection, and resolves with true when the listener receives it. A notification
 * to itself would prove nothing, because a pooler may run both statements in the same session by chance.
 */
export async function receivesNotifications(
  listener: pg.Client,
  channel: string,
  url: string,
): Promise<boolean> {
  const nonce = randomUUID()
  const received = new Promise<true>((resolve) => {
    listener.on('notification', ({ payload }) => {
      if (payload === nonce) resolve(true)
    })
  })
  const sender = new PgClient({
    connectionString: url,
    application_name: 'link-service changes',
    connectionTimeoutMillis: connectsWithinMs,
    query_timeout: arrivesWithinMs,
  })
  try {
    await sender.connect()
    await sender.query('SELECT pg_notify($1, $2)', [channel, nonce])
    return await withTimeout(received, arrivesWithinMs, false)
  } finally {
    await endConnection(sender)
  }
}

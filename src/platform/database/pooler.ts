/**
 * DATABASE_URL may point to a pooler, such as PgBouncer in transaction mode. A pooler may run each transaction in
 * another session, which breaks LISTEN, session locks and named statements. Code that needs a session uses
 * DATABASE_DIRECT_URL.
 */
import { randomUUID } from 'node:crypto'

import type pg from 'pg'

import { StartupError } from '../config/startup-error.js'
import { withTimeout } from '../util/timers.js'
import { connectDataSource, dataSourceOptions } from './data-source.js'
import { endConnection, PgClient, statementTimeoutMs } from './pg-client.js'

interface DatabaseUrls {
  databaseUrl: string
  databaseDirectUrl?: string | null
}

const connectTimeoutMs = 5_000
const notificationTimeoutMs = 2_000

/** Returns the URL of PostgreSQL itself. */
export function directUrl({ databaseUrl, databaseDirectUrl }: DatabaseUrls): string {
  return databaseDirectUrl ?? databaseUrl
}

export function isPooled(urls: DatabaseUrls): boolean {
  return directUrl(urls) !== urls.databaseUrl
}

/** Throws a StartupError if the service cannot work with these URLs. */
export async function requireSuitableConnections(urls: DatabaseUrls): Promise<void> {
  await requireSession(urls)
  if (!isPooled(urls)) return
  const pooled = await connectDataSource(dataSourceOptions(urls.databaseUrl, 1, statementTimeoutMs, true))
  await pooled.destroy()
}

/** Throws a StartupError if the direct URL points to a pooler. */
export async function requireSession(urls: DatabaseUrls): Promise<void> {
  const setting = isPooled(urls) ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL'
  if (await keepsSession(directUrl(urls), setting)) return
  throw new StartupError(
    `${setting} is the URL of a pooler that does not keep sessions, such as PgBouncer in transaction mode. Set DATABASE_DIRECT_URL to the URL of PostgreSQL itself.`,
  )
}

async function keepsSession(url: string, setting: string): Promise<boolean> {
  const listener = new PgClient({
    connectionString: url,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs,
  })
  try {
    await listener.connect()
    const channel = `link_service_${randomUUID()}`
    await listener.query(`LISTEN "${channel}"`)
    return await receivesNotifications(listener, channel, url)
  } catch (error) {
    const { message, code } = error as Error & { code?: string }
    // PgBouncer rejects the time limits, unless it is configured to ignore them.
    if (code === '08P01') return false
    throw new StartupError(
      `The database in ${setting} cannot be reached: ${message || code}. Check the URL, and that the server is running.`,
    )
  } finally {
    await endConnection(listener)
  }
}

/** Tests that a listener receives notifications. The change feed runs it at each connection. */
export const testNotification = 'SELECT pg_notify($1, $2)'

/**
 * Returns whether the listener receives a notification from a second connection. A notification from the same
 * connection would prove nothing, because a pooler may happen to run both statements in one session.
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
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: notificationTimeoutMs,
  })
  try {
    await sender.connect()
    await sender.query(testNotification, [channel, nonce])
    return await withTimeout(received, notificationTimeoutMs, false)
  } finally {
    await endConnection(sender)
  }
}

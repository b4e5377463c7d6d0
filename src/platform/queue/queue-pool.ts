import { DEFAULT_SCHEMA } from 'bullmq'
import type { PgPool, PgPoolClient, PgQueryResult } from 'bullmq'
import pg from 'pg'

import { PgClient } from '../database/pg-client.js'
import { isConnectionLost } from '../database/unavailable.js'

/** Of a pool that it did not make itself, BullMQ takes it that its tables are there. */
export const queueSchema = DEFAULT_SCHEMA

/**
 * The queue's connections to PostgreSQL. BullMQ tries again, after a moment, what failed because there was no connection.
 * It knows such errors by the code ECONNREFUSED only; others end the attempt, and a job whose end could not be written
 * would block its key until its lock expires.
 */
export class QueuePool implements PgPool {
  private readonly pool: pg.Pool

  constructor(databaseUrl: string, size: number) {
    this.pool = new pg.Pool({
      // Describing the API makes the modules without a database: nothing listens on port 0.
      connectionString: databaseUrl || 'postgres://127.0.0.1:0/none',
      application_name: 'link-service queue',
      Client: PgClient,
      // A crash of PostgreSQL may take the last jobs: they are hints, and what they hint at is in its tables for good.
      options: `-c synchronous_commit=off -c search_path=${queueSchema}`,
      max: size,
      connectionTimeoutMillis: 5_000,
      query_timeout: 30_000,
      keepAlive: true,
    })
  }

  async query<R>(text: string, params: readonly unknown[] = []): Promise<PgQueryResult<R>> {
    return await this.pool.query<pg.QueryResultRow & R>(text, [...params]).catch(tell)
  }

  async connect(): Promise<PgPoolClient> {
    const client = await this.pool.connect().catch(tell)
    // Only the overloads of `on` are written in another way.
    return client as unknown as PgPoolClient
  }

  end(): Promise<void> {
    return this.pool.end()
  }

  on(event: 'error', listener: (error: Error) => void): this
  on(event: 'connect', listener: (client: PgPoolClient) => void): this
  on(event: 'error' | 'connect', listener: (about: never) => void): this {
    this.pool.on(event, listener as () => void)
    return this
  }

  removeAllListeners(event?: string): this {
    this.pool.removeAllListeners(event)
    return this
  }
}

function tell(error: Error): never {
  throw isConnectionLost(error) ? Object.assign(error, { code: 'ECONNREFUSED' }) : error
}

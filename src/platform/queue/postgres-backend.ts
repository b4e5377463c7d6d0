import { DEFAULT_SCHEMA, PostgresConnection, PostgresQueueBackend } from 'bullmq'
import type { PgPool, PgPoolClient, PgQueryResult, QueueBaseOptions } from 'bullmq'
import pg from 'pg'

import { connectTimeoutMs, keptAlive, maxLifetimeSeconds } from '../database/data-source.js'
import { clientDeadline, PgClient, statementTimeoutMs } from '../database/pg-client.js'
import { isConnectionLost } from '../database/unavailable.js'
import { withTimeout } from '../util/timers.js'

/** How long to wait for the server when closing: an unreachable server must not keep the process from ending. */
const closeTimeoutMs = 500

export class PostgresBackend extends PostgresQueueBackend {
  private ended: Promise<void> | null = null

  private constructor(
    private readonly pool: QueuePool,
    name: string,
    opts: QueueBaseOptions,
    isWorker: boolean,
  ) {
    // Workers are counted by the name of the connection on which they wait for jobs.
    super(
      new PostgresConnection(pool),
      name,
      { ...opts, connection: pool },
      true,
      isWorker ? name : undefined,
    )
  }

  static create(
    databaseUrl: string,
    name: string,
    opts: QueueBaseOptions,
    isWorker: boolean,
  ): PostgresBackend {
    return new PostgresBackend(new QueuePool(databaseUrl, isWorker ? 5 : 2), name, opts, isWorker)
  }

  override close(force = false): Promise<void> {
    this.ended ??= withTimeout(
      this.end(force).catch(() => undefined),
      closeTimeoutMs,
      undefined,
    )
    return this.ended
  }

  private async end(force: boolean): Promise<void> {
    // `close` alone would wait up to half a minute for the running wait for jobs.
    if (force) await this.disconnect()
    await super.close(force)
    await this.pool.end()
  }
}

/** With a given pool, BullMQ uses its default schema and does not migrate it. schema.ts does. */
export const queueSchema = DEFAULT_SCHEMA

/**
 * The queue's connections to PostgreSQL. BullMQ retries a call only if its error has the code ECONNREFUSED, so every
 * lost connection gets this code. Otherwise the end of a job might not be written, and the job would block its key
 * until its lock expires.
 */
export class QueuePool implements PgPool {
  private readonly pool: pg.Pool

  constructor(databaseUrl: string, size: number) {
    this.pool = new pg.Pool({
      // The API document is generated without a database. Nothing listens on port 0.
      connectionString: databaseUrl || 'postgres://127.0.0.1:0/none',
      application_name: 'link-service queue',
      Client: PgClient,
      // A crash of PostgreSQL may lose the last jobs, which are only hints about work in its tables.
      options: `-c synchronous_commit=off -c search_path=${queueSchema}`,
      max: size,
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: clientDeadline(statementTimeoutMs),
      maxLifetimeSeconds,
      ...keptAlive,
    })
  }

  async query<R>(text: string, params: readonly unknown[] = []): Promise<PgQueryResult<R>> {
    return await this.pool.query<pg.QueryResultRow & R>(text, [...params]).catch(throwForBullMq)
  }

  async connect(): Promise<PgPoolClient> {
    const client = await this.pool.connect().catch(throwForBullMq)
    // The types differ only in how the overloads of `on` are written.
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

function throwForBullMq(error: Error): never {
  throw isConnectionLost(error) ? Object.assign(error, { code: 'ECONNREFUSED' }) : error
}

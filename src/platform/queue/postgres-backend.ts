import { DEFAULT_SCHEMA, PostgresConnection, PostgresQueueBackend } from 'bullmq'
import type { PgPool, PgPoolClient, PgQueryResult, QueueBaseOptions } from 'bullmq'
import pg from 'pg'

import { connectMayTakeMs, keptAlive, maxLifetimeSeconds } from '../database/data-source.js'
import { clientDeadline, PgClient, statementMayTakeMs } from '../database/pg-client.js'
import { isConnectionLost } from '../database/unavailable.js'
import { withTimeout } from '../util/timers.js'

/** An unreachable server cannot be told that this process leaves, and must not keep the process from ending. */
const closingMayTakeMs = 500

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

  static to(databaseUrl: string, name: string, opts: QueueBaseOptions, isWorker: boolean): PostgresBackend {
    return new PostgresBackend(new QueuePool(databaseUrl, isWorker ? 5 : 2), name, opts, isWorker)
  }

  override close(force = false): Promise<void> {
    this.ended ??= withTimeout(
      this.end(force).catch(() => undefined),
      closingMayTakeMs,
      undefined,
    )
    return this.ended
  }

  private async end(force: boolean): Promise<void> {
    // `close` alone lets a wait for jobs go on, for up to half a minute.
    if (force) await this.disconnect()
    await super.close(force)
    await this.pool.end()
  }
}

/** When BullMQ is given a pool, it uses its default schema and does not migrate it. So schema.ts does that. */
export const queueSchema = DEFAULT_SCHEMA

/**
 * The queue's connections to PostgreSQL. BullMQ repeats a call that failed because there was no connection, but it
 * knows this only by the code ECONNREFUSED. So every lost connection gets this code here. Otherwise the end of a job
 * might not be written, and the job would block its key until its lock expires.
 */
export class QueuePool implements PgPool {
  private readonly pool: pg.Pool

  constructor(databaseUrl: string, size: number) {
    this.pool = new pg.Pool({
      // Describing the API makes the modules without a database: nothing listens on port 0.
      connectionString: databaseUrl || 'postgres://127.0.0.1:0/none',
      application_name: 'link-service queue',
      Client: PgClient,
      // A crash of PostgreSQL may lose the last jobs. They are only hints at work that is stored safely in its tables.
      options: `-c synchronous_commit=off -c search_path=${queueSchema}`,
      max: size,
      connectionTimeoutMillis: connectMayTakeMs,
      query_timeout: clientDeadline(statementMayTakeMs),
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

import pg from 'pg'
import type { EntityManager } from 'typeorm'

import { withTimeout } from '../util/timers.js'
import { isConnectionUnusable } from './unavailable.js'

/**
 * Time after which PostgreSQL cancels a statement, including waits for locks. `allowLongerStatements` raises the limit
 * for a transaction.
 */
export const statementTimeoutMs = 5_000

/** Time limit of statements in requests that can change or read hundreds of thousands of rows. */
export const largeRequestTimeoutMs = 15_000

/** Time limit of statements in background work, such as deleting old rows. */
export const backgroundTimeoutMs = 60_000

/** Returns when the client gives up on a statement: shortly after PostgreSQL should have canceled it. */
export const clientDeadline = (timeoutMs: number): number => timeoutMs + 1_000

type Send = (query: string | pg.QueryConfig, ...rest: unknown[]) => unknown

/** A connection that is closed, and not reused, after a statement got no response or the server became read-only. */
export class PgClient extends pg.Client {
  /** Null for the configured limit (`query_timeout`). */
  private longerMs: number | null = null

  constructor(config?: string | pg.ClientConfig) {
    super(config)
    // An `error` event without a listener would end the process. The pool listens only while the connection is idle,
    // and TypeORM only while it is in use, but a lost server may cause an error in between, or two errors.
    this.on('error', () => undefined)
    const send = this.query.bind(this) as Send
    const sendWithLimit: Send = (query, ...rest) => {
      const sent = send(this.withLimit(query), ...rest)
      if (sent instanceof Promise)
        sent.catch((error: Error) => {
          if (isConnectionUnusable(error)) this.discard(error)
        })
      return sent
    }
    this.query = sendWithLimit as typeof this.query
  }

  /** Like SET LOCAL, this applies until the transaction ends. */
  allowLonger(timeoutMs: number): void {
    this.longerMs = timeoutMs
  }

  private withLimit(query: string | pg.QueryConfig): string | pg.QueryConfig {
    if (this.longerMs === null) return query
    const limited = {
      ...(typeof query === 'string' ? { text: query } : query),
      query_timeout: clientDeadline(this.longerMs),
    }
    if (limited.text === 'COMMIT' || limited.text === 'ROLLBACK') this.longerMs = null
    return limited
  }

  /** The event makes TypeORM and BullMQ drop the connection, and `end` keeps the pool from reusing it. */
  private discard(error: Error): void {
    this.emit('error', error)
    void this.end()
  }
}

/** Omits the names of statements, because a pooler may run them in a session that has not prepared them. */
export class PooledClient extends PgClient {
  override query(query: object | string, ...rest: never[]): never {
    const unnamed = typeof query === 'object' && 'name' in query ? { ...query, name: undefined } : query
    return super.query(unnamed as never, ...rest) as never
  }
}

/** Closes a connection. Waits only briefly, because an unresponsive server never confirms the end. */
export async function endConnection(client: pg.Client): Promise<void> {
  await withTimeout(
    client.end().catch(() => undefined),
    500,
    undefined,
  )
}

/** Raises the time limit of the remaining statements of a transaction. */
export async function allowLongerStatements(tx: EntityManager, timeoutMs: number): Promise<void> {
  await tx.query(`SELECT set_config('statement_timeout', $1, true)`, [String(timeoutMs)])
  const client = (await tx.queryRunner!.connect()) as PgClient
  client.allowLonger(timeoutMs)
}

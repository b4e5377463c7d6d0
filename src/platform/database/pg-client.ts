import pg from 'pg'
import type { EntityManager } from 'typeorm'

import { withTimeout } from '../util/timers.js'
import { isConnectionUnusable } from './unavailable.js'

/**
 * PostgreSQL cancels a statement after this time. The limit includes waiting for locks. Work that needs longer says so
 * with `allowLongerStatements`.
 */
export const statementMayTakeMs = 5_000

/** Background work, such as deleting old rows: nobody waits for it, and it must not fail only because it is large. */
export const backgroundMayTakeMs = 60_000

/** When the client gives up a statement: shortly after PostgreSQL should have canceled it. */
export const clientDeadline = (mayTakeMs: number): number => mayTakeMs + 1_000

type Send = (query: string | pg.QueryConfig, ...rest: unknown[]) => unknown

/** A connection that is closed, and not reused, after a statement got no response or the server became read-only. */
export class PgClient extends pg.Client {
  /** Null for the usual limit, which is in the configuration (`query_timeout`). */
  private longerMs: number | null = null

  constructor(config?: string | pg.ClientConfig) {
    super(config)
    // An error without a listener would end the process. The pool listens only while the connection is idle, and
    // TypeORM only while it is in use. A server that goes away may report an error in between, or twice.
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
  allowLonger(mayTakeMs: number): void {
    this.longerMs = mayTakeMs
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

  /** The event makes TypeORM and BullMQ give the connection up. The end keeps the pool from handing it out again. */
  private discard(error: Error): void {
    this.emit('error', error)
    void this.end()
  }
}

/** Omits the names of statements: a pooler may run them in a session that has not prepared them. */
export class PooledClient extends PgClient {
  override query(given: object | string, ...rest: never[]): never {
    const sent = typeof given === 'object' && 'name' in given ? { ...given, name: undefined } : given
    return super.query(sent as never, ...rest) as never
  }
}

/** A server that does not respond never confirms the end of a connection, so this waits only for a moment. */
export async function endConnection(client: pg.Client): Promise<void> {
  await withTimeout(
    client.end().catch(() => undefined),
    500,
    undefined,
  )
}

/** Lets each of the remaining statements of a transaction take longer than those of a request. */
export async function allowLongerStatements(tx: EntityManager, mayTakeMs: number): Promise<void> {
  await tx.query(`SELECT set_config('statement_timeout', $1, true)`, [String(mayTakeMs)])
  const client = (await tx.queryRunner!.connect()) as PgClient
  client.allowLonger(mayTakeMs)
}

/**
 * Reads the links of an export from a cursor in a read-only transaction. Uses a separate connection, so that slow
 * clients take no connections from other requests.
 */
import { connectTimeoutMs, keptAlive } from '../../platform/database/data-source.js'
import { clientDeadline, endConnection, PgClient } from '../../platform/database/pg-client.js'
import type { LinkRow } from '../link.entity.js'

const rowsPerFetch = 500
const statementTimeoutMs = 60_000

interface ExportStatement {
  text: string
  values: unknown[]
}

export class ExportSnapshot {
  private constructor(private readonly client: PgClient) {}

  /** Rejects with the reason of `signal` when the signal is aborted first. */
  static async open(
    databaseUrl: string,
    idleTimeoutMs: number,
    statement: ExportStatement,
    signal: AbortSignal,
  ): Promise<ExportSnapshot> {
    signal.throwIfAborted()
    const client = new PgClient({
      connectionString: databaseUrl,
      application_name: 'link-service export',
      connectionTimeoutMillis: connectTimeoutMs,
      ...keptAlive,
      statement_timeout: statementTimeoutMs,
      query_timeout: clientDeadline(statementTimeoutMs),
      // The transaction is idle while the client reads.
      idle_in_transaction_session_timeout: idleTimeoutMs,
    })
    const snapshot = new ExportSnapshot(client)
    try {
      await untilAborted(signal, snapshot.begin(statement))
      return snapshot
    } catch (error) {
      await snapshot.close()
      throw error
    }
  }

  private async begin({ text, values }: ExportStatement): Promise<void> {
    await this.client.connect()
    await this.client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await this.client.query(`DECLARE links NO SCROLL CURSOR FOR ${text}`, values)
  }

  /** Returns the next rows, or none at the end. */
  async readRows(): Promise<LinkRow[]> {
    return (await this.client.query<LinkRow & object>(`FETCH ${rowsPerFetch} FROM links`)).rows
  }

  async close(): Promise<void> {
    await endConnection(this.client)
  }
}

/** Needed because closing a connection that is being opened leaves `connect` pending. */
async function untilAborted(signal: AbortSignal, work: Promise<void>): Promise<void> {
  let abort: () => void
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(signal.reason as Error)
    signal.addEventListener('abort', abort)
  })
  try {
    await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', abort!)
  }
}

/**
 * Reads the links of an export from a cursor in a read-only transaction. Uses a separate connection, so that slow
 * clients take no connections from other requests.
 */
import { connectMayTakeMs, keptAlive } from '../../platform/database/data-source.js'
import { clientDeadline, endConnection, PgClient } from '../../platform/database/pg-client.js'
import type { LinkRow } from '../link.entity.js'

const rowsPerFetch = 500
const statementTimeoutMs = 60_000

export class ExportSnapshot {
  private constructor(private readonly client: PgClient) {}

  static async open(
    databaseUrl: string,
    idleTimeoutMs: number,
    { text, values }: { text: string; values: unknown[] },
  ): Promise<ExportSnapshot> {
    const client = new PgClient({
      connectionString: databaseUrl,
      application_name: 'link-service export',
      connectionTimeoutMillis: connectMayTakeMs,
      ...keptAlive,
      statement_timeout: statementTimeoutMs,
      query_timeout: clientDeadline(statementTimeoutMs),
      // The transaction is idle while the client reads.
      idle_in_transaction_session_timeout: idleTimeoutMs,
    })
    const snapshot = new ExportSnapshot(client)
    try {
      await client.connect()
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
      await client.query(`DECLARE links NO SCROLL CURSOR FOR ${text}`, values)
      return snapshot
    } catch (error) {
      await snapshot.close()
      throw error
    }
  }

  /** Returns the next rows, or none at the end. */
  async readRows(): Promise<LinkRow[]> {
    return (await this.client.query<LinkRow & object>(`FETCH ${rowsPerFetch} FROM links`)).rows
  }

  async close(): Promise<void> {
    await endConnection(this.client)
  }
}

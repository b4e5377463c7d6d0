/**
 * A snapshot of the links for one export: a read-only transaction with a cursor. It has a connection of its own, so
 * that slow readers take no connections from the API calls.
 */
import { connectMayTakeMs, keptAlive } from '../../platform/database/data-source.js'
import { clientDeadline, endConnection, PgClient } from '../../platform/database/pg-client.js'
import type { LinkRow } from '../link.entity.js'

const rowsAtOnce = 500
const statementMayTakeMs = 60_000

export class ExportSnapshot {
  private constructor(private readonly client: PgClient) {}

  static async open(
    databaseUrl: string,
    mayTakeMs: number,
    { text, values }: { text: string; values: unknown[] },
  ): Promise<ExportSnapshot> {
    const client = new PgClient({
      connectionString: databaseUrl,
      application_name: 'link-service export',
      connectionTimeoutMillis: connectMayTakeMs,
      ...keptAlive,
      statement_timeout: statementMayTakeMs,
      query_timeout: clientDeadline(statementMayTakeMs),
      // The transaction is idle while the client reads.
      idle_in_transaction_session_timeout: mayTakeMs,
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

  /** The next rows; none when all were read. */
  async next(): Promise<LinkRow[]> {
    return (await this.client.query<LinkRow & object>(`FETCH ${rowsAtOnce} FROM links`)).rows
  }

  async close(): Promise<void> {
    await endConnection(this.client)
  }
}

import type { EntityManager } from 'typeorm'
import type { PoolClient, QueryResult } from 'pg'

/**
 * Runs a statement that PostgreSQL plans once for each connection, by its name. For statements whose planning would cost
 * more than their work: those over several partitioned tables.
 */
export async function prepared<Row>(
  tx: EntityManager,
  name: string,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const client = (await tx.queryRunner?.connect()) as PoolClient | undefined
  if (!client) throw new Error('a prepared statement needs a transaction')
  const result: QueryResult = await client.query({ name, text, values: [...values] })
  return result.rows as Row[]
}

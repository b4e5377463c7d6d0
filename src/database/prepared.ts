import type { PoolClient, QueryResultRow } from 'pg'
import type { EntityManager } from 'typeorm'

/** A statement of a transaction that is parsed, and soon planned, once for each connection; the name must be its own. */
export async function queryPrepared<Row extends QueryResultRow>(
  tx: EntityManager,
  statement: { readonly name: string; readonly text: string },
  values: readonly unknown[],
): Promise<Row[]> {
  if (!tx.queryRunner) throw new Error('there is no transaction to run in')
  const client = (await tx.queryRunner.connect()) as PoolClient
  const { rows } = await client.query<Row>({ ...statement, values: [...values] })
  return rows
}

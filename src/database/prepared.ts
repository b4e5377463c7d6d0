/**
 * Statements of hot calls. PostgreSQL parses and plans a named statement once for each connection, and it takes one round
 * trip. TypeORM's own queries are parsed anew each time.
 */
import type { PoolClient, QueryResultRow } from 'pg'
import type { EntityManager } from 'typeorm'

export interface Statement {
  /** Absent where a plan made for all values would not fit each of them. */
  name?: string
  text: string
}

/** Runs in the transaction of the manager, or in one of its own. */
export async function run<Row extends QueryResultRow>(
  db: EntityManager,
  { name, text }: Statement,
  values: unknown[],
): Promise<Row[]> {
  const runner = db.queryRunner ?? db.dataSource.createQueryRunner()
  try {
    const client = (await runner.connect()) as PoolClient
    db.dataSource.logger.logQuery(text, values, runner)
    const { rows } = await client.query<Row>({ ...(name === undefined ? {} : { name }), text, values })
    return rows
  } finally {
    if (runner !== db.queryRunner) await runner.release()
  }
}

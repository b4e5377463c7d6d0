import type { PoolClient, QueryConfig, QueryResult } from 'pg'
import type { DataSource } from 'typeorm'

/**
 * A transaction of statements that need nothing of each other's answers. They are sent together: where each one would
 * wait for a round trip of its own, and hold its locks meanwhile, they take one. A statement with a name is planned once
 * for each connection, which is worth it where planning costs more than the work: over several partitioned tables.
 */
export async function inOneTrip(
  dataSource: DataSource,
  ...statements: readonly QueryConfig[]
): Promise<QueryResult[]> {
  const runner = dataSource.createQueryRunner()
  try {
    const client = (await runner.connect()) as PoolClient
    const answers = await Promise.allSettled([
      client.query('START TRANSACTION'),
      ...statements.map((statement) => client.query(statement)),
      // Rolls back when one of them failed.
      client.query('COMMIT'),
    ])
    const [, ...results] = answers.map((answer) => {
      if (answer.status === 'rejected') throw answer.reason
      return answer.value
    })
    return results.slice(0, -1)
  } finally {
    await runner.release()
  }
}

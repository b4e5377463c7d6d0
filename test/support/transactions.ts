/** Transactions that the test begins and ends. */
import { DataSource } from 'typeorm'
import type { EntityManager, QueryRunner } from 'typeorm'

import type { Service } from './service.js'

/** Begins a transaction and assigns its transaction ID. */
export async function begin({ app }: Service): Promise<QueryRunner> {
  const runner = app.get(DataSource).createQueryRunner()
  await runner.startTransaction()
  await runner.query('SELECT pg_current_xact_id()')
  return runner
}

export async function commit(runner: QueryRunner): Promise<void> {
  await runner.commitTransaction()
  await runner.release()
}

export async function rollback(runner: QueryRunner): Promise<void> {
  await runner.rollbackTransaction()
  await runner.release()
}

/** Holds a transaction open during the work, as another process would, so that the service can use its pool. */
export async function duringTransaction(
  { app }: Service,
  work: (tx: EntityManager) => Promise<void>,
): Promise<void> {
  const runner = app.get(DataSource).createQueryRunner()
  await runner.startTransaction()
  try {
    await work(runner.manager)
    await runner.commitTransaction()
  } finally {
    await runner.release()
  }
}

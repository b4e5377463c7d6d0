/** A transaction whose begin and end the test controls. */
import { DataSource } from 'typeorm'
import type { QueryRunner } from 'typeorm'

import type { Service } from './service.js'

/** Begins a transaction, and gives it its number at once. */
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

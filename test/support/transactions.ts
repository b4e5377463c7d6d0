/** A transaction of which the test says when it begins and when it ends. */
import { DataSource } from 'typeorm'
import type { QueryRunner } from 'typeorm'

import type { Service } from './service.js'

/** It has its number from here on. */
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

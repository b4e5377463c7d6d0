/**
 * Runs prepared statements, for frequent calls. PostgreSQL parses and plans a named statement once per connection, but
 * parses TypeORM's own queries each time.
 */
import { hash } from 'node:crypto'

import type { PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg'
import type { DataSource, EntityManager, SelectQueryBuilder } from 'typeorm'

import { firstId, lastId } from './ids.js'
import { type PgClient, statementTimeoutMs } from './pg-client.js'

export interface Statement {
  /** Absent if no single plan fits all values. The statement is then planned each time. */
  name?: string
  text: string
}

/** Runs the statement in the manager's transaction, or on its own if there is none. */
export async function runStatement<Row extends QueryResultRow>(
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

/**
 * Runs statements that do not depend on each other's results, in one transaction and in one round trip, which also
 * shortens their locks. A named statement is planned once per connection, which helps if planning is expensive, for
 * example with several partitioned tables.
 */
export async function runPipelined(
  dataSource: DataSource,
  ...statements: readonly QueryConfig[]
): Promise<QueryResult[]> {
  const runner = dataSource.createQueryRunner()
  try {
    const client = (await runner.connect()) as PgClient
    // Each statement waits for the results of the ones before it.
    client.allowLonger(statements.length * statementTimeoutMs)
    const [, ...results] = await awaitAll([
      client.query('START TRANSACTION'),
      ...statements.map((statement) => client.query(statement)),
      // PostgreSQL rolls back here if one of the statements failed.
      client.query('COMMIT'),
    ])
    return results.slice(0, -1)
  } finally {
    await runner.release()
  }
}

/**
 * Waits for statements of one transaction that were sent together. PostgreSQL runs them in order. `Promise.all` alone
 * rejects at the first failure, but the transaction must not end before every statement has ended.
 */
export async function awaitAll<Sent extends readonly unknown[] | []>(
  sent: Sent,
): Promise<{ -readonly [I in keyof Sent]: Awaited<Sent[I]> }> {
  await Promise.allSettled(sent)
  return Promise.all(sent)
}

/** The limits of the usual page sizes, plus the row that shows whether another page follows. */
const usualLimits = new Set([20, 50, 100].map((size) => size + 1))
const names = new Map<string, string>()

/**
 * Returns the statement of a list, whose text depends on the filters. The limit is part of the text, so that the
 * planner knows it. Only statements with a usual limit are prepared, so that callers cannot fill the connections with
 * prepared statements.
 */
export function listStatement(kind: string, text: string, limit: number): Statement {
  if (!usualLimits.has(limit)) return { text }
  let name = names.get(text)
  if (name === undefined)
    names.set(text, (name = `${kind} ${hash('sha256', text, 'base64url').slice(0, 12)}`))
  return { name, text }
}

/** Conditions that are joined with AND. Their values are numbered in the order they are added. */
export class Conditions {
  private readonly texts: string[] = []

  /** Pass the same `values` to conditions in different parts of one statement. */
  constructor(readonly values: unknown[] = []) {}

  /** Adds a condition. Each `?` stands for one of the values. */
  addCondition(text: string, ...values: unknown[]): this {
    let next = this.values.length
    this.texts.push(text.replace(/\?/g, () => `$${++next}`))
    this.values.push(...values)
    return this
  }

  /**
   * Selects the IDs of one owner that are at least `from` and below `until` and `before`. The rows are ordered by owner
   * and ID, and the owner is part of the range, so that only an index that starts with the owner has this order.
   *
   * With `owner = ?`, the primary key has this order too, and a generic plan does not know the owner. If the average
   * owner has many rows, the plan would scan the primary key, which is slow for an owner with few rows.
   */
  addIdConditions(owner: string, id: string, { from, until, before }: Bounds): this {
    if (before) this.addCondition('id <> ?', before)
    const ends = [until, before].filter((end) => end !== null && end !== undefined).sort()
    // The planner estimates such a range by its first column alone. With < instead of <=, it would expect no rows.
    return this.addCondition(`(${owner}, id) >= (?, ?)`, id, from ?? firstId).addCondition(
      `(${owner}, id) <= (?, ?)`,
      id,
      ends[0] ?? lastId,
    )
  }

  get text(): string {
    return this.texts.join(' AND ')
  }
}

/**
 * `Conditions.addIdConditions` for a query builder, newest first. The entity has a `workspaceId` and an `id`. `owner` is
 * the property between both in the index to use, with its value.
 */
export function selectNewest<T extends { workspaceId: string; id: string }>(
  query: SelectQueryBuilder<T>,
  workspaceId: string,
  { from, until, before }: Bounds,
  owner?: { property: string & keyof T; value: unknown },
): SelectQueryBuilder<T> {
  const { alias } = query
  const { property, value } = owner ?? { property: 'workspaceId', value: workspaceId }
  const key = `(${alias}.${property}, ${alias}.id)`
  const ends = [until, before].filter((end) => end !== null && end !== undefined).sort()
  query
    .where(`${key} >= (:ownerValue, :firstId)`, { ownerValue: value, firstId: from ?? firstId })
    .andWhere(`${key} <= (:ownerValue, :lastId)`, { lastId: ends[0] ?? lastId })
    .orderBy({ [`${alias}.${property}`]: 'DESC', [`${alias}.id`]: 'DESC' })
  if (owner) query.andWhere(`${alias}.workspaceId = :workspaceId`, { workspaceId })
  return before === null ? query : query.andWhere(`${alias}.id <> :before`, { before })
}

interface Bounds {
  /** `from` and `until` are the lowest IDs of two times. No row has such an ID. */
  from?: string | null | undefined
  until?: string | null | undefined
  /** The last id of the previous page; null for the first page. */
  before: string | null
}

/**
 * Statements of frequent calls. PostgreSQL parses and plans a named statement only once per connection, and running it
 * takes one round trip. TypeORM's own queries are parsed anew each time.
 */
import { hash } from 'node:crypto'

import type { PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg'
import type { DataSource, EntityManager, SelectQueryBuilder } from 'typeorm'

import { firstId, lastId } from './ids.js'
import { type PgClient, statementMayTakeMs } from './pg-client.js'

export interface Statement {
  /** Absent where one plan would not fit all values: such a statement is planned each time. */
  name?: string
  text: string
}

/** Runs the statement in the manager's transaction, or in one of its own when there is none. */
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

/** Runs a statement that may take longer than others, in a transaction of its own and in one round trip. */
export async function runLonger<Row extends QueryResultRow>(
  dataSource: DataSource,
  mayTakeMs: number,
  statement: Statement,
  values: unknown[],
): Promise<Row[]> {
  const limit = { text: `SELECT set_config('statement_timeout', $1, true)`, values: [String(mayTakeMs)] }
  const [, result] = await sendTogether(dataSource, mayTakeMs, [limit, { ...statement, values }])
  return result!.rows as Row[]
}

/**
 * Runs statements that do not need each other's answers in one transaction. They are sent together, so all of them take
 * one round trip instead of one each, and hold their locks for a shorter time. A statement with a name is planned once
 * per connection. That pays where planning costs more than the work, as it does over several partitioned tables.
 */
export function runPipelined(
  dataSource: DataSource,
  ...statements: readonly QueryConfig[]
): Promise<QueryResult[]> {
  return sendTogether(dataSource, statementMayTakeMs, statements)
}

async function sendTogether(
  dataSource: DataSource,
  mayTakeMs: number,
  statements: readonly QueryConfig[],
): Promise<QueryResult[]> {
  const runner = dataSource.createQueryRunner()
  try {
    const client = (await runner.connect()) as PgClient
    // Each statement waits for the responses to those before it.
    client.allowLonger(statements.length * mayTakeMs)
    const [, ...results] = await together([
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
 * Waits for statements of one transaction that were sent without waiting for each other's answers. PostgreSQL runs them
 * in order. `Promise.all` alone would not do: it rejects at the first failure, and the transaction must not end before
 * each statement has ended.
 */
export async function together<Sent extends readonly unknown[] | []>(
  sent: Sent,
): Promise<{ -readonly [I in keyof Sent]: Awaited<Sent[I]> }> {
  await Promise.allSettled(sent)
  return Promise.all(sent)
}

/** The limits for the usual page sizes. One row more is read, to see whether another page follows. */
const usualLimits = new Set([20, 50, 100].map((size) => size + 1))
const names = new Map<string, string>()

/**
 * The statement of a list. Each combination of filters makes another text. The limit is part of the text, so that the
 * planner knows it. Only statements with a usual limit are prepared, so that no caller can fill the connections with
 * them.
 */
export function listStatement(kind: string, text: string, limit: number): Statement {
  if (!usualLimits.has(limit)) return { text }
  let name = names.get(text)
  if (name === undefined)
    names.set(text, (name = `${kind} ${hash('sha256', text, 'base64url').slice(0, 12)}`))
  return { name, text }
}

/** Conditions that are joined by AND. Their values are numbered in the order in which they are added. */
export class Conditions {
  private readonly texts: string[] = []

  /** Conditions in different places of one statement share their values. */
  constructor(readonly values: unknown[] = []) {}

  /** Each `?` stands for one of the values. */
  add(text: string, ...values: unknown[]): this {
    let next = this.values.length
    this.texts.push(text.replace(/\?/g, () => `$${++next}`))
    this.values.push(...values)
    return this
  }

  /**
   * Selects the ids of one owner that are at least `from` and below `until` and `before`. The rows are ordered by owner
   * and id, and the owner is part of the range, so that only an index that begins with the owner has this order.
   *
   * With `owner = ?`, the primary key has this order too. A prepared plan does not know which owner is meant. Where the
   * average owner has many rows, it would read everybody's rows by the primary key, and an owner with few rows would
   * wait for all of them.
   */
  addIdsOf(owner: string, id: string, { from, until, before }: Bounds): this {
    if (before) this.add('id <> ?', before)
    const ends = [until, before].filter((end) => end !== null && end !== undefined).sort()
    // The planner judges such a range by its first column alone. With < instead of <= it would expect no rows.
    return this.add(`(${owner}, id) >= (?, ?)`, id, from ?? firstId).add(
      `(${owner}, id) <= (?, ?)`,
      id,
      ends[0] ?? lastId,
    )
  }

  get text(): string {
    return this.texts.join(' AND ')
  }
}

/** `Conditions.addIdsOf` for a query builder, newest first. The entity has a `workspaceId` and an `id`. */
export function newestOf<T extends { workspaceId: string; id: string }>(
  query: SelectQueryBuilder<T>,
  workspaceId: string,
  { from, until, before }: Bounds,
): SelectQueryBuilder<T> {
  const { alias } = query
  const key = `(${alias}.workspaceId, ${alias}.id)`
  const ends = [until, before].filter((end) => end !== null && end !== undefined).sort()
  query
    .where(`${key} >= (:workspaceId, :firstId)`, { workspaceId, firstId: from ?? firstId })
    .andWhere(`${key} <= (:workspaceId, :lastId)`, { lastId: ends[0] ?? lastId })
    .orderBy({ [`${alias}.workspaceId`]: 'DESC', [`${alias}.id`]: 'DESC' })
  return before === null ? query : query.andWhere(`${alias}.id <> :before`, { before })
}

interface Bounds {
  /** `from` and `until` are the lowest ids of two moments. No row has such an id. */
  from?: string | null | undefined
  until?: string | null | undefined
  /** The last id of the previous page; null for the first page. */
  before: string | null
}

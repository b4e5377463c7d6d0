/**
 * Statements of hot calls. PostgreSQL parses and plans a named statement once for each connection, and it takes one round
 * trip. TypeORM's own queries are parsed anew each time.
 */
import { hash } from 'node:crypto'

import type { PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg'
import type { DataSource, EntityManager, EntityMetadata } from 'typeorm'

import { firstId, lastId } from './ids.js'

export interface Statement {
  /** Absent where one plan would not fit all values: such a statement is planned each time. */
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

/**
 * A transaction of statements that need nothing of each other's answers. They are sent together: where each one would
 * wait for a round trip of its own, and hold its locks meanwhile, they take one. A statement with a name is planned once
 * for each connection, which is worth it where planning costs more than the work: over several partitioned tables.
 */
export async function runPipelined(
  dataSource: DataSource,
  ...statements: readonly QueryConfig[]
): Promise<QueryResult[]> {
  const runner = dataSource.createQueryRunner()
  try {
    const client = (await runner.connect()) as PoolClient
    const [, ...results] = await together([
      client.query('START TRANSACTION'),
      ...statements.map((statement) => client.query(statement)),
      // Rolls back when one of them failed.
      client.query('COMMIT'),
    ])
    return results.slice(0, -1)
  } finally {
    await runner.release()
  }
}

/**
 * Statements of one transaction that are sent without waiting for each other's answers; PostgreSQL does them in their order.
 * Not `Promise.all`: each has to have ended before the transaction does.
 */
export async function together<Sent extends readonly unknown[] | []>(
  sent: Sent,
): Promise<{ -readonly [I in keyof Sent]: Awaited<Sent[I]> }> {
  await Promise.allSettled(sent)
  return Promise.all(sent)
}

/** What pages have that most callers ask for, and one row more, which says whether another page follows. */
const usualLimits = new Set([20, 50, 100].map((size) => size + 1))
const names = new Map<string, string>()

/**
 * A list by its filters: each combination of them is a statement of its own. The limit stands in the text, for the
 * planner to know it; only usual ones are prepared, so that nobody fills the connections with statements.
 */
export function listStatement(kind: string, text: string, limit: number): Statement {
  if (!usualLimits.has(limit)) return { text }
  let name = names.get(text)
  if (name === undefined)
    names.set(text, (name = `${kind} ${hash('sha256', text, 'base64url').slice(0, 12)}`))
  return { name, text }
}

/** Conditions that are joined by AND, with their values numbered in the order in which they come. */
export class Conditions {
  readonly values: unknown[] = []
  private readonly texts: string[] = []

  /** Each `?` stands for one of the values. */
  add(text: string, ...values: unknown[]): this {
    let next = this.values.length
    this.texts.push(text.replace(/\?/g, () => `$${++next}`))
    this.values.push(...values)
    return this
  }

  /**
   * The ids of one owner from `from` on, in front of `until` and of `before`; the rows are ordered by the owner and the id.
   * As a range, only an index that begins with the owner has that order. With `owner = ?` the order would be that of the
   * ids alone, and a prepared plan, which knows no owner, walks through everybody's rows by the primary key where the
   * average owner has many: one who has few then waits for all of them.
   */
  addIdsOf(owner: string, id: string, { from, until, before }: Bounds): this {
    if (before) this.add('id <> ?', before)
    const ends = [until, before].filter((end) => end !== null && end !== undefined).sort()
    // With < in place of <= the planner would take the range for empty.
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

interface Bounds {
  /** The lowest id of a moment, as `until` is: no row has it. */
  from?: string | null | undefined
  until?: string | null | undefined
  /** Where the page before this one ended. */
  before: string | null
}

/** The columns of an entity under the names of its properties, so that rows have its shape. */
export function columnsOf({ columns }: EntityMetadata, alias: string): string {
  return columns
    .map(({ databaseName, propertyName }) => `${alias}."${databaseName}" AS "${propertyName}"`)
    .join(', ')
}

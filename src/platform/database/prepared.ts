/**
 * Statements of hot calls. PostgreSQL parses and plans a named statement once for each connection, and it takes one round
 * trip. TypeORM's own queries are parsed anew each time.
 */
import { hash } from 'node:crypto'

import type { PoolClient, QueryResultRow } from 'pg'
import type { EntityManager, EntityMetadata } from 'typeorm'

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

  get text(): string {
    return this.texts.join(' AND ')
  }
}

/** The columns of an entity under the names of its properties, so that rows have its shape. */
export function columnsOf({ columns }: EntityMetadata, alias: string): string {
  return columns
    .map(({ databaseName, propertyName }) => `${alias}."${databaseName}" AS "${propertyName}"`)
    .join(', ')
}

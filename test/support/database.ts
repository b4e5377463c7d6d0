import pg from 'pg'

import { copyTemplate, dropCopy } from './built/database-copies.js'

export interface TestDatabase {
  url: string
  query<T = Record<string, unknown>>(sql: string, values?: unknown[]): Promise<T[]>
  drop(): Promise<void>
}

/** Creates a migrated database on the server of this Jest process. */
export async function createDatabase(): Promise<TestDatabase> {
  const url = await copyTemplate()
  const db = await connectTo(url)
  return {
    ...db,
    drop: async () => {
      await db.drop()
      await dropCopy(url)
    },
  }
}

/** Connects to a shared database. `drop` only closes the connection. */
export async function connectTo(url: string): Promise<TestDatabase> {
  const client = new pg.Client(url)
  client.on('error', () => undefined)
  await client.connect()
  return {
    url,
    query: async <T>(sql: string, values: unknown[] = []) => (await client.query(sql, values)).rows as T[],
    drop: () => client.end(),
  }
}

/** Returns the text of all rows of all tables, like a dump. */
export async function readAllRows(db: Pick<TestDatabase, 'query'>): Promise<string> {
  const tables = await db.query<{ name: string }>(
    `SELECT format('%I', tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
  )
  const texts: string[] = []
  for (const { name } of tables)
    for (const { text } of await db.query<{ text: string }>(`SELECT t::text AS text FROM ${name} t`))
      texts.push(text)
  return texts.join('\n')
}

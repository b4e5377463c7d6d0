import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'

import pg from 'pg'

export interface TestDatabase {
  url: string
  query<T = Record<string, unknown>>(sql: string, values?: unknown[]): Promise<T[]>
  drop(): Promise<void>
}

/** A fresh, migrated database on the server of this test run. */
export async function createDatabase(): Promise<TestDatabase> {
  const templateUrl = process.env['TEST_TEMPLATE_URL']
  if (!templateUrl) throw new Error('the test run has no PostgreSQL; see start-postgres.ts')
  const name = `test_${randomBytes(6).toString('hex')}`
  await onServer(templateUrl, `CREATE DATABASE ${name} TEMPLATE link_service`)
  const url = new URL(templateUrl)
  url.pathname = `/${name}`
  const client = new pg.Client(url.href)
  client.on('error', () => undefined)
  await client.connect()
  return {
    url: url.href,
    query: async <T>(sql: string, values: unknown[] = []) => (await client.query(sql, values)).rows as T[],
    drop: async () => {
      await client.end()
      await dropDatabase(templateUrl, name)
    },
  }
}

/** An autovacuum worker may be at work in it, and only a superuser may end that one: it is done within moments. */
async function dropDatabase(templateUrl: string, name: string, tries = 20): Promise<void> {
  try {
    await onServer(templateUrl, `DROP DATABASE ${name} WITH (FORCE)`)
  } catch (error) {
    if ((error as pg.DatabaseError).code !== '42501' || tries === 0) throw error
    await setTimeout(250)
    await dropDatabase(templateUrl, name, tries - 1)
  }
}

async function onServer(templateUrl: string, sql: string): Promise<void> {
  const url = new URL(templateUrl)
  url.pathname = '/postgres'
  const client = new pg.Client(url.href)
  await client.connect()
  try {
    // Two copies of one template at the same moment are refused, so spec files that start together take turns.
    await client.query('SELECT pg_advisory_lock(7305900)')
    await client.query(sql)
  } finally {
    await client.end()
  }
}

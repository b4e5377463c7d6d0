/** Creates databases on the server of this Jest process as copies of the migrated template. */
import { randomBytes } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'

import pg from 'pg'

/** Creates a copy of the template, and resolves with its URL. */
export async function copyTemplate() {
  const url = new URL(templateUrl())
  url.pathname = `/test_${randomBytes(6).toString('hex')}`
  await onServer(`CREATE DATABASE ${getDatabaseName(url)} TEMPLATE link_service`)
  return url.href
}

/** Drops a copy. Retries while an autovacuum worker uses it, which only a superuser may terminate. */
export async function dropCopy(url, tries = 20) {
  try {
    await onServer(`DROP DATABASE ${getDatabaseName(new URL(url))} WITH (FORCE)`)
  } catch (error) {
    if (error.code !== '42501' || tries === 0) throw error
    await setTimeout(250)
    await dropCopy(url, tries - 1)
  }
}

function templateUrl() {
  const urls = process.env.TEST_TEMPLATE_URLS
  if (!urls) throw new Error('the test run has no PostgreSQL; see start-postgres.js')
  return JSON.parse(urls)[process.env.JEST_WORKER_ID - 1]
}

const getDatabaseName = ({ pathname }) => pathname.slice(1)

async function onServer(sql) {
  const url = new URL(templateUrl())
  url.pathname = '/postgres'
  const client = new pg.Client(url.href)
  await client.connect()
  try {
    // PostgreSQL does not copy a template twice concurrently, so services of a spec file take turns.
    await client.query('SELECT pg_advisory_lock(7305900)')
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** The service on an embedded database full of links; also tells how a request's statements were planned. */
import 'reflect-metadata'

import { DataSource } from 'typeorm'

import { createApp } from '../../dist/app.js'
import { TokenCommands } from '../../dist/auth/token-commands.js'
import { readSettings } from '../../dist/config/env.js'
import { createLogger } from '../../dist/config/logger.js'
import { openDatabase } from '../../dist/database/open-database.js'
import { migrateQueue } from '../../dist/queue/schema.js'
import { fill } from './fill.js'

const [folder, count] = [process.argv[2], Number(process.argv[3])]
const database = await openDatabase(
  readSettings({ DATA_DIR: folder, RATE_LIMIT: 'off', PORT: '0' }),
  'service',
)
await migrateQueue(database.settings)
const app = await createApp(database.settings, createLogger('warn'))
await app.listen({ port: 0, host: '127.0.0.1' })
const { token } = await app.get(TokenCommands).create('default', 'bench', undefined, undefined)
const { port } = app.getHttpServer().address()

const source = app.get(DataSource)
const began = performance.now()
await filled()

/** What was filled before is taken as it is. */
async function filled() {
  const [{ number }] = await source.query('SELECT count(*)::int AS number FROM links')
  if (number >= count) return
  const runner = source.createQueryRunner()
  await runner.query('SET statement_timeout = 0')
  await fill((sql, values) => runner.query(sql, values), count)
  await runner.release()
}

let statements = null
const nothing = () => undefined
source.logger = {
  logQuery: (sql, values = []) => statements?.push([sql, values]),
  logQueryError: nothing,
  logQuerySlow: nothing,
  logSchemaBuild: nothing,
  logMigration: nothing,
  log: nothing,
}

/** The statements about links that a request makes, each by the ways in which its plan reads tables. */
async function plansOf(path, method) {
  statements = []
  await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    redirect: 'manual',
    headers: { authorization: `Bearer ${token}` },
  })
  const about = statements.filter(([sql]) => /\b(links|link_counters)\b/.test(sql))
  statements = null
  const plans = []
  for (const [sql, values] of about) {
    const [row] = await source.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, values)
    plans.push(readingsOf(row['QUERY PLAN'][0].Plan).join(' + '))
  }
  return plans
}

function readingsOf(node) {
  const { 'Node Type': kind, 'Index Name': index, 'Relation Name': relation } = node
  const isReached = node['Actual Loops'] > 0
  const own =
    isReached && (index ?? (kind === 'Seq Scan' && `SEQ SCAN of ${relation}`)) ? [index ?? `SEQ SCAN`] : []
  const sorts = isReached && kind.includes('Sort') && node['Actual Rows'] > 0 ? ['sort'] : []
  return [...sorts, ...own, ...(node.Plans ?? []).flatMap(readingsOf)]
}

const work = {
  plans: async ({ path, method = 'GET' }) => ({ plans: await plansOf(path, method) }),
  memory() {
    globalThis.gc()
    const { heapUsed, external } = process.memoryUsage()
    return { used: heapUsed + external }
  },
  async stop() {
    await app.close()
    await database.release()
    return {}
  },
}

process.on('message', async ({ what, ...options }) => {
  const answer = await work[what](options)
  process.send(answer, () => {
    if (what === 'stop') process.exit(0)
  })
})
process.send({ port, token, filledIn: (performance.now() - began) / 1000 })

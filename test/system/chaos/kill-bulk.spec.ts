/** Bulk calls to a service that is killed are stored completely or not at all. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import { startProcess } from '../../support/process.js'
import { call, encryptionKey, pepper } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

const linksPerCall = 500
const kills = 5
const callsEach = 4

let db: TestDatabase
let dataDir: string
beforeAll(async () => {
  db = await createDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'link service bulk '))
})
afterAll(async () => {
  await db.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const settings = (): Record<string, string> => ({
  DATABASE_URL: db.url,
  DATA_DIR: dataDir,
  ROLE: 'api',
  RATE_LIMIT: 'off',
  TOKEN_PEPPER: pepper,
  ENCRYPTION_KEY: encryptionKey,
})

/** Returns the number of links, events, audit entries and deliveries of each call. */
const stored = () =>
  db.query<{ call: string; links: number; events: number; audited: number; deliveries: number }>(
    `SELECT split_part(slug, '-', 2) AS call, count(*)::int AS links,
       (count(*) FILTER (WHERE EXISTS (SELECT FROM events WHERE link_id = links.id)))::int AS events,
       (count(*) FILTER (WHERE EXISTS (SELECT FROM audit_log WHERE object_id = links.id)))::int AS audited,
       (count(*) FILTER (WHERE EXISTS (
         SELECT FROM deliveries JOIN events ON events.id = event_id WHERE link_id = links.id)))::int AS deliveries
     FROM links WHERE slug LIKE 'kill-%' GROUP BY 1`,
  )

/** The kills are spread evenly over the time that one call takes on this machine. */
it('creates all links of a bulk call or none when the service is killed', async () => {
  let running = await startProcess(settings())
  const token = running.firstToken!
  const webhook = { url: 'https://receiver.example/', events: ['link.created'] }
  expect((await call(running.origin, 'POST', '/v1/webhooks', { token, body: webhook })).status).toBe(201)
  const send = (name: string) =>
    call(running.origin, 'POST', '/v1/links/bulk', {
      token,
      body: {
        links: Array.from({ length: linksPerCall }, (_, i) => ({
          slug: `kill-${name}-${i}`,
          external_id: `${name} ${i}`,
          url: 'https://target.example/page',
        })),
      },
    })
  const startedAt = performance.now()
  expect((await send('whole')).status).toBe(200)
  const callMs = performance.now() - startedAt

  const acknowledged = new Set(['whole'])
  for (let kill = 0; kill < kills; kill++) {
    const names = Array.from({ length: callsEach }, (_, i) => `${kill}.${i}`)
    const sent = names.map((name) => send(name).catch(() => null))
    await new Promise((resolve) => setTimeout(resolve, (callMs * (kill + 0.5)) / kills))
    running.kill()
    for (const [i, response] of (await Promise.all(sent)).entries())
      if (response?.status === 200) acknowledged.add(names[i]!)
    await running.gone
    // PostgreSQL finishes the statement of a disconnected client before it rolls back the transaction.
    await waitFor('the transactions to end', async () => {
      const sessions = await db.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'link-service%'`,
      )
      return sessions.length === 0
    })
    running = await startProcess(settings())
  }
  await running.stop()

  const rows = await stored()
  for (const { call: name, ...counts } of rows)
    expect({ name, ...counts }).toEqual({
      name,
      links: linksPerCall,
      events: linksPerCall,
      audited: linksPerCall,
      deliveries: linksPerCall,
    })
  expect(rows.map(({ call: name }) => name)).toEqual(expect.arrayContaining([...acknowledged]))
  expect(rows.length).toBeLessThan(kills * callsEach + 1)
}, 600_000)

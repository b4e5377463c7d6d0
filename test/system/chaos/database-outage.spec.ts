/** During a database outage under load, cached links keep redirecting, and no click is lost. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { DatabaseProxy } from '../../support/database-proxy.js'
import { firefox, makeLink } from '../../support/factories/links.js'
import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import { startProcess } from '../../support/process.js'
import type { ServiceProcess } from '../../support/process.js'
import { countRounds } from '../../support/rounds.js'
import { encryptionKey, pepper, startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

// In full, both outages take 30 s. The silent database is the harder case and gets more time in a short run.
const refusalSeconds = countRounds(30, 3)
const silenceSeconds = countRounds(30, 10)
const visitors = 8

let db: TestDatabase
let proxy: DatabaseProxy
let dataDir: string
/** Keeps its own database connection, to create links and read the recorded clicks. */
let observer: Service
let running: ServiceProcess
beforeAll(async () => {
  db = await createDatabase()
  proxy = await DatabaseProxy.start(db.url)
  dataDir = await mkdtemp(join(tmpdir(), 'link service outage '))
  observer = await startService({ db })
  running = await startProcess({
    DATA_DIR: dataDir,
    DATABASE_URL: proxy.url,
    TOKEN_PEPPER: pepper,
    ENCRYPTION_KEY: encryptionKey,
    RATE_LIMIT: 'off',
    LOG_LEVEL: 'silent',
  })
}, 60_000)
afterAll(async () => {
  await running.stop()
  await observer.stop()
  await proxy.stop()
  await db.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const visit = (slug: string, query: string) =>
  fetch(`${running.origin}/${slug}?${query}`, { redirect: 'manual', headers: { 'user-agent': firefox } })

it.each([
  ['refuses connections', refusalSeconds, () => proxy.refuseConnections()],
  ['is silent', silenceSeconds, () => proxy.silenceConnections('changes', 'queries')],
])(
  'keeps redirecting and loses no click while the database %s for %i seconds',
  async (name, seconds, begin) => {
    const link = await makeLink(observer, {
      forward_query: true,
      url: `https://target.example/${name.length}`,
    })
    const cold = await makeLink(observer)
    expect((await visit(link.slug, 'warm=1')).status).toBe(302)

    let isOver = false
    let sent = 1
    const wrong: number[] = []
    const load = Promise.all(
      Array.from({ length: visitors }, async (_, visitor) => {
        for (let i = 0; !isOver; i++) {
          const { status } = await visit(link.slug, `n=${visitor}-${i}`)
          if (status === 302) sent++
          else wrong.push(status)
        }
      }),
    )
    await waitFor('the load to start', () => sent > 200)
    begin()
    const sentBefore = sent
    const startedAt = performance.now()
    const unavailable = await visit(cold.slug, '')
    expect(unavailable.status).toBe(503)
    expect(unavailable.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    expect(await unavailable.text()).not.toMatch(/ECONN|postgres|127\.0\.0\.1|timeout/i)
    await waitFor('the outage to last', () => performance.now() - startedAt > seconds * 1_000, 60_000)
    const sentDuringOutage = sent - sentBefore
    proxy.restoreConnections()
    const sentAfter = sent
    await waitFor('load after the outage', () => sent > sentAfter + 200)
    isOver = true
    await load

    expect(wrong).toEqual([])
    expect(sentDuringOutage).toBeGreaterThan(200)
    await waitFor(
      'every click to be recorded',
      async () => (await observer.call('GET', `/v1/links/${link.id}`)).body.clicks.total >= sent,
      30_000,
    )
    const [row] = await db.query(
      `SELECT total::int, (SELECT count(*)::int FROM clicks WHERE slug = $1) AS clicks,
       (SELECT count(DISTINCT url)::int FROM clicks WHERE slug = $1) AS different
     FROM link_counters JOIN links ON id = link_id WHERE slug = $1`,
      [link.slug],
    )
    expect(row).toEqual({ total: sent, clicks: sent, different: sent })
    await waitFor('cold links to work again', async () => (await visit(cold.slug, '')).status === 302)
  },
  120_000,
)

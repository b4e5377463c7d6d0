/** Two APIs behind haproxy are restarted one after the other under load. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import { firefox } from '../../support/factories/links.js'
import { freePort } from '../../support/free-port.js'
import { describeWithHaproxy, startHaproxy } from '../../support/haproxy.js'
import { startProcess } from '../../support/process.js'
import type { ServiceProcess } from '../../support/process.js'
import { roundsOf } from '../../support/rounds.js'
import { call, encryptionKey, pepper } from '../../support/service.js'
import { SteadyLoad } from '../../support/steady-load.js'

// The full rate needs an otherwise idle machine.
const perSecond = roundsOf(500, 200)
const checkEveryMs = 250

let folder: string
let db: TestDatabase
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'link-service-rolling-'))
  db = await createDatabase()
})
afterAll(async () => {
  await db.drop()
  await rm(folder, { recursive: true, force: true })
})

const startApi = (port: number) =>
  startProcess({
    ROLE: 'api',
    PORT: String(port),
    DATABASE_URL: db.url,
    TOKEN_PEPPER: pepper,
    ENCRYPTION_KEY: encryptionKey,
    DATA_DIR: join(folder, String(port)),
    RATE_LIMIT: 'off',
    // Longer than three failed checks, after which haproxy sends no more requests.
    SHUTDOWN_DELAY: '3s',
  })

describeWithHaproxy('a rolling restart behind haproxy', () => {
  it('fails no request and loses no click', async () => {
    const ports = [await freePort(), await freePort()]
    const apis: ServiceProcess[] = []
    for (const port of ports) apis.push(await startApi(port))
    const haproxy = await startHaproxy(ports, checkEveryMs)
    const token = apis.find(({ firstToken }) => firstToken !== null)!.firstToken!
    const { body: link } = await call(apis[0]!.origin, 'POST', '/v1/links', {
      token,
      body: { url: 'https://target.example/' },
    })
    const visit = { url: `${haproxy.origin}/${link.slug}`, headers: { 'user-agent': firefox }, status: 302 }
    const read = {
      url: `${haproxy.origin}/api/v1/links/${link.id}`,
      headers: { authorization: `Bearer ${token}` },
      status: 200,
    }
    const load = new SteadyLoad(perSecond, [visit, visit, visit, read])
    try {
      for (const [i, port] of ports.entries()) {
        expect(await apis[i]!.stop()).toBe(0)
        apis[i] = await startApi(port)
        await haproxy.allUp()
      }
      await load.stop()
      expect(load.failures).toEqual([])
      expect(load.sent).toBeGreaterThan(2 * 2 * perSecond)

      for (const api of apis) expect(await api.stop()).toBe(0)
      const [row] = await db.query<{ clicks: number }>('SELECT count(*)::int AS clicks FROM clicks')
      expect(row!.clicks).toBe(Math.ceil((load.sent * 3) / 4))
    } finally {
      await load.stop()
      for (const api of apis) api.kill()
      await haproxy.stop()
    }
  })
})

/**
 * A restored database is in a cluster with lower transaction IDs than its rows. The test first raises the transaction
 * IDs of the feeds, and then removes this offset, like a restore into a new cluster.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import { spawnService, startProcess } from '../../support/process.js'
import type { ServiceProcess } from '../../support/process.js'
import { call, encryptionKey, pepper } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

let folder: string
let db: TestDatabase
let service: ServiceProcess
let token: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'link-service-restored-'))
  db = await createDatabase()
})
afterAll(async () => {
  await service.stop()
  await db.drop()
  await rm(folder, { recursive: true, force: true })
})

const environment = () => ({
  DATABASE_URL: db.url,
  DATA_DIR: folder,
  TOKEN_PEPPER: pepper,
  ENCRYPTION_KEY: encryptionKey,
  RATE_LIMIT: 'off',
})
const request = (method: string, path: string, body?: unknown) =>
  call(service.origin, method, path, { token, ...(body === undefined ? {} : { body }) })
const createLink = (slug: string) => request('POST', '/v1/links', { slug, url: 'https://target.example/' })
const getIds = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id)

async function click(times: number, total: number): Promise<void> {
  for (let i = 0; i < times; i++)
    expect((await call(service.origin, 'GET', '/restored-0', {})).status).toBe(302)
  await waitFor('the clicks', async () => {
    const { body } = await request('GET', '/v1/clicks?after=&limit=100')
    return body.data.length === total
  })
}

it('lists all rows after a restore, and each row once to a consumer that resumes', async () => {
  await db.query('UPDATE feed_epoch SET first_tx = 1000000000')
  service = await startProcess(environment())
  token = service.firstToken!
  for (let i = 0; i < 5; i++) expect((await createLink(`restored-${i}`)).status).toBe(201)
  await click(3, 3)
  const events = (await request('GET', '/v1/events?after=&limit=3')).body
  expect(events.data).toHaveLength(3)
  const allEvents = getIds((await request('GET', '/v1/events?after=')).body)
  const clicks = (await request('GET', '/v1/clicks?after=&limit=2')).body
  const latestCursor = (await request('GET', '/v1/events?after=latest')).body.next_cursor
  await service.stop()
  await db.query('UPDATE feed_epoch SET cluster = 1, first_tx = 0')

  const doctor = spawnService(['doctor', '--json'], environment())
  await doctor.gone
  const found = JSON.parse(doctor.output()).checks.find(({ name }: { name: string }) => name === 'feeds')
  expect(found).toMatchObject({ status: 'warn', message: expect.stringContaining('restored') })

  service = await startProcess(environment())
  expect(getIds((await request('GET', '/v1/events?after=')).body)).toEqual(allEvents)
  const created = (await createLink('after-restore')).body
  // Open transactions of the service can delay the event.
  const laterEvents = await waitFor('the event of the new link', async () => {
    const { body } = await request('GET', `/v1/events?after=${events.next_cursor}`)
    return body.data.length === allEvents.length - 2 && body
  })
  expect(getIds(laterEvents).slice(0, -1)).toEqual(allEvents.slice(3))
  expect(laterEvents.data.at(-1).data.link.id).toBe(created.id)
  const newest = (await request('GET', `/v1/events?after=${latestCursor}`)).body
  expect(newest.data).toHaveLength(1)

  await click(2, 5)
  const newClicks = (await request('GET', `/v1/clicks?after=${clicks.next_cursor}`)).body
  expect(newClicks.data).toHaveLength(3)
  const { body } = await request('GET', '/v1/analytics?interval=12mo')
  expect(body.totals.clicks).toBe(5)
}, 120_000)

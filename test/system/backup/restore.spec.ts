/** Backs up a running service, loses its database, and restores the backup into a new data folder. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'

import { copyDataFolder } from '../../support/data-folder.js'
import { spawnService, startProcess } from '../../support/process.js'
import type { ServiceProcess } from '../../support/process.js'
import { startReceiver } from '../../support/receiver.js'
import type { Receiver } from '../../support/receiver.js'
import { call } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

let folder: string
let oldData: string
let newData: string
let file: string
let receiver: Receiver
let service: ServiceProcess
let token: string
let isDown = false
let isVisiting = true
let visits: Promise<void>

const environment = (dataDir: string, more: Record<string, string> = {}) => ({
  DATA_DIR: dataDir,
  RATE_LIMIT: 'off',
  SHORT_URL_BASE: 'https://go.example',
  WEBHOOK_ALLOW_HTTP: 'true',
  WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
  // Long enough that the delivery is still pending in the backup, and short steps, so that it is sent soon afterwards.
  WEBHOOK_RETRY_SCHEDULE: [...Array<string>(10).fill('1s'), ...Array<string>(20).fill('5s')].join(),
  ...more,
})
const request = async (method: string, path: string, body?: unknown) =>
  call(service.origin, method, path, { token, ...(body === undefined ? {} : { body }) })
const get = async (path: string) => (await request('GET', path)).body
const createLink = async (slug: string) =>
  (await request('POST', '/v1/links', { slug, url: 'https://target.example/' })).body
const run = async (args: string[], dataDir: string, more: Record<string, string> = {}) => {
  const { gone, output, errors } = spawnService(args, environment(dataDir, more))
  return { code: await gone, out: output(), err: errors() }
}
const readFeed = async (path: string, cursor: string): Promise<string[]> => {
  const ids: string[] = []
  for (let after = cursor; ;) {
    const { data, next_cursor } = await get(`${path}?after=${after}&limit=100`)
    ids.push(...data.map(({ id }: { id: string }) => id))
    if (data.length === 0) return ids
    after = next_cursor
  }
}
const idsReceived = (path: string) => receiver.requestsTo(path).map(({ headers }) => headers['webhook-id'])

interface Facts {
  links: unknown[]
  clicks: string[]
  events: string[]
  clickCursor: string
  eventCursor: string
  visitedId: string
  analytics: unknown
  secondToken: string
  steady: string
}
let before: Facts

async function visit(slug: string, count: number): Promise<void> {
  for (let i = 0; i < count; i++) await fetch(`${service.origin}/${slug}`, { redirect: 'manual' })
}

/** Requests that run during the backup. Their clicks may or may not be part of it. */
async function visitUntilStopped(): Promise<void> {
  while (isVisiting) await visit('busy', 5).catch(() => undefined)
}

async function createHook(path: string): Promise<string> {
  const { body } = await request('POST', '/v1/webhooks', {
    url: `${receiver.origin}/${path}`,
    events: ['link.created'],
    headers: { authorization: 'Basic c2VjcmV0' },
  })
  return body.id
}

const getTotals = async (id: string) => (await get(`/v1/links/${id}/analytics?interval=24h`)).totals

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'link service backup '))
  ;[oldData, newData] = [join(folder, 'old'), join(folder, 'new')]
  file = join(folder, 'link-service.backup.gz')
  await copyDataFolder(oldData)
  receiver = await startReceiver(({ path }, response) => {
    response.statusCode = path === '/down' && isDown ? 503 : 204
    response.end()
  })
  service = await startProcess(environment(oldData))
  token = service.firstToken!
  const steady = await createHook('steady')
  const links = []
  for (let i = 0; i < 20; i++) links.push(await createLink(`backed-up-${i}`))
  await createLink('busy')
  await visit('backed-up-0', 30)
  await waitFor('the clicks', async () => (await readFeed('/v1/clicks', '')).length === 30)
  await waitFor('the deliveries', () => receiver.requestsTo('/steady').length === 21)
  await waitFor('their results', async () => (await get(`/v1/webhooks/${steady}/stats`)).succeeded === 21)
  isDown = true
  await createHook('down')
  await createLink('pending-1')
  await waitFor('a failed attempt', () => receiver.requestsTo('/down').length >= 1)
  const secondToken = (await request('POST', '/v1/auth/token', { name: 'second', scopes: ['links:read'] }))
    .body
  const clicks = await get('/v1/clicks?after=&limit=10')
  const events = await get('/v1/events?after=&limit=10')
  before = {
    links: (await get('/v1/links?limit=100')).data.filter(({ slug }: { slug: string }) => slug !== 'busy'),
    clicks: await readFeed('/v1/clicks', ''),
    events: await readFeed('/v1/events', ''),
    clickCursor: clicks.next_cursor,
    eventCursor: events.next_cursor,
    visitedId: links[0].id,
    analytics: await getTotals(links[0].id),
    secondToken: secondToken.token,
    steady,
  }
  expect(before.analytics).toMatchObject({ clicks: 30 })
  visits = visitUntilStopped()
}, 120_000)
afterAll(async () => {
  isVisiting = false
  await visits
  await service.stop()
  await receiver.stop()
  rmSync(folder, { recursive: true, force: true })
})

it('backs up a running service, and restores everything into a new data folder', async () => {
  const backup = await run(['backup', file], oldData)
  expect(backup).toMatchObject({ code: 0, err: '' })
  expect(backup.out).toContain(`Backed up the database to ${file}`)
  expect(statSync(file).mode & 0o777).toBe(0o600)

  // Written after the backup, and read by consumers: the restored feeds continue after it.
  const lost = await createLink('lost')
  await waitFor('its delivery', () => receiver.requestsTo('/steady').length === 23)
  await visit('lost', 5)
  const latest = (await get('/v1/events?after=latest')).next_cursor
  isVisiting = false
  await visits
  service.kill()
  await service.gone
  const sentBefore = idsReceived('/steady')

  mkdirSync(newData)
  await cp(join(oldData, 'secrets'), join(newData, 'secrets'), { recursive: true })
  rmSync(oldData, { recursive: true, force: true })
  const restore = await run(['restore', file], newData)
  expect(restore).toMatchObject({ code: 0, err: '' })
  expect(restore.out).toMatch(/1 delivery to 1 webhook were pending/)

  isDown = false
  service = await startProcess(environment(newData))
  expect(service.firstToken).toBeNull()
  const links = (await get('/v1/links?limit=100')).data
  expect(links.filter(({ slug }: { slug: string }) => slug !== 'busy')).toEqual(before.links)
  expect((await request('GET', `/v1/links/${lost.id}`)).status).toBe(404)
  expect((await readFeed('/v1/clicks', '')).slice(0, 30)).toEqual(before.clicks.slice(0, 30))
  expect(await getTotals(before.visitedId)).toEqual(before.analytics)
  expect((await call(service.origin, 'GET', '/v1/links', { token: before.secondToken })).status).toBe(200)

  // The receiver of the pending delivery gets it with its custom header, which is encrypted in the database.
  const down = () => receiver.requestsTo('/down').at(-1)!
  await waitFor('the pending delivery', async () => {
    const { data } = await get('/v1/webhooks')
    const [hook] = data.filter(({ url }: { url: string }) => url.endsWith('/down'))
    return hook.pending === 0 && hook.held === 0
  })
  expect(down().headers.authorization).toBe('Basic c2VjcmV0')

  const created = await createLink('after-restore')
  await waitFor('the new delivery', () => receiver.requestsTo('/steady').length > sentBefore.length)
  await waitFor('its result', async () => (await get(`/v1/webhooks/${before.steady}/stats`)).pending === 0)
  expect(idsReceived('/steady').slice(0, sentBefore.length)).toEqual(sentBefore)
  expect(idsReceived('/steady')).toHaveLength(sentBefore.length + 1)

  // A consumer that had read half of the events, and one that had read more than the backup contains.
  const resumed = await readFeed('/v1/events', before.eventCursor)
  expect(resumed.slice(0, before.events.length - 10)).toEqual(before.events.slice(10))
  const [newest] = await waitFor('the new event', async () => {
    const { data } = await get(`/v1/events?after=${latest}`)
    return data.length > 0 && data
  })
  expect(newest.data.link.id).toBe(created.id)
  const clicksBefore = (await readFeed('/v1/clicks', before.clickCursor)).length
  await visit('after-restore', 3)
  await waitFor(
    'the new clicks',
    async () => (await readFeed('/v1/clicks', before.clickCursor)).length === clicksBefore + 3,
  )
}, 120_000)

describe('a restore', () => {
  const target = () => join(folder, 'refused')
  const prepare = (withSecrets = true) => {
    rmSync(target(), { recursive: true, force: true })
    mkdirSync(join(target(), 'secrets'), { recursive: true })
    if (!withSecrets) return
    for (const name of ['encryption-key', 'token-pepper'])
      writeFileSync(join(target(), 'secrets', name), readFileSync(join(newData, 'secrets', name)))
  }
  /** Writes a copy of the backup with a changed header, and with a matching or a wrong checksum. */
  const changed = (change: (header: any) => void): string => {
    const text = gunzipSync(readFileSync(file)).toString('latin1')
    const end = text.indexOf('\n')
    const header = JSON.parse(text.slice(0, end))
    change(header)
    const copy = join(folder, 'changed.backup.gz')
    writeFileSync(copy, gzipSync(Buffer.from(JSON.stringify(header) + text.slice(end), 'latin1')))
    return copy
  }
  const refusal = async (source: string, more: Record<string, string> = {}) => {
    const { code, err } = await run(['restore', source], target(), more)
    expect(code).toBe(1)
    // Nothing was created, so the next attempt starts with an empty folder.
    expect(existsSync(join(target(), 'postgres'))).toBe(false)
    return err
  }

  it('keeps an existing file', async () => {
    const { code, err } = await run(['backup', file], newData)
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(/already exists\. Choose another file/),
    })
  })

  it('rejects a folder that a running service uses, and a database with data', async () => {
    const used = await run(['restore', file], newData)
    expect({ code: used.code, err: used.err }).toEqual({
      code: 1,
      err: expect.stringMatching(/is in use by/),
    })
    await service.stop()
    const filled = await run(['restore', file], newData)
    expect(filled.code).toBe(1)
    expect(filled.err).toMatch(/The database already contains data \(table \w+ in /)
  })

  it('rejects missing and different secrets', async () => {
    prepare(false)
    expect(await refusal(file)).toMatch(/^The secret .*encryption-key is missing\. Copy the folder "secrets"/)
    prepare()
    const other = { ENCRYPTION_KEY: 'an encryption key that is another one' }
    expect(await refusal(file, other)).toMatch(
      /^ENCRYPTION_KEY is not the one that the backup was created with/,
    )
  })

  it('rejects files that are truncated, changed or not backups', async () => {
    prepare()
    const bytes = readFileSync(file)
    const copy = join(folder, 'short.backup.gz')
    writeFileSync(copy, bytes.subarray(0, bytes.length - 20))
    expect(await refusal(copy)).toMatch(/is not a complete backup: its end is missing/)
    expect(await refusal(changed((header) => (header.takenAt = '2026-01-01T00:00:00.000Z')))).toMatch(
      /is not a complete backup: its checksum is wrong/,
    )
    expect(await refusal(changed((header) => (header.format = 'other')))).toMatch(/is not a backup of/)
    expect(await refusal(join(folder, 'absent'))).toMatch(/There is no file/)
  })

  it('rejects a backup from a newer version', async () => {
    prepare()
    const newer = changed((header) => Object.assign(header, { version: '9.0.0', formatVersion: 9 }))
    expect(await refusal(newer)).toMatch(/Restore it with version 9\.0\.0 or newer/)
  })
})

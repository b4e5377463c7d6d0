/** A process whose clock is ten days off shares a database with a process whose clock is right. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

import { decodeId, getIdTime } from '../../../src/platform/database/ids.js'
import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import { startProcess } from '../../support/process.js'
import type { ServiceProcess } from '../../support/process.js'
import { startReceiver } from '../../support/receiver.js'
import type { Receiver } from '../../support/receiver.js'
import { call, encryptionKey, pepper } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

const day = 86_400_000
const secondsOff = (time: string | Date) => Math.abs(new Date(time).getTime() - Date.now()) / 1000

describe.each([
  ['ahead', 10 * day],
  ['behind', -10 * day],
])('a process whose clock is ten days %s', (_name, shiftMs) => {
  let db: TestDatabase
  let dataDir: string
  let receiver: Receiver
  let right: ServiceProcess
  let wrong: ServiceProcess
  let token: string
  let refusals = 0

  beforeAll(async () => {
    db = await createDatabase()
    dataDir = await mkdtemp(join(tmpdir(), 'link-service-clock-'))
    receiver = await startReceiver((_request, response) =>
      response.writeHead(refusals-- > 0 ? 500 : 200).end(),
    )
    const environment = (name: string) => ({
      DATABASE_URL: db.url,
      DATA_DIR: join(dataDir, name),
      TOKEN_PEPPER: pepper,
      ENCRYPTION_KEY: encryptionKey,
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
      WEBHOOK_RETRY_SCHEDULE: '1s,1s',
    })
    const preload = pathToFileURL(resolve('test/support/shifted-clock.js')).href
    wrong = await startProcess({
      ...environment('wrong'),
      NODE_OPTIONS: `--import=${preload}`,
      CLOCK_SHIFT_MS: String(shiftMs),
    })
    token = wrong.firstToken!
    right = await startProcess(environment('right'))
  })
  afterAll(async () => {
    await Promise.all([wrong.stop(), right.stop()])
    await receiver.stop()
    await db.drop()
    await rm(dataDir, { recursive: true, force: true })
  })

  const request = (at: ServiceProcess, method: string, path: string, body?: unknown, by = token) =>
    call(at.origin, method, path, { token: by, body })
  const createLink = async (at: ServiceProcess, fields: object = {}): Promise<any> => {
    const { status, body } = await request(at, 'POST', '/v1/links', {
      url: 'https://example.com/',
      ...fields,
    })
    expect(status).toBe(201)
    return body
  }
  const visit = async (at: ServiceProcess, slug: string) =>
    (await fetch(`${at.origin}/${slug}`, { redirect: 'manual' })).status

  it('logs a warning', async () => {
    await waitFor('the warning', () => /clock is 86\d{4}\.\d s/.test(wrong.output() + wrong.errors()))
    expect(right.output() + right.errors()).not.toContain('clock is')
  })

  it('creates links with the right times, and expires links on time', async () => {
    const link = await createLink(wrong, { expires_in: '1h' })
    expect(secondsOff(link.created_at)).toBeLessThan(30)
    expect(secondsOff(getIdTime(decodeId('lnk', link.id)!))).toBeLessThan(30)
    const expires_at = new Date(Date.now() + 3_000).toISOString()
    const brief = await createLink(wrong, { expires_at })
    for (const at of [wrong, right]) {
      expect(await visit(at, link.slug)).toBe(302)
      await waitFor('the link to expire', async () => (await visit(at, brief.slug)) === 410)
      expect(Date.now()).toBeGreaterThan(Date.parse(expires_at) - 500)
      expect(await visit(at, link.slug)).toBe(302)
    }
  })

  it('records clicks with the right time', async () => {
    const link = await createLink(right)
    for (const at of [wrong, right]) expect(await visit(at, link.slug)).toBe(302)
    const clicks = async () => (await request(right, 'GET', `/v1/links/${link.id}/clicks`)).body.data
    await waitFor('both clicks', async () => (await clicks()).length === 2)
    for (const { occurred_at } of await clicks()) expect(secondsOff(occurred_at)).toBeLessThan(60)
    // The feed waits for open transactions.
    await waitFor('both clicks in the feed', async () => {
      const { data } = (await request(wrong, 'GET', '/v1/clicks?after=&limit=100')).body
      return data.filter((click: any) => click.link_id === link.id).length === 2
    })
  })

  it('creates tokens with the right expiry, which both processes apply', async () => {
    for (const [minter, other] of [
      [wrong, right],
      [right, wrong],
    ] as const) {
      const { body } = await request(minter, 'POST', '/v1/auth/token', { name: 'CI', expires_in: '60s' })
      expect(Math.abs(Date.parse(body.expires_at) - Date.now() - 60_000)).toBeLessThan(30_000)
      for (const at of [minter, other])
        expect((await request(at, 'GET', '/v1/links', undefined, body.token)).status).toBe(200)
      const { data } = (await request(other, 'GET', '/v1/auth/tokens')).body
      expect(data.map(({ id }: any) => id)).toContain(body.id)
    }
    const ended = (await request(right, 'POST', '/v1/auth/token', { name: 'CI', expires_in: '60s' })).body
    await db.query(`UPDATE tokens SET expires_at = now() - interval '1 s' WHERE id = $1`, [
      decodeId('tok', ended.id),
    ])
    for (const at of [wrong, right])
      expect((await request(at, 'GET', '/v1/links', undefined, ended.token)).body.code).toBe('token_expired')
  })

  it('delivers every event with retries, even after the process was killed', async () => {
    const { body: webhook } = await request(wrong, 'POST', '/v1/webhooks', {
      url: `${receiver.origin}/hook`,
      events: ['link.created'],
    })
    refusals = 2
    for (let i = 0; i < 3; i++) for (const at of [wrong, right]) await createLink(at)
    const stats = async (at: ServiceProcess) =>
      (await request(at, 'GET', `/v1/webhooks/${webhook.id}/stats`)).body
    await waitFor('all deliveries', async () => (await stats(right)).succeeded === 6)
    for (const { headers } of receiver.requestsTo('/hook'))
      expect(secondsOff(new Date(1000 * Number(headers['webhook-timestamp'])))).toBeLessThan(60)

    await createLink(wrong)
    wrong.kill()
    await wrong.gone
    for (let i = 0; i < 2; i++) await createLink(right)
    await waitFor('the remaining deliveries', async () => (await stats(right)).succeeded === 9)
    expect(await stats(right)).toMatchObject({ emitted: 9, pending: 0, failed: 0 })
    const events = await waitFor('the events in the feed', async () => {
      const { data } = (await request(right, 'GET', '/v1/events?after=&limit=100')).body
      return data.length >= 9 && data
    })
    for (const { timestamp } of events) expect(secondsOff(timestamp)).toBeLessThan(120)
  })

  it('creates partitions only for the weeks of the right clock', async () => {
    const rows = await db.query<{ relname: string }>(
      `SELECT relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = 'deliveries'::regclass`,
    )
    const begins = rows.map(({ relname }) =>
      Date.parse(relname.replace(/^deliveries_(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')),
    )
    expect(begins.length).toBeGreaterThan(3)
    expect(Math.min(...begins)).toBeGreaterThan(Date.now() - 8 * day)
    expect(Math.max(...begins)).toBeLessThan(Date.now() + 22 * day)
  })
})

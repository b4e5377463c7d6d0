/** A notice is sent although the process that recorded its event was killed, and at most once an hour per cause. */
import { mkdtemp, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import { startProcess } from '../../support/process.js'
import type { ServiceProcess } from '../../support/process.js'
import { startReceiver } from '../../support/receiver.js'
import type { Receiver } from '../../support/receiver.js'
import { call, encryptionKey, pepper } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

let folder: string
let db: TestDatabase
let receiver: Receiver
let api: ServiceProcess
let worker: ServiceProcess
let token: string
let respond: (response: ServerResponse) => void
beforeAll(async () => {
  respond = (response) => void response.end()
  folder = await mkdtemp(join(tmpdir(), 'link service notices '))
  db = await createDatabase()
  receiver = await startReceiver((_request, response) => respond(response))
  api = await start('api')
  token = api.firstToken!
}, 120_000)
afterAll(async () => {
  await Promise.all([api.stop(), worker.stop()])
  await receiver.stop()
  await db.drop()
  await rm(folder, { recursive: true, force: true })
}, 60_000)

const start = (role: string) =>
  startProcess({
    ROLE: role,
    DATA_DIR: join(folder, role),
    DATABASE_URL: db.url,
    TOKEN_PEPPER: pepper,
    ENCRYPTION_KEY: encryptionKey,
    RATE_LIMIT: 'off',
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
    NOTICES: `slack:${receiver.origin}/operator`,
    NOTICE_EVENTS: 'token.created,token.revoked',
  })

async function restartWorker(): Promise<void> {
  worker.kill()
  await worker.gone
  worker = await start('worker')
}

async function createTokens(...names: string[]): Promise<string[]> {
  const ids: string[] = []
  for (const name of names) {
    const body = { name, scopes: ['links:read'] }
    const response = await call(api.origin, 'POST', '/v1/auth/token', { token, body })
    expect(response.status).toBe(201)
    ids.push(response.body.id)
  }
  return ids
}

/** Causes a notice of another type, and waits for it. Earlier events have then been processed. */
async function sendOtherNotice(): Promise<void> {
  const [id] = await createTokens('revoked')
  const before = messages('revoked').length
  await letAnHourPass('token.revoked')
  expect((await call(api.origin, 'DELETE', `/v1/auth/token/${id}`, { token })).status).toBe(204)
  await waitFor('the notice of a revoked token', () => messages('revoked').length > before)
}

const texts = () => receiver.received.map(({ body }) => (JSON.parse(body) as { text: string }).text)
const messages = (word: string) => texts().filter((text) => text.includes(word))
const contents = () => receiver.received.map(({ body }) => body).join('\n')
const timesNamed = (name: string) => contents().split(`Token \\"${name}\\"`).length - 1

/** Until the worker has recorded that a message was accepted, it would undo `letAnHourPass`. */
const waitForEndOfAttempt = () =>
  waitFor('the end of the attempt', async () => {
    const [group] = await db.query<{ count: number }>(
      `SELECT count FROM notice_groups WHERE type = 'token.created'`,
    )
    return group?.count === 0
  })

/** Moves the times of a group, as after an hour. */
const letAnHourPass = (type: string) =>
  db.query(
    `UPDATE notice_groups SET sent_at = sent_at - interval '61 minutes', next_attempt_at = next_attempt_at - interval '61 minutes'
     WHERE type = $1`,
    [type],
  )

it('sends one notice after the API that recorded the events was killed', async () => {
  const names = ['first', 'second', 'third']
  await createTokens(...names)
  api.kill()
  await api.gone
  expect(texts()).toEqual([])
  worker = await start('worker')
  await waitFor('a message', () => messages('created').length > 0)
  for (const name of names) expect(timesNamed(name)).toBe(1)
  expect(messages('created')).toHaveLength(1)
  api = await start('api')
}, 120_000)

it('does not send a notice again within an hour when the worker is killed', async () => {
  await createTokens('fourth', 'fifth')
  await waitFor('the events to be grouped', async () => {
    const [group] = await db.query<{ count: number }>(
      `SELECT count FROM notice_groups WHERE type = 'token.created'`,
    )
    return group?.count === 2
  })
  await restartWorker()
  await sendOtherNotice()
  expect(messages('created')).toHaveLength(1)
  await letAnHourPass('token.created')
  await waitFor('the next message', () => messages('created').length === 2)
  for (const name of ['first', 'third', 'fourth', 'fifth']) expect(timesNamed(name)).toBe(1)
}, 120_000)

it('sends a notice again if the worker was killed before the response', async () => {
  await waitForEndOfAttempt()
  await letAnHourPass('token.created')
  respond = () => undefined
  const before = messages('created').length
  await createTokens('sixth')
  await waitFor('an attempt', () => messages('created').length === before + 1)
  worker.kill()
  await worker.gone
  respond = (response) => void response.end()
  // The attempt of the killed worker counts as failed two minutes after its start.
  await letAnHourPass('token.created')
  worker = await start('worker')
  await waitFor('the second attempt', () => messages('created').length === before + 2)
  expect(timesNamed('sixth')).toBe(2)
  await waitForEndOfAttempt()
  await sendOtherNotice()
  expect(messages('created')).toHaveLength(before + 2)
}, 120_000)

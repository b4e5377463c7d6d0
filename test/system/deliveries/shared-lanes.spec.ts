/** Workers share the lanes, so each worker adds throughput while receivers are slow. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { LaneWaker } from '../../../src/deliveries/pending-deliveries.js'
import { getWebhookUuid } from '../../support/factories/webhooks.js'
import { startProcess } from '../../support/process.js'
import type { ServiceProcess } from '../../support/process.js'
import { createHook, recordEvents, startSending } from '../../support/sending.js'
import type { Hook, Sending } from '../../support/sending.js'
import { encryptionKey, pepper } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

const webhooks = 60
const responseAfterMs = 50
const handoverMs = 5_000
const leaseMs = 8_000
const measuredMs = 2_500
const eventsForOne = 10
const eventsForTwo = 14

let folder: string
let sending: Sending
let hooks: Hook[]
const workers: ServiceProcess[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'link-service-shared-lanes-'))
  sending = await startSending((_request, response) => setTimeout(() => response.end(), responseAfterMs), {
    ROLE: 'api',
  })
  hooks = []
  for (let i = 0; i < webhooks; i++) hooks.push(await createHook(sending))
}, 60_000)
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()))
  await sending.stop()
  await rm(folder, { recursive: true, force: true })
})

async function startWorker(): Promise<ServiceProcess> {
  const worker = await startProcess({
    ROLE: 'worker',
    DATA_DIR: join(folder, String(workers.length)),
    DATABASE_URL: sending.service.db.url,
    TOKEN_PEPPER: pepper,
    ENCRYPTION_KEY: encryptionKey,
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
    WORKER_IN_FLIGHT: '4',
  })
  workers.push(worker)
  return worker
}

/** Creates deliveries while the webhooks are paused, and then activates all webhooks. */
async function startBacklog(events: number): Promise<void> {
  const { app, db } = sending.service
  await db.query(`UPDATE webhooks SET status = 'paused'`)
  await recordEvents(sending, events)
  await db.query(`UPDATE webhooks SET status = 'active'`)
  app.get(LaneWaker, { strict: false }).wake(hooks.map(getWebhookUuid))
}

const isDone = async () =>
  (await sending.service.db.query(`SELECT FROM deliveries WHERE status = 'pending' LIMIT 1`)).length === 0

/** Returns the deliveries per second while the workers share the lanes. */
async function measureRate(count: number, events: number): Promise<number> {
  await startBacklog(events)
  await waitFor(`${count} workers to share the lanes`, () => isSharedBy(count), handoverMs)
  const before = sending.receiver.received.length
  await pause(measuredMs)
  const rate = (sending.receiver.received.length - before) / (measuredMs / 1000)
  await waitFor('all deliveries', isDone, 60_000)
  return rate
}

/** Returns the number of lanes of each worker, in ascending order. */
async function countWorkerLanes(): Promise<number[]> {
  const rows = await sending.service.db.query<{ lanes: number }>(
    `SELECT count(*)::int AS lanes FROM lanes JOIN workers ON workers.id = holder WHERE alive_until > now()
     GROUP BY holder ORDER BY lanes`,
  )
  return rows.map(({ lanes }) => lanes)
}

async function isSharedBy(count: number): Promise<boolean> {
  const lanes = await countWorkerLanes()
  return (
    lanes.length === count &&
    lanes.every((held) => held > webhooks / count / 2 && held <= Math.ceil(webhooks / count))
  )
}

/** Returns the number of repeated deliveries to all webhooks. */
function countRepeats(): number {
  const { received } = sending.receiver
  return (
    received.length -
    new Set(received.map(({ path, headers }) => `${path} ${String(headers['webhook-id'])}`)).size
  )
}

it('delivers more than one and a half times as fast with two workers as with one', async () => {
  await startWorker()
  const one = await measureRate(1, eventsForOne)
  await startWorker()
  const two = await measureRate(2, eventsForTwo)
  process.stderr.write(`One worker: ${one} deliveries per second. Two workers: ${two}.\n`)
  expect(two / one).toBeGreaterThan(1.5)
  expect(countRepeats()).toBe(0)
}, 120_000)

it('rebalances lanes when a worker stops or starts, and takes over the lanes of a killed worker', async () => {
  const before = sending.receiver.received.length
  // Large enough for a busy machine to start a worker and hand over lanes twice before the backlog ends.
  const events = 50
  await startBacklog(events)
  await waitFor('two workers to share the lanes', () => isSharedBy(2), handoverMs)

  const stopped = workers.pop()!
  const stoppedAt = Date.now()
  await stopped.stop()
  await waitFor(
    'one worker to have all lanes',
    async () => (await countWorkerLanes())[0] === webhooks,
    handoverMs,
  )
  expect(Date.now() - stoppedAt).toBeLessThan(handoverMs)

  const joined = await startWorker()
  await waitFor('the new worker to have its share', () => isSharedBy(2), handoverMs)
  expect(countRepeats()).toBe(0)

  workers.pop()
  joined.kill()
  // The killed worker held half of the lanes. A busy machine can finish the backlog before this test sees the handover.
  await waitFor('the other worker to deliver the rest', isDone, leaseMs + 60_000)
  expect(countRepeats()).toBeLessThanOrEqual(4)
  expect(sending.receiver.received.length - before - countRepeats()).toBe(events * webhooks)
  for (const { path } of hooks) {
    const sequences = sending.receiver
      .requestsTo(path)
      .map(({ headers }) => Number(headers['webhook-sequence']))
    const all = Array.from({ length: eventsForOne + eventsForTwo + events }, (_, i) => i + 1)
    expect([...new Set(sequences)].sort((a, b) => a - b)).toEqual(all)
  }
}, 120_000)

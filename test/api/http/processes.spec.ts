/** The list of running processes, and draining a worker before it is stopped. */
import { DataSource } from 'typeorm'

import { ProcessesRepository } from '../../../src/app/processes/processes.repository.js'
import { WorkerCommands } from '../../../src/app/worker-commands.js'
import { WorkersRepository } from '../../../src/dispatch/workers.repository.js'
import { decodeId, encodeId, newId } from '../../../src/platform/database/ids.js'
import { withTimeout } from '../../../src/platform/util/timers.js'
import { version } from '../../../src/platform/util/program.js'
import { getWebhookUuid } from '../../support/factories/webhooks.js'
import { startReceiver } from '../../support/receiver.js'
import type { Receiver } from '../../support/receiver.js'
import { createHook, recordEvents } from '../../support/sending.js'
import type { Sending } from '../../support/sending.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

const { jest } = import.meta

let receiver: Receiver
let api: Service
let operator: string
let sending: Sending
const workers: Service[] = []
/** Milliseconds that the receiver takes to respond. */
let delayMs = 0

beforeAll(async () => {
  receiver = await startReceiver((_request, response) => void setTimeout(() => response.end(), delayMs))
  api = await startService({ env: { ROLE: 'api', ...receiverEnv } })
  sending = { service: api, receiver, stop: () => Promise.resolve() }
  operator = (await api.mint('instance:read')).token
})
afterAll(async () => {
  for (const worker of workers) await worker.stop()
  await api.stop()
  await receiver.stop()
})

const receiverEnv = { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' }

interface Listed {
  id: string
  role: string
  status: string
  webhooks: number | null
}

async function readProcesses(): Promise<Listed[]> {
  return (await api.call('GET', '/v1/instance', { token: operator })).body.processes
}

const startDraining = (id: string) =>
  new WorkersRepository(api.app.get(DataSource)).startDraining(decodeId('prc', id)!)

const readWorkers = async () => (await readProcesses()).filter(({ role }) => role === 'all')

async function startWorker(): Promise<void> {
  const before = (await readWorkers()).length
  workers.push(await startService({ db: api.db, env: { ROLE: 'all', ...receiverEnv } }))
  await waitFor('the report of the worker', async () => (await readWorkers()).length > before)
}

it('lists an API process', async () => {
  await waitFor('the first report', async () => (await readProcesses()).length === 1)
  expect(await readProcesses()).toEqual([
    {
      id: expect.stringMatching(/^prc_/),
      role: 'api',
      status: 'running',
      version,
      host: expect.any(String),
      pid: process.pid,
      started_at: expect.any(String),
      seen_at: expect.any(String),
      webhooks: null,
      lag_seconds: 0,
    },
  ])
})

it('lists a worker until it stops', async () => {
  await startWorker()
  expect(await readWorkers()).toMatchObject([{ status: 'running', webhooks: 0, lag_seconds: 0 }])
  await workers.pop()!.stop()
  expect(await readWorkers()).toEqual([])
})

it('hands over the webhooks of a drained worker after their requests have ended', async () => {
  await startWorker()
  const [first] = await readWorkers()
  delayMs = 300
  const hook = await createHook(sending, { max_in_flight: 2 })
  await recordEvents(sending, 200)
  await waitFor('a request', () => receiver.requestsTo(hook.path).length > 0)
  expect(await startDraining(first!.id)).toEqual(expect.any(Date))
  await waitFor('the end of the requests', async () => {
    const [worker] = await readWorkers()
    return worker?.status === 'drained'
  })
  const sent = receiver.requestsTo(hook.path).length
  expect(sent).toBeLessThan(200)
  expect(await new WorkersRepository(api.app.get(DataSource)).countLiveWorkers()).toEqual({
    sending: 0,
    leaving: 1,
  })
  delayMs = 0
  await startWorker()
  await waitFor('all requests', () => receiver.requestsTo(hook.path).length === 200)
  const [drained, second] = await readWorkers()
  expect(drained).toMatchObject({ id: first!.id, status: 'drained', webhooks: 0 })
  expect(second).toMatchObject({ status: 'running' })
})

it('frees a webhook that is handed over to a worker while the worker is drained', async () => {
  await startWorker()
  const worker = (await readWorkers()).find(({ status }) => status === 'running')
  const [hook, workerId] = [await createHook(sending), decodeId('prc', worker!.id)]
  // One statement, so that a heartbeat finds both changes.
  await api.db.query(
    `WITH drained AS (UPDATE workers SET leaving = true WHERE id = $2)
     UPDATE lanes SET holder = $2, woken = true WHERE webhook_id = $1`,
    [getWebhookUuid(hook), workerId],
  )
  await waitFor('the webhook to be free', async () => {
    const [lane] = await api.db.query('SELECT holder FROM lanes WHERE webhook_id = $1', [
      getWebhookUuid(hook),
    ])
    return lane!['holder'] !== workerId
  })
})

it('waits in `workers drain` until the worker knows that it is drained', async () => {
  const source = api.app.get(DataSource)
  const [processes, workers] = [new ProcessesRepository(source), new WorkersRepository(source)]
  const id = newId()
  const worker = { id, role: 'worker', version, host: 'idle', pid: 1, lagSeconds: null } as const
  await processes.reportProcess(worker, 0)
  await workers.renewLease(id, false, null)
  const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true)
  const drained = new WorkerCommands(processes, workers).drain(encodeId('prc', id)).then(() => 'drained')
  try {
    expect(await withTimeout(drained, 1_000, 'waiting')).toBe('waiting')
    expect(await workers.renewLease(id, false, null)).toMatchObject({ isLeaving: true })
    expect(await drained).toBe('drained')
    expect(write).toHaveBeenLastCalledWith(expect.stringContaining(`Drained ${encodeId('prc', id)}.`))
  } finally {
    write.mockRestore()
    await workers.removeWorker(id)
    await processes.removeProcess(id)
  }
})

it('does not drain an unknown worker', async () => {
  const [apiProcess] = await readProcesses()
  expect(await startDraining(apiProcess!.id)).toBeNull()
})

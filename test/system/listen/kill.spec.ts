/** Kills and restarts `listen` and the service while links are created and clicked. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { copyDataFolder } from '../../support/data-folder.js'
import { makeLink, visit } from '../../support/factories/links.js'
import { freePort } from '../../support/free-port.js'
import { startProcess } from '../../support/process.js'
import { startReceiver } from '../../support/receiver.js'
import type { Receiver } from '../../support/receiver.js'
import { call, startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'
import { startListening, stop } from './listener.js'

const kills = 8
const clients = 4

describe('listen', () => {
  let service: Service
  let receiver: Receiver
  beforeAll(async () => {
    service = await startService()
    receiver = await startReceiver()
  })
  afterAll(async () => {
    await service.stop()
    await receiver.stop()
  })

  const readFeed = async (path: string): Promise<string[]> => {
    const ids: string[] = []
    for (let after = ''; ;) {
      const { body } = await service.call('GET', `${path}?limit=100&after=${after}`)
      ids.push(...body.data.map(({ id }: { id: string }) => id))
      after = body.next_cursor
      if (!body.has_more) return ids
    }
  }

  it('forwards every event when it is killed and resumed, and repeats only the event in flight', async () => {
    let created = 0
    let clicked = 0
    let isDone = false
    const load = Array.from({ length: clients }, async () => {
      while (!isDone) {
        const { slug } = await makeLink(service)
        created++
        for (let i = 0; i < 3; i++) {
          await visit(service, slug)
          clicked++
        }
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    })

    const run = (from: string) =>
      startListening(service.origin, service.token, receiver.origin, '--from', from)
    // The IDs of the events that the receiver got from each run.
    const runs: string[][] = []
    const recordRun = () =>
      runs.push(receiver.received.splice(0).map(({ headers }) => headers['webhook-id'] as string))
    let from = 'start'
    for (let kill = 0; kill < kills; kill++) {
      const listener = await run(from)
      await listener.until(1 + kill * 7)
      listener.signal('SIGKILL')
      expect(await listener.gone).toBeNull()
      from = listener.cursor()
      recordRun()
    }
    isDone = true
    await Promise.all(load)
    await waitFor('the clicks', async () => (await readFeed('/v1/clicks')).length === clicked)

    const last = await run(from)
    const expected = [
      ...(await readFeed('/v1/events')),
      ...(await readFeed('/v1/clicks')).map((id) => id.replace('clk_', 'evt_')),
    ]
    expect(expected).toHaveLength(created + clicked)
    const before = new Set(runs.flat()).size
    await waitFor('the remaining events', () => last.forwarded().length >= expected.length - before, 40_000)
    expect(await stop(last)).toBe(0)
    recordRun()

    expect([...new Set(runs.flat())].sort()).toEqual([...expected].sort())
    // Only the event in flight at a kill may repeat. The next run starts with it, so both copies are adjacent.
    const all = runs.flat()
    const repeated = all.flatMap((id, i) => (all.indexOf(id) < i ? [[all.indexOf(id), i]] : []))
    expect(repeated.length).toBeLessThanOrEqual(kills)
    for (const [first, second] of repeated) expect(second).toBe(first! + 1)
    expect(runs.filter((ids) => ids.length > 0).length).toBe(kills + 1)
  }, 180_000)
})

it('listen continues without losing events when the service is killed and restarted', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'link-service-listen-'))
  const env = { DATA_DIR: join(folder, 'data'), PORT: String(await freePort()), RATE_LIMIT: 'off' }
  const receiver = await startReceiver()
  await copyDataFolder(env.DATA_DIR)
  let service = await startProcess(env)
  const token = service.firstToken!
  const listener = await startListening(service.origin, token, receiver.origin)
  const createAndVisit = async () => {
    const body = { url: 'https://target.example/page' }
    const response = await call(service.origin, 'POST', '/v1/links', { token, body })
    expect(response.status).toBe(201)
    await visit(service, response.body.slug)
  }
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 5; i++) await createAndVisit()
    service.kill()
    await service.gone
    service = await startProcess(env)
  }
  await createAndVisit()
  await waitFor('all events and clicks', () => listener.forwarded().length >= 22, 40_000)
  const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
  expect([ids.length, new Set(ids).size]).toEqual([22, 22])
  expect(await stop(listener)).toBe(0)
  expect(await service.stop()).toBe(0)
  await receiver.stop()
  await rm(folder, { recursive: true, force: true })
}, 120_000)

/** The lease of a worker whose heartbeat waits for the database. */
import type { DataSource } from 'typeorm'

import { Heartbeat } from '../../../src/dispatch/heartbeat.js'
import { WorkersRepository } from '../../../src/dispatch/workers.repository.js'
import { newId } from '../../../src/platform/database/ids.js'
import { OutboundClient } from '../../../src/platform/outbound/outbound-client.js'
import { shareService } from '../../support/shared-service.js'
import type { Service } from '../../support/service.js'
import { begin, commit, duringTransaction } from '../../support/transactions.js'
import { waitFor } from '../../support/wait-for.js'

let service: Service
beforeAll(async () => (service = await shareService()))
afterAll(() => service.stop())

it('keeps its lease when an earlier heartbeat is written after a later one', async () => {
  const worker = newId()
  const repository = service.app.get(WorkersRepository, { strict: false })
  const readLease = async () => {
    const [row] = await service.db.query<{ alive_until: Date }>(
      'SELECT alive_until FROM workers WHERE id = $1',
      [worker],
    )
    return row!.alive_until.getTime()
  }
  const earlier = await begin(service)
  const delayed = new WorkersRepository(earlier.manager as unknown as DataSource)
  try {
    // The clock of the database has advanced since the earlier heartbeat began.
    await earlier.query('SELECT pg_sleep(0.05)')
    await repository.renewLease(worker, false, null)
    const lease = await readLease()
    await delayed.renewLease(worker, false, null)
    await commit(earlier)
    expect(await readLease()).toBeGreaterThanOrEqual(lease)
  } finally {
    await repository.removeWorker(worker)
  }
})

it('gives up its lanes when its lease expires while a heartbeat waits', async () => {
  const getProvider = <T>(type: new (...args: never[]) => T) => service.app.get<T>(type, { strict: false })
  const worker = newId()
  const heartbeat = new Heartbeat(worker, getProvider(WorkersRepository), getProvider(OutboundClient))
  let expired = 0
  heartbeat.start({
    hasExcessLanes: false,
    serveHeldLanes: () => undefined,
    expireLease: () => (expired += 1),
    shareLanes: () => undefined,
  })
  try {
    await waitFor('the lease', () => heartbeat.isAlive)
    await duringTransaction(service, async (tx) => {
      await tx.query('SELECT FROM workers WHERE id = $1 FOR UPDATE', [worker])
      await waitFor('the lease to expire', () => !heartbeat.isAlive)
    })
    await waitFor('the next lease', () => heartbeat.isAlive)
    expect(expired).toBeGreaterThan(0)
  } finally {
    await heartbeat.removeWorker()
  }
})

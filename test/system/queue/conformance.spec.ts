/** The guarantees of the queue, in PostgreSQL and in Redis. */
import { setTimeout } from 'node:timers/promises'

import { waitFor } from '../../support/wait-for.js'
import { logged, startAdder, startWorker } from './participants.js'
import type { Participant } from './participants.js'
import { stores } from './stores.js'
import type { OpenStore } from './stores.js'

/** Counts the runs of each lane and the overlapping runs. */
class Runs {
  readonly of = new Map<string, number>()
  readonly active = new Set<string>()
  overlaps = 0

  constructor(private readonly work: (id: string) => Promise<unknown> = () => Promise.resolve()) {}

  readonly lane = async (id: string): Promise<void> => {
    this.of.set(id, this.count(id) + 1)
    if (this.active.has(id)) this.overlaps++
    this.active.add(id)
    try {
      await this.work(id)
    } finally {
      this.active.delete(id)
    }
  }

  count(id: string): number {
    return this.of.get(id) ?? 0
  }
}

/** Blocks jobs until it is opened. */
class Gate {
  open: () => void = () => undefined
  readonly passed = new Promise<void>((resolve) => (this.open = resolve))
}

/** Returns whether every participant has noticed that the queue is unreachable. */
async function haveNoticed(...participants: Participant[]): Promise<boolean> {
  const reach = await Promise.all(participants.map(({ jobs }) => jobs.isReachable()))
  return !reach.includes(true)
}

const ids = (count: number, prefix = 'w') => Array.from({ length: count }, (_, i) => `${prefix}${i}`)
const lanes = (...webhookIds: string[]) => webhookIds.map((webhookId) => ({ webhookId }))

for (const { name, describeStore, open } of stores)
  describeStore(`a queue ${name}`, () => {
    let store: OpenStore
    let adder: Participant
    let workers: Participant[]
    beforeEach(async () => {
      store = await open()
      adder = await startAdder(store.address)
      workers = []
      logged.length = 0
    })
    afterEach(async () => {
      await Promise.all(workers.map((worker) => worker.close()))
      await adder.close()
      await store.close()
    })

    const startWorkers = async (...options: Parameters<typeof startWorker>[1][]) => {
      for (const each of options) workers.push(await startWorker(store.address, each))
      return workers.at(-1)!
    }
    const waiting = () => adder.queue.getWaitingCount()
    /** Returns the number of jobs, without the next run of the repeated maintenance. */
    const countJobs = async () => {
      const { delayed = 0, ...counts } = await adder.queue.getJobCounts()
      return Object.values(counts).reduce((sum, count) => sum + count, 0) + Math.max(0, delayed - 1)
    }

    /** Returns whether only the next run of the repeated maintenance is in the queue. */
    const onlyTheNextRun = async () => {
      const { delayed, waiting, active } = await adder.queue.getJobCounts()
      return delayed === 1 && waiting === 0 && active === 0
    }

    it('runs each job once on one of several workers, and then removes the job', async () => {
      const [one, two] = [new Runs(() => setTimeout(5)), new Runs(() => setTimeout(5))]
      await startWorkers({ lane: one.lane, concurrency: 2 }, { lane: two.lane, concurrency: 2 })
      const all = ids(100)
      await Promise.all(all.map((webhookId) => adder.queue.add('lane', { webhookId })))
      await waitFor('all jobs', () => one.of.size + two.of.size >= 100)
      await waitFor('the queue to be empty', async () => (await countJobs()) === 0)

      expect(all.map((id) => one.count(id) + two.count(id))).toEqual(all.map(() => 1))
      expect(one.of.size).toBeGreaterThan(10)
      expect(two.of.size).toBeGreaterThan(10)
    })

    it('merges hints for one key into one waiting job', async () => {
      for (let i = 0; i < 50; i++) {
        adder.jobs.addHints('lane', lanes('a', 'b'))
        await setTimeout(3)
      }
      await waitFor('the hints to arrive', async () => (await waiting()) === 2)
      const runs = new Runs()
      await startWorkers({ lane: runs.lane })
      await waitFor('both lanes to run', () => runs.of.size === 2)
      await waitFor('the queue to be empty', async () => (await countJobs()) === 0)
      expect([runs.count('a'), runs.count('b')]).toEqual([1, 1])
    })

    it('runs a job again, without overlap, when a hint arrives during its run', async () => {
      const gate = new Gate()
      const runs = new Runs(() => gate.passed)
      await startWorkers({ lane: runs.lane })
      adder.jobs.addHints('lane', lanes('a'))
      await waitFor('the lane to run', () => runs.active.has('a'))
      for (let i = 0; i < 20; i++) {
        adder.jobs.addHints('lane', lanes('a'))
        await setTimeout(10)
      }
      // Hints arrive in the order in which they were sent.
      adder.jobs.addHints('lane', lanes('later'))
      await waitFor('a later hint to be handled', () => runs.active.has('later'))
      expect(runs.count('a')).toBe(1)
      gate.open()
      await waitFor('the lane to run again', () => runs.count('a') === 2)
      await waitFor('the queue to be empty', async () => (await countJobs()) === 0)
      expect(runs).toMatchObject({ overlaps: 0 })
      expect(runs.count('a')).toBe(2)
    })

    it('runs proven receivers first, even if they already wait as unproven', async () => {
      const gate = new Gate()
      const order: string[] = []
      const lane = (id: string) => {
        order.push(id)
        return id === 'busy' ? gate.passed : Promise.resolve()
      }
      await startWorkers({ lane, concurrency: 1 })
      adder.jobs.addHints('lane', lanes('busy'))
      await waitFor('the lane to run', () => order.length === 1)
      adder.jobs.addHints('lane', [
        { webhookId: 'failing', isProven: false },
        { webhookId: 'new', isProven: false },
      ])
      await waitFor('both jobs to wait', async () => (await adder.queue.getPrioritizedCount()) === 2)
      adder.jobs.addHints('lane', [{ webhookId: 'new', isProven: true }])
      // Checks the ID, because maintenance may wait here, too.
      await waitFor('the third job to wait', async () =>
        (await adder.queue.getWaiting()).some(
          ({ data }) => (data as { webhookId?: string }).webhookId === 'new',
        ),
      )
      gate.open()
      await waitFor('all jobs to run', () => order.length === 4)
      expect(order).toEqual(['busy', 'new', 'failing', 'new'])
    })

    it('loses none of 2,000 hints for 20 keys, and runs no key twice at a time', async () => {
      // Each hint must be followed by a run that sees the value at the time of the hint.
      const [latest, seen] = [new Map<string, number>(), new Map<string, number>()]
      const runs = new Runs(async (id) => {
        seen.set(id, latest.get(id) ?? 0)
        await setTimeout(Math.random() * 5)
      })
      await startWorkers({ lane: runs.lane, concurrency: 8 }, { lane: runs.lane, concurrency: 8 })
      for (let i = 1; i <= 2_000; i++) {
        const id = `w${i % 20}`
        latest.set(id, i)
        adder.jobs.addHints('lane', lanes(id))
        if (i % 3 === 0) await setTimeout(1)
      }
      await waitFor('the last hints to be handled', () =>
        ids(20).every((id) => seen.get(id) === latest.get(id)),
      )
      await waitFor('the queue to be empty', async () => (await countJobs()) === 0)
      expect(runs.overlaps).toBe(0)
      expect(adder.jobs.droppedHints).toBe(0)
    })

    it('logs a failed handler with its IDs, and continues with all keys', async () => {
      const runs = new Runs((id) =>
        id === 'bad' ? Promise.reject(new Error('it broke')) : Promise.resolve(),
      )
      await startWorkers({ lane: runs.lane })
      adder.jobs.addHints('lane', lanes('bad', 'good'))
      await waitFor('both lanes to run', () => runs.of.size === 2)
      await waitFor('the queue to be empty', async () => (await countJobs()) === 0)
      expect(logged).toEqual(['The job lane webhookId=bad failed: Error: it broke'])

      adder.jobs.addHints('lane', lanes('bad'))
      await waitFor('the lane to run again', () => runs.count('bad') === 2)
    })

    it('runs maintenance immediately on one worker, however often the job is declared', async () => {
      let done = 0
      const maintenance = () => {
        done++
        return Promise.resolve()
      }
      await startWorkers({ maintenance })
      await waitFor('the maintenance', () => done === 1)
      await startWorkers({ maintenance })
      for (let i = 0; i < 5; i++) await adder.jobs.scheduleRepeats('maintenance')
      await waitFor('only the next run to wait', onlyTheNextRun)
      expect(done).toBe(1)
    })

    it('repairs the schedule of a process whose clock was ten days ahead', async () => {
      const [everyMs, tenDaysMs] = [60_000, 10 * 86_400_000]
      const next = async () => (await adder.queue.getJobScheduler('maintenance'))?.next ?? 0
      const repeat = { every: everyMs, startDate: Date.now() + tenDaysMs }
      await adder.queue.upsertJobScheduler('maintenance', repeat, { name: 'maintenance', data: {} })
      expect(await next()).toBeGreaterThan(Date.now() + tenDaysMs - everyMs)
      let done = 0
      const maintenance = () => {
        done++
        return Promise.resolve()
      }
      await startWorkers({ maintenance })
      await waitFor('the maintenance', () => done > 0)
      await waitFor('a next run in the near future', async () => (await next()) < Date.now() + 2 * everyMs)
    })

    it('finishes running jobs when a worker closes, and leaves waiting jobs to other workers', async () => {
      const gate = new Gate()
      const [first, second] = [new Runs(() => gate.passed), new Runs()]
      const closing = await startWorkers({ lane: first.lane, concurrency: 3 })
      adder.jobs.addHints('lane', lanes(...ids(10)))
      await waitFor('three jobs to run', () => first.active.size === 3)
      const closed = closing.close()
      await waitFor('the worker to stop taking jobs', () => closing.hasStoppedTaking())
      gate.open()
      await closed
      const doneByFirst = first.of.size
      expect(first.active.size).toBe(0)

      await startWorkers({ lane: second.lane })
      await waitFor('the remaining jobs', () => first.of.size + second.of.size >= 10)
      await waitFor('the queue to be empty', async () => (await countJobs()) === 0)
      expect(first.of.size).toBe(doneByFirst)
      expect(ids(10).map((id) => first.count(id) + second.count(id))).toEqual(ids(10).map(() => 1))
    })

    it('limits the wait for a job that does not end', async () => {
      const runs = new Runs(() => new Promise(() => undefined))
      const worker = await startWorkers({ lane: runs.lane })
      adder.jobs.addHints('lane', lanes('a'))
      await waitFor('the lane to run', () => runs.active.has('a'))
      const startedAt = Date.now()
      await worker.close()
      expect(Date.now() - startedAt).toBeLessThan(8_000)
    })

    it('recovers after an interruption', async () => {
      const runs = new Runs(() => setTimeout(20))
      await startWorkers({ lane: runs.lane }, { lane: runs.lane })
      adder.jobs.addHints('lane', lanes('before'))
      await waitFor('the lane to run', () => runs.count('before'))

      const interruption = new AbortController()
      const hinting = (async () => {
        while (!interruption.signal.aborted) {
          adder.jobs.addHints('lane', lanes(...ids(20)))
          await setTimeout(50)
        }
      })()
      await waitFor('all lanes to run', () => ids(20).every((id) => runs.count(id) > 0))
      await store.interrupt(() => haveNoticed(adder, ...workers))
      interruption.abort()
      await hinting

      await waitFor('the queue to be reachable', () => adder.jobs.isReachable())
      // Every key runs again within seconds, including keys whose job was running at the interruption.
      const before = new Map(runs.of)
      await waitFor(
        'all lanes to run again',
        async () => {
          adder.jobs.addHints('lane', lanes(...ids(20)))
          await setTimeout(100)
          return ids(20).every((id) => runs.count(id) > (before.get(id) ?? 0))
        },
        15_000,
      )
      await waitFor('the queue to be empty', async () => (await countJobs()) === 0)
      expect(logged.filter((line) => line.startsWith('The job'))).toEqual([])
    })
  })

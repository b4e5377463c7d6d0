/** What the rest of the service may expect of the queue, wherever it is. */
import { setTimeout } from 'node:timers/promises'

import { waitFor } from '../../support/wait-for.js'
import { logged, startAdder, startWorker } from './participants.js'
import type { Adder } from './participants.js'
import { places } from './places.js'
import type { OpenPlace } from './places.js'

/** Counts the runs of each lane, and those that overlapped. */
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

/** Work that goes on until it is let go. */
class Gate {
  open: () => void = () => undefined
  readonly passed = new Promise<void>((resolve) => (this.open = resolve))
}

/** Whether each of them has seen that the queue is away. */
async function missed(...participants: Adder[]): Promise<boolean> {
  const reach = await Promise.all(participants.map(({ jobs }) => jobs.isReachable()))
  return !reach.includes(true)
}

const ids = (count: number, prefix = 'w') => Array.from({ length: count }, (_, i) => `${prefix}${i}`)
const lanes = (...webhookIds: string[]) => webhookIds.map((webhookId) => ({ webhookId }))

for (const { name, describeThere, open } of places)
  describeThere(`a queue ${name}`, () => {
    let there: OpenPlace
    let adder: Adder
    let workers: Adder[]
    beforeEach(async () => {
      there = await open()
      adder = await startAdder(there.place)
      workers = []
      logged.length = 0
    })
    afterEach(async () => {
      await Promise.all(workers.map((worker) => worker.close()))
      await adder.close()
      await there.close()
    })

    const work = async (...options: Parameters<typeof startWorker>[1][]) => {
      for (const each of options) workers.push(await startWorker(there.place, each))
      return workers.at(-1)!
    }
    const waiting = () => adder.queue.getWaitingCount()
    /** Without maintenance, which comes by itself. */
    const left = async () => {
      const { delayed = 0, ...counts } = await adder.queue.getJobCounts()
      return Object.values(counts).reduce((sum, count) => sum + count, 0) + Math.max(0, delayed - 1)
    }

    /** Of the job that comes by itself. */
    const onlyTheNextRun = async () => {
      const { delayed, waiting, active } = await adder.queue.getJobCounts()
      return delayed === 1 && waiting === 0 && active === 0
    }

    it('has each job done once, by one of several workers, and keeps nothing', async () => {
      const [one, two] = [new Runs(() => setTimeout(5)), new Runs(() => setTimeout(5))]
      await work({ lane: one.lane, jobsAtOnce: 2 }, { lane: two.lane, jobsAtOnce: 2 })
      const all = ids(100)
      await Promise.all(all.map((webhookId) => adder.queue.add('lane', { webhookId })))
      await waitFor('all to be done', () => one.of.size + two.of.size >= 100)
      await waitFor('the queue to be empty', async () => (await left()) === 0)

      expect(all.map((id) => one.count(id) + two.count(id))).toEqual(all.map(() => 1))
      expect(one.of.size).toBeGreaterThan(10)
      expect(two.of.size).toBeGreaterThan(10)
    })

    it('takes many hints for one key as one job while it waits', async () => {
      for (let i = 0; i < 50; i++) {
        adder.jobs.hint('lane', lanes('a', 'b'))
        await setTimeout(3)
      }
      await waitFor('the hints to arrive', async () => (await waiting()) === 2)
      const runs = new Runs()
      await work({ lane: runs.lane })
      await waitFor('both to run', () => runs.of.size === 2)
      await waitFor('the queue to be empty', async () => (await left()) === 0)
      expect([runs.count('a'), runs.count('b')]).toEqual([1, 1])
    })

    it('runs a job once more, and not beside itself, when a hint comes while it runs', async () => {
      const gate = new Gate()
      const runs = new Runs(() => gate.passed)
      await work({ lane: runs.lane })
      adder.jobs.hint('lane', lanes('a'))
      await waitFor('it to run', () => runs.active.has('a'))
      for (let i = 0; i < 20; i++) {
        adder.jobs.hint('lane', lanes('a'))
        await setTimeout(10)
      }
      // Hints arrive in the order in which they were given.
      adder.jobs.hint('lane', lanes('later'))
      await waitFor('a later hint to be followed', () => runs.active.has('later'))
      expect(runs.count('a')).toBe(1)
      gate.open()
      await waitFor('it to run again', () => runs.count('a') === 2)
      await waitFor('the queue to be empty', async () => (await left()) === 0)
      expect(runs).toMatchObject({ overlaps: 0 })
      expect(runs.count('a')).toBe(2)
    })

    it('takes receivers that answer first, also those that are waiting among the others', async () => {
      const gate = new Gate()
      const order: string[] = []
      const lane = (id: string) => {
        order.push(id)
        return id === 'busy' ? gate.passed : Promise.resolve()
      }
      await work({ lane, jobsAtOnce: 1 })
      adder.jobs.hint('lane', lanes('busy'))
      await waitFor('it to run', () => order.length === 1)
      adder.jobs.hint('lane', [
        { webhookId: 'failing', isProven: false },
        { webhookId: 'new', isProven: false },
      ])
      await waitFor('both to wait', async () => (await adder.queue.getPrioritizedCount()) === 2)
      adder.jobs.hint('lane', [{ webhookId: 'new', isProven: true }])
      // By its name: the job that comes by itself may wait here too.
      await waitFor('a third to wait', async () =>
        (await adder.queue.getWaiting()).some(
          ({ data }) => (data as { webhookId?: string }).webhookId === 'new',
        ),
      )
      gate.open()
      await waitFor('all to run', () => order.length === 4)
      expect(order).toEqual(['busy', 'new', 'failing', 'new'])
    })

    it('loses none of 2,000 hints over 20 keys, and runs none beside itself', async () => {
      // What the hints are about: each is followed by a run that sees what there was when it was given.
      const [given, seen] = [new Map<string, number>(), new Map<string, number>()]
      const runs = new Runs(async (id) => {
        seen.set(id, given.get(id) ?? 0)
        await setTimeout(Math.random() * 5)
      })
      await work({ lane: runs.lane, jobsAtOnce: 8 }, { lane: runs.lane, jobsAtOnce: 8 })
      for (let i = 1; i <= 2_000; i++) {
        const id = `w${i % 20}`
        given.set(id, i)
        adder.jobs.hint('lane', lanes(id))
        if (i % 3 === 0) await setTimeout(1)
      }
      await waitFor('the last hints to be followed', () =>
        ids(20).every((id) => seen.get(id) === given.get(id)),
      )
      await waitFor('the queue to be empty', async () => (await left()) === 0)
      expect(runs.overlaps).toBe(0)
      expect(adder.jobs.droppedHints).toBe(0)
    })

    it('logs a handler that fails, with the ids, and goes on with others and with the same', async () => {
      const runs = new Runs((id) =>
        id === 'bad' ? Promise.reject(new Error('it broke')) : Promise.resolve(),
      )
      await work({ lane: runs.lane })
      adder.jobs.hint('lane', lanes('bad', 'good'))
      await waitFor('both to run', () => runs.of.size === 2)
      await waitFor('the queue to be empty', async () => (await left()) === 0)
      expect(logged).toEqual(['The job lane webhookId=bad failed: Error: it broke'])

      adder.jobs.hint('lane', lanes('bad'))
      await waitFor('it to run again', () => runs.count('bad') === 2)
    })

    it('has maintenance done at once and by one worker, however often it is declared', async () => {
      let done = 0
      const maintenance = () => {
        done++
        return Promise.resolve()
      }
      await work({ maintenance })
      await waitFor('the maintenance', () => done === 1)
      await work({ maintenance })
      for (let i = 0; i < 5; i++) await adder.jobs.repeat('maintenance')
      await waitFor('nothing but its next run to wait', onlyTheNextRun)
      expect(done).toBe(1)
    })

    it('repeats a job again after a process with a clock that is ten days ahead has left', async () => {
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
      await work({ maintenance })
      await waitFor('the maintenance', () => done > 0)
      await waitFor('a time that is near', async () => (await next()) < Date.now() + 2 * everyMs)
    })

    it('lets running jobs end when a worker closes, and leaves the rest to others', async () => {
      const gate = new Gate()
      const [first, second] = [new Runs(() => gate.passed), new Runs()]
      const leaving = await work({ lane: first.lane, jobsAtOnce: 3 })
      adder.jobs.hint('lane', lanes(...ids(10)))
      await waitFor('three to run', () => first.active.size === 3)
      const closed = leaving.close()
      await waitFor('it to take no more', () => leaving.takesNoMore())
      gate.open()
      await closed
      const doneByFirst = first.of.size
      expect(first.active.size).toBe(0)

      await work({ lane: second.lane })
      await waitFor('the rest', () => first.of.size + second.of.size >= 10)
      await waitFor('the queue to be empty', async () => (await left()) === 0)
      expect(first.of.size).toBe(doneByFirst)
      expect(ids(10).map((id) => first.count(id) + second.count(id))).toEqual(ids(10).map(() => 1))
    })

    it('does not wait for ever for a job that does not end', async () => {
      const runs = new Runs(() => new Promise(() => undefined))
      const worker = await work({ lane: runs.lane })
      adder.jobs.hint('lane', lanes('a'))
      await waitFor('it to run', () => runs.active.has('a'))
      const startedAt = Date.now()
      await worker.close()
      expect(Date.now() - startedAt).toBeLessThan(8_000)
    })

    it('recovers by itself when it was gone for a while', async () => {
      const runs = new Runs(() => setTimeout(20))
      await work({ lane: runs.lane }, { lane: runs.lane })
      adder.jobs.hint('lane', lanes('before'))
      await waitFor('it to run', () => runs.count('before'))

      const over = new AbortController()
      const hinting = (async () => {
        while (!over.signal.aborted) {
          adder.jobs.hint('lane', lanes(...ids(20)))
          await setTimeout(50)
        }
      })()
      await waitFor('all lanes to run', () => ids(20).every((id) => runs.count(id) > 0))
      await there.interrupt(() => missed(adder, ...workers))
      over.abort()
      await hinting

      await waitFor('the queue to be reachable', () => adder.jobs.isReachable())
      // Every key, those of the jobs that ran while it went among them, and each within seconds.
      const before = new Map(runs.of)
      await waitFor(
        'all lanes to run again',
        async () => {
          adder.jobs.hint('lane', lanes(...ids(20)))
          await setTimeout(100)
          return ids(20).every((id) => runs.count(id) > (before.get(id) ?? 0))
        },
        15_000,
      )
      await waitFor('the queue to be empty', async () => (await left()) === 0)
      expect(logged.filter((line) => line.startsWith('The job'))).toEqual([])
    })
  })

/** Redis may lose its data, and nothing waits for it. */
import { setTimeout } from 'node:timers/promises'

import { describeWithRedis } from '../../support/describe-with.js'
import { startRedis } from '../../support/redis.js'
import type { TestRedis } from '../../support/redis.js'
import { waitFor } from '../../support/wait-for.js'
import { startAdder, startWorker } from './participants.js'
import type { Participant } from './participants.js'
import { noDatabase } from './stores.js'

describeWithRedis('a queue in Redis', () => {
  let redis: TestRedis
  let opened: Participant[]
  beforeEach(async () => {
    redis = await startRedis()
    opened = []
  })
  afterEach(async () => {
    redis.thaw()
    await Promise.all(opened.map((participant) => participant.close()))
    await redis.close()
  })

  const closeLater = async (participant: Promise<Participant>) => {
    opened.push(await participant)
    return opened.at(-1)!
  }
  const adder = () => closeLater(startAdder({ databaseUrl: noDatabase, redisUrl: redis.url }))
  const worker = (options: Parameters<typeof startWorker>[1]) =>
    closeLater(startWorker({ databaseUrl: noDatabase, redisUrl: redis.url }, options))

  /** Sends hints for a lane until it runs, because hints may be lost. */
  async function expectRun(from: Participant, runs: string[], id: string, timeoutMs = 30_000): Promise<void> {
    await waitFor(
      `${id} to run`,
      async () => {
        from.jobs.addHints('lane', [{ webhookId: id }])
        await setTimeout(50)
        return runs.includes(id)
      },
      timeoutMs,
    )
  }
  const collect = (runs: string[]) => (id: string) => Promise.resolve(void runs.push(id))

  it.each(['killed', 'frozen'])('does not delay the shutdown when Redis is %s', async (how) => {
    const runs: string[] = []
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    const busy = await worker({
      lane: (id) => {
        runs.push(id)
        return id === 'held' ? held : Promise.resolve()
      },
    })
    const from = await adder()
    await expectRun(from, runs, 'before')
    from.jobs.addHints('lane', [{ webhookId: 'held' }])
    await waitFor('the lane to run', () => runs.includes('held'))
    if (how === 'killed') await redis.kill()
    else redis.freeze()
    from.jobs.addHints('lane', [{ webhookId: 'lost' }])

    const startedAt = performance.now()
    const closed = Promise.all([busy.close(), from.close()])
    release()
    await closed
    expect(performance.now() - startedAt).toBeLessThan(8_000)
  })

  it('does not delay the shutdown when Redis was never reachable', async () => {
    await redis.kill()
    const [one, two] = [await worker({}), await adder()]
    const startedAt = performance.now()
    await Promise.all([one.close(), two.close()])
    expect(performance.now() - startedAt).toBeLessThan(8_000)
  })

  it('continues after FLUSHALL and SCRIPT FLUSH, idle or during a job', async () => {
    const runs: string[] = []
    let maintained = 0
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => (release = resolve))
    await worker({
      lane: async (id) => {
        runs.push(id)
        if (id === 'held') await held
      },
      maintenance: () => {
        maintained++
        return Promise.resolve()
      },
    })
    const from = await adder()
    await expectRun(from, runs, 'before')
    await waitFor('the first maintenance', () => maintained === 1)
    await redis.command('flushall')
    await redis.command('script', 'flush')
    await expectRun(from, runs, 'after an idle flush', 2_000)

    from.jobs.addHints('lane', [{ webhookId: 'held' }])
    await waitFor('the lane to run', () => runs.includes('held'))
    await redis.command('flushall')
    await redis.command('script', 'flush')
    await expectRun(from, runs, 'during the held job', 2_000)
    release()
    await expectRun(from, runs, 'after a busy flush', 2_000)

    // The flush removed the repeated job, too. Workers declare it again periodically.
    expect(maintained).toBe(1)
    await from.jobs.scheduleRepeats('maintenance')
    await waitFor('the maintenance', () => maintained === 2)
  })

  it('drops hints without delay while Redis is down, and recovers', async () => {
    const runs: string[] = []
    await worker({ lane: collect(runs) })
    const from = await adder()
    await expectRun(from, runs, 'before')
    await redis.kill()
    await waitFor('the outage to be noticed', async () => !(await from.jobs.isReachable()))

    const startedAt = performance.now()
    from.jobs.addHints(
      'lane',
      Array.from({ length: 30_000 }, (_, i) => ({ webhookId: `w${i}` })),
    )
    expect(performance.now() - startedAt).toBeLessThan(1_000)
    expect(from.jobs.droppedHints).toBeGreaterThanOrEqual(20_000)
    await expect(from.queue.add('lane', { webhookId: 'a' })).rejects.toThrow()

    await redis.start()
    await waitFor('the queue to be reachable', () => from.jobs.isReachable())
    await expectRun(from, runs, 'after')
  })

  it('is unreachable while Redis is frozen, and continues afterwards', async () => {
    const runs: string[] = []
    await worker({ lane: collect(runs) })
    const from = await adder()
    await expectRun(from, runs, 'before')
    redis.freeze()
    const startedAt = performance.now()
    expect(await from.jobs.isReachable()).toBe(false)
    expect(performance.now() - startedAt).toBeLessThan(3_000)
    from.jobs.addHints('lane', [{ webhookId: 'frozen' }])
    await waitFor('the hint to be dropped', () => from.jobs.droppedHints > 0)
    redis.thaw()
    await expectRun(from, runs, 'after')
  })

  it('starts without Redis, and works once Redis is reachable', async () => {
    await redis.kill()
    const runs: string[] = []
    await worker({ lane: collect(runs) })
    const from = await adder()
    expect(await from.jobs.isReachable()).toBe(false)
    from.jobs.addHints('lane', [{ webhookId: 'too early' }])
    await redis.start()
    await expectRun(from, runs, 'after')
  })
})

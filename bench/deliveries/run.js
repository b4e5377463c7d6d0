/**
 * Deliveries per second of one worker to a fast receiver, compared with a BullMQ worker that runs one job per delivery;
 * the delay from commit to receiver at 200 events per second; and deliveries per second of one, two and three workers
 * to a receiver that takes 50 ms. Measures both queues if redis-server is installed. --short leaves out what has no budget. Run after a
 * build:
 *
 *     node bench/deliveries/run.js [--rounds 3] [--queues postgres,redis] [--short]
 */
import { fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { heading, line, median, milliseconds, perSecond, quantile } from '../lib/report.js'
import { Child } from './child.js'
import { startRedis, startWorker } from './processes.js'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    queues: { type: 'string', default: 'postgres,redis' },
    short: { type: 'boolean', default: false },
  },
})
const rounds = Number(values.rounds)
const shapes = [
  { webhooks: 20, events: 1_000, goal: { atLeast: 5_000 } },
  { webhooks: 2_000, events: 10 },
]
/** The baseline gets a fraction of the events, which is enough to measure its rate. */
const baselineShare = 5
const steady = { perSecond: 200, seconds: 10 }
const scaling = {
  webhooks: 60,
  events: 80,
  workers: 3,
  leastRatios: [1.7, 2.3],
  env: { WORKER_IN_FLIGHT: '16' },
}

const file = (name) => fileURLToPath(new URL(name, import.meta.url))

for (const queue of values.queues.split(',')) {
  if (queue === 'redis' && spawnSync('redis-server', ['--version']).status !== 0)
    console.log('redis: not measured, redis-server is not installed')
  else await measure(queue)
}

async function measure(queue) {
  const folder = await mkdtemp(join(tmpdir(), 'link-service-bench-'))
  const redis = queue === 'redis' ? await startRedis() : null
  const service = new Child(
    fork(file('./service.js'), [JSON.stringify({ dataDir: folder, redisUrl: redis?.url })]),
  )
  const settings = await service.next()
  const receiver = new Child(fork(file('./receiver.js')))
  const url = `http://127.0.0.1:${(await receiver.next()).port}`
  const workers = [startWorker(settings, redis)]
  const baseline = new Child(
    fork(file('./one-job-each.js'), [
      JSON.stringify({
        databaseUrl: settings.databaseUrl,
        redisUrl: redis?.url,
        key: 'a key',
        concurrency: 50,
      }),
    ]),
  )
  try {
    await Promise.all([workers[0].ready, baseline.next()])
    heading(`deliveries of one worker (${queue}), compared with one job per delivery`)
    for (const shape of values.short ? shapes.slice(0, 1) : shapes) {
      const rates = []
      for (let round = 0; round < rounds; round++) rates.push(await ours(shape))
      const slow = await theirs(shape)
      line(`${shape.webhooks} webhooks, ${shape.events} events`, {
        figure: perSecond(median(rates)),
        baseline: perSecond(slow),
        ratio: median(rates) / slow,
        judged: median(rates),
        goal: shape.goal,
        goalText: shape.goal && `≥ ${perSecond(shape.goal.atLeast)}`,
        budget: shape.goal && 'deliveries to 20 webhooks with one worker',
      })
    }
    if (!values.short) await latency()
    await stopWorkers()
    await scale()
  } finally {
    await stopWorkers()
    for (const { child } of [receiver, baseline]) child.disconnect()
    await service.request({ what: 'stop' })
    redis?.child.kill()
    await rm(folder, { recursive: true, force: true })
  }

  async function stopWorkers() {
    for (const { child } of workers.splice(0)) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
  }

  async function scale() {
    const rates = []
    while (workers.length < scaling.workers) {
      const worker = startWorker(settings, redis, scaling.env)
      workers.push(worker)
      await worker.ready
      rates.push(await ours({ ...scaling, url: `${url}/later` }))
    }
    heading(`deliveries to a receiver that takes 50 ms (${queue}), compared with one worker`)
    for (const [i, rate] of rates.slice(1).entries())
      line(`${scaling.webhooks} webhooks, ${i + 2} workers`, {
        figure: perSecond(rate),
        baseline: perSecond(rates[0]),
        ratio: rate / rates[0],
        goal: { atLeast: scaling.leastRatios[i] },
        budget: `deliveries to slow receivers with ${i + 2} workers, compared with one`,
      })
  }

  async function ours({ webhooks, events, url: to = url }) {
    const count = webhooks * events
    await service.request({ what: 'prepare', webhooks, events, url: to })
    await receiver.request({ expect: count })
    const arrived = receiver.next()
    const { startedAt } = await service.request({ what: 'go' })
    const { at } = await arrived
    await until(async () => (await service.request({ what: 'succeeded' })).count === count)
    return count / ((at - startedAt) / 1000)
  }

  async function theirs({ webhooks, events }) {
    const count = Math.ceil((webhooks * events) / baselineShare)
    await service.request({ what: 'prepare', webhooks: Math.ceil(webhooks / baselineShare), events, url })
    await baseline.request(await service.request({ what: 'jobs' }))
    await receiver.request({ expect: count })
    const arrived = receiver.next()
    const { startedAt } = await baseline.request({ what: 'go' })
    const { at } = await arrived
    return count / ((at - startedAt) / 1000)
  }

  async function latency() {
    const count = steady.perSecond * steady.seconds
    await service.request({ what: 'prepare', webhooks: 1, events: 0, url })
    await service.request({ what: 'go' })
    await receiver.request({ expect: count, timed: true })
    const arrived = receiver.next()
    await service.request({ what: 'steady', count, perSecond: steady.perSecond })
    const { delays } = await arrived
    heading(`delay from commit to receiver (${queue}), ${steady.perSecond} events/s`)
    for (const share of [0.5, 0.99])
      line(`p${share * 100}`, { figure: milliseconds(quantile(delays, share)) })
  }
}

async function until(isTrue) {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 20))
}

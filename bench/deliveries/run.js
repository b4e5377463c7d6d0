/**
 * Deliveries per second of one worker to a fast receiver, compared with a BullMQ worker that runs one job per delivery;
 * the delay from commit to receiver at 200 events per second; and deliveries per second of one, two and three workers
 * to a receiver that takes 50 ms. Measures both queues if redis-server is installed. Run after a build:
 *
 *     node bench/deliveries/run.js [--rounds 3] [--queues postgres,redis]
 */
import { fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { Child } from './child.js'
import { startRedis, startWorker } from './processes.js'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    queues: { type: 'string', default: 'postgres,redis' },
  },
})
const rounds = Number(values.rounds)
const shapes = [
  { webhooks: 20, events: 1_000 },
  { webhooks: 2_000, events: 10 },
]
/** The baseline gets a fraction of the events, which is enough to measure its rate. */
const baselineShare = 5
const steady = { perSecond: 200, seconds: 10 }
const scaling = { webhooks: 60, events: 80, workers: 3, env: { WORKER_IN_FLIGHT: '16' } }

const file = (name) => fileURLToPath(new URL(name, import.meta.url))
const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1]
const quantile = (numbers, q) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length * q)]
const whole = (number) => Math.round(number).toLocaleString('en')

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
    let plain = null
    for (const shape of shapes) {
      const rates = []
      for (let round = 0; round < rounds; round++) rates.push(await ours(shape))
      const slow = await theirs(shape)
      plain ??= slow
      console.log(
        `${queue}, ${shape.webhooks} webhooks x ${shape.events} events: ${rates.map(whole).join(', ')}/s; one job per delivery ${whole(slow)}/s; median ratio ${(median(rates) / slow).toFixed(1)}`,
      )
    }
    await latency()
    await stopWorkers()
    await scale()
  } finally {
    await stopWorkers()
    for (const { child } of [receiver, baseline]) child.disconnect()
    await service.ask({ what: 'stop' })
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
    const ratios = rates.slice(1).map((rate) => (rate / rates[0]).toFixed(2))
    console.log(
      `${queue}, ${scaling.webhooks} webhooks with a 50 ms receiver, 1 to ${rates.length} workers: ${rates.map(whole).join(', ')}/s; ratios ${ratios.join(', ')} (goals 1.7, 2.3)`,
    )
  }

  async function ours({ webhooks, events, url: to = url }) {
    const count = webhooks * events
    await service.ask({ what: 'prepare', webhooks, events, url: to })
    await receiver.ask({ expect: count })
    const arrived = receiver.next()
    const { startedAt } = await service.ask({ what: 'go' })
    const { at } = await arrived
    await until(async () => (await service.ask({ what: 'succeeded' })).count === count)
    return count / ((at - startedAt) / 1000)
  }

  async function theirs({ webhooks, events }) {
    const count = Math.ceil((webhooks * events) / baselineShare)
    await service.ask({ what: 'prepare', webhooks: Math.ceil(webhooks / baselineShare), events, url })
    await baseline.ask(await service.ask({ what: 'jobs' }))
    await receiver.ask({ expect: count })
    const arrived = receiver.next()
    const { startedAt } = await baseline.ask({ what: 'go' })
    const { at } = await arrived
    return count / ((at - startedAt) / 1000)
  }

  async function latency() {
    const count = steady.perSecond * steady.seconds
    await service.ask({ what: 'prepare', webhooks: 1, events: 0, url })
    await service.ask({ what: 'go' })
    await receiver.ask({ expect: count, timed: true })
    const arrived = receiver.next()
    await service.ask({ what: 'steady', count, perSecond: steady.perSecond })
    const { delays } = await arrived
    console.log(
      `${queue}, delay from commit to receiver at ${steady.perSecond} events/s: p50 ${quantile(delays, 0.5)} ms, p99 ${quantile(delays, 0.99)} ms`,
    )
  }
}

async function until(isTrue) {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 20))
}

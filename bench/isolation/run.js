/**
 * The delivery delay of 100 healthy webhooks with one worker, alone and together with others. The others are 100
 * webhooks that never respond and 100 that respond after ten seconds (slow), 500 hostile receivers of every kind
 * (hostile), or 60 with a silent name server (dns). With dns, healthy names are resolved for every delivery. With
 * --new, the healthy webhooks have no history when they are measured. Run after a build:
 *
 *     node bench/isolation/run.js [--beside slow|hostile|dns] [--new] [--seconds 60] [--per-second 5]
 *       [--hostile-per-second 1] [--redis]
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clearInterval, setInterval } from 'node:timers'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { compile } from '../compile.js'
import { Child } from '../deliveries/child.js'
import { startRedis, startWorker } from '../deliveries/processes.js'
import { heading, line, milliseconds, quantile } from '../lib/report.js'

const { values } = parseArgs({
  options: {
    beside: { type: 'string', default: 'slow' },
    new: { type: 'boolean', default: false },
    redis: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '60' },
    'per-second': { type: 'string', default: '5' },
    'hostile-per-second': { type: 'string', default: '1' },
  },
})
const [seconds, perSecond] = [Number(values.seconds), Number(values['per-second'])]
const lanes = 100
const hostileLanes = 500
const deadNames = 60
const secondsAlone = Math.min(seconds, 20)

const file = (name) => fileURLToPath(new URL(`../deliveries/${name}`, import.meta.url))

const folder = await mkdtemp(join(tmpdir(), 'link-service-bench-'))
const redis = values.redis ? await startRedis() : null
const service = new Child(
  fork(file('service.js'), [JSON.stringify({ dataDir: folder, redisUrl: redis?.url })]),
)
const settings = await service.next()
const receiver = new Child(fork(file('receiver.js')))
const origin = `http://127.0.0.1:${(await receiver.next()).port}`
const hostile = values.beside === 'hostile' ? new Child(startHelper('hostile')) : null
const nameServer = values.beside === 'dns' ? new Child(startHelper('name-server')) : null
const worker = startWorker(
  settings,
  redis,
  nameServer ? { DNS_SERVERS: (await nameServer.next()).address } : {},
)
const healthyUrl = nameServer
  ? origin.replace('127.0.0.1', 'hooks.alive.example') + '/close'
  : `${origin}/well`

try {
  await worker.ready
  const otherGroups = hostile
    ? await addHostile((await hostile.next()).urls)
    : nameServer
      ? await addDead()
      : [
          await addWebhooks('hang', lanes, `${origin}/hang`),
          await addWebhooks('slow', lanes, `${origin}/slow`),
        ]
  const [first, second] = values.new ? ['main', 'new'] : ['main', 'main']
  for (const name of new Set([first, second])) await addWebhooks(name, lanes, healthyUrl)
  if (!values.new) await measure([first], 3)
  const memoryBefore = memoryOf(worker.child)
  const alone = await measure([first], secondsAlone)
  const memory = [memoryOf(worker.child)]
  const watch = setInterval(() => memory.push(memoryOf(worker.child)), 250)
  const beside = await (hostile || nameServer
    ? measureBesideHostile(second, otherGroups)
    : measure([second, ...otherGroups], seconds))
  clearInterval(watch)
  heading(`delay of healthy webhooks with ${description()}, compared with alone`)
  for (const share of [0.5, 0.99]) {
    const [figure, baseline] = [quantile(beside, share), quantile(alone, share)]
    line(`p${share * 100}`, {
      figure: milliseconds(figure),
      baseline: milliseconds(baseline),
      ratio: figure / baseline,
      ...(share === 0.99
        ? { goal: { atMost: 2 }, budget: `p99 delay of healthy webhooks with ${description()}` }
        : {}),
    })
  }
  console.log(
    `resident memory of the worker: ${memoryBefore} MB at start, ${memory[0]} MB alone, at most ${Math.max(...memory)} MB with the others`,
  )
} finally {
  worker.child.kill('SIGTERM')
  await once(worker.child, 'exit')
  receiver.child.disconnect()
  hostile?.child.disconnect()
  nameServer?.child.disconnect()
  await service.request({ what: 'stop' })
  redis?.child.kill()
  await rm(folder, { recursive: true, force: true })
}

function startHelper(name) {
  const compiled = compile('bench-isolation', [
    `test/support/${name === 'hostile' ? 'hostile-receivers' : 'name-server'}.ts`,
    'test/support/wait-for.ts',
  ])
  return fork(fileURLToPath(new URL(`./${name}.js`, import.meta.url)), [compiled])
}

function description() {
  if (nameServer) return `${deadNames} webhooks behind a silent name server`
  return hostile ? `${hostileLanes} hostile receivers` : '200 hanging or slow receivers'
}

async function addDead() {
  const names = []
  for (let i = 0; i < deadNames; i++)
    names.push(await addWebhooks(`dead ${i}`, 1, `http://hook-${i}.dead.example`))
  return names
}

async function addHostile(urls) {
  const each = Math.ceil(hostileLanes / urls.length)
  const names = []
  for (const [i, url] of urls.entries()) names.push(await addWebhooks(`hostile ${i}`, each, url))
  return names
}

/** Creates webhooks in a new workspace and returns the name of the group. */
async function addWebhooks(name, webhooks, url) {
  await service.request({ what: 'prepare', name, webhooks, events: 0, url })
  await service.request({ what: 'go', name })
  return name
}

function memoryOf({ pid }) {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Math.round(kilobytes / 1024)
}

async function measureBesideHostile(healthy, names) {
  const rate = Number(values['hostile-per-second'])
  const attacked = service.request({
    what: 'steady',
    names,
    count: seconds * rate,
    perSecond: rate,
    inTurn: true,
  })
  const delays = await measure([healthy], seconds)
  await attacked
  return delays
}

/** Returns the delays of the healthy webhooks. */
async function measure(names, duration) {
  const count = duration * perSecond
  await receiver.request({ expect: count * lanes, timed: true })
  const arrived = receiver.next()
  await service.request({ what: 'steady', names, count, perSecond })
  return (await arrived).delays
}

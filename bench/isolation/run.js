/**
 * How long 100 healthy webhooks wait for their events alone, and then beside 100 that never answer and 100 that answer
 * after ten seconds, with one worker process, from the first moment on. Run after a build:
 *
 *     node bench/isolation/run.js [--seconds 60] [--per-second 5]
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { Child } from '../deliveries/child.js'
import { startWorker } from '../deliveries/processes.js'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    'per-second': { type: 'string', default: '5' },
  },
})
const [seconds, perSecond] = [Number(values.seconds), Number(values['per-second'])]
const lanes = 100
const secondsAlone = Math.min(seconds, 20)

const file = (name) => fileURLToPath(new URL(`../deliveries/${name}`, import.meta.url))
const quantile = (numbers, q) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length * q)]

const folder = await mkdtemp(join(tmpdir(), 'link-service-bench-'))
const service = new Child(fork(file('service.js'), [JSON.stringify({ dataDir: folder })]))
const settings = await service.next()
const receiver = new Child(fork(file('receiver.js')))
const origin = `http://127.0.0.1:${(await receiver.next()).port}`
const worker = startWorker(settings, null)

try {
  await worker.ready
  for (const [name, path] of [
    ['main', 'well'],
    ['hang', 'hang'],
    ['slow', 'slow'],
  ]) {
    await service.ask({ what: 'prepare', name, webhooks: lanes, events: 0, url: `${origin}/${path}` })
    await service.ask({ what: 'go', name })
  }
  await measure(['main'], 3)
  const alone = await measure(['main'], secondsAlone)
  const beside = await measure(['main', 'hang', 'slow'], seconds)
  for (const [what, delays] of [
    ['alone', alone],
    ['beside 200 that hang or are slow', beside],
  ])
    console.log(
      `${what}: ${delays.length} deliveries, p50 ${quantile(delays, 0.5)} ms, p99 ${quantile(delays, 0.99)} ms`,
    )
  console.log(`p99 ${(quantile(beside, 0.99) / quantile(alone, 0.99)).toFixed(2)} times what it was alone`)
} finally {
  worker.child.kill('SIGTERM')
  await once(worker.child, 'exit')
  receiver.child.disconnect()
  await service.ask({ what: 'stop' })
  await rm(folder, { recursive: true, force: true })
}

/** The delays of the healthy ones. */
async function measure(names, duration) {
  const count = duration * perSecond
  await receiver.ask({ expect: count * lanes, timed: true })
  const arrived = receiver.next()
  await service.ask({ what: 'steady', names, count, perSecond })
  return (await arrived).delays
}

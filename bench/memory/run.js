/**
 * The memory of `npm start`: idle, under a steady load, after many unknown slugs, with maximum click data, and with
 * visitors that never read responses.
 *
 *     node bench/memory/run.js [--minutes 10] [--slugs 1000000]
 *
 * Run after a build, on Linux. Shared memory is divided among the processes that map it.
 */
import { parseArgs } from 'node:util'

import { startHelper } from '../lib/child.js'
import { call, closeClient, forEach } from '../lib/client.js'
import { links } from '../lib/links.js'
import { heading, line, megabytes, summary } from '../lib/report.js'
import { pause, runBenchmark } from '../lib/run.js'
import { startService } from '../lib/service.js'
import { measureLong } from './long.js'
import { memoryByPart } from './measure.js'
import { measureSteady } from './steady.js'
import { measureUnknown } from './unknown.js'
import { measureUnread } from './unread.js'

const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '10' }, slugs: { type: 'string', default: '1000000' } },
})
const minutes = Number(values.minutes)
const linkCount = 1_000
const webhooks = 5
const restMs = 10_000

if (process.platform !== 'linux') throw new Error('this benchmark needs Linux, because it reads /proc')

await runBenchmark({ minutes: minutes + 30 }, async (undo) => {
  undo(closeClient)
  const receiver = await startHelper(undo, new URL('../lib/counting-receiver.js', import.meta.url))
  const service = await startService(undo, {
    command: ['npm', 'start'],
    settings: { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' },
  })
  await pause(restMs)
  printIdle(service)

  const known = links().slice(0, linkCount)
  await forEach(known, (link) => call(service, 'POST', `${service.api}/v1/links`, link))
  for (let i = 0; i < webhooks; i++) {
    const webhook = { url: `${receiver.hello.url}/${i}`, events: ['link.created'] }
    await call(service, 'POST', `${service.api}/v1/webhooks`, webhook)
  }
  await measureSteady(service, receiver, { minutes, known, webhooks })
  await measureUnknown(service, Number(values.slugs))
  await measureLong(service)
  // Last, because its remaining memory would count for the other measurements.
  await measureUnread(service, known)
  summary()
})

function printIdle(service) {
  heading('Idle')
  const parts = memoryByPart(service)
  for (const [part, { pss, rss }] of Object.entries(parts))
    line(part, { figure: megabytes(pss), baseline: `RSS ${megabytes(rss)}` })
  const total = Object.values(parts).reduce((sum, { pss }) => sum + pss, 0)
  line('npm start in total', {
    figure: megabytes(total),
    judged: total,
    goal: { atMost: 350 },
    goalText: '< 350 MB',
  })
}

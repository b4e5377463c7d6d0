/** Memory under a steady load: 1,000 redirects, 20 new links and 100 deliveries per second. */
import { browserHeaders } from '../lib/connection.js'
import { constantRate } from '../lib/constant-rate.js'
import { paths } from '../lib/links.js'
import { heading, line, megabytes } from '../lib/report.js'
import { pause } from '../lib/run.js'
import { memoryByPart, trend } from './measure.js'

const perSecond = { redirects: 1_000, creates: 20 }
const everyMs = 30_000
const settlingMs = 120_000

/** Measures memory under load. Each new link is sent to `webhooks` webhooks; `known` are the visited links. */
export async function measureSteady(service, receiver, { minutes, known, webhooks }) {
  const seconds = minutes * 60
  heading(`Steady load for ${minutes} minutes`)
  const before = (await receiver.request('count')).count
  const loads = Promise.all([visit(service, known, seconds), create(service, seconds)])
  const samples = []
  const began = performance.now()
  const intervalMs = Math.min(everyMs, seconds * 100)
  while (performance.now() - began + intervalMs <= seconds * 1000) {
    await pause(intervalMs)
    const parts = memoryByPart(service)
    samples.push({ at: performance.now() - began, parts })
    printSample(samples.at(-1))
  }
  const [redirects, creates] = await loads
  line('redirects', { figure: String(redirects.statuses[302]), baseline: String(redirects.sent) })
  line('links created', { figure: String(creates.statuses[201]), baseline: String(creates.sent) })
  const delivered = (await receiver.request('count')).count - before
  line('deliveries', { figure: String(delivered), baseline: String(creates.sent * webhooks) })

  // A short test run uses a shorter settling time.
  const settled = samples.filter(({ at }) => at >= Math.min(settlingMs, seconds * 200))
  for (const part of Object.keys(settled[0].parts)) printTrend(part, settled)
}

function visit(service, known, seconds) {
  const slugs = new Set(known.map(({ slug }) => `/${slug}`))
  const requests = paths('zipf', 100_000)
    .filter((path) => slugs.has(path))
    .map((path) => ({ path }))
  return constantRate({
    port: service.port,
    perSecond: perSecond.redirects,
    seconds,
    requests,
    headers: browserHeaders,
  })
}

function create(service, seconds) {
  const body = JSON.stringify({ url: 'https://www.example.com/steady' })
  return constantRate({
    port: service.port,
    perSecond: perSecond.creates,
    seconds,
    requests: [{ method: 'POST', path: `${service.api}/v1/links`, body }],
    headers: { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' },
  })
}

function printSample({ at, parts }) {
  const shown = Object.entries(parts).map(
    ([part, { rss, pss, own }]) => `${part} ${megabytes(rss)} (${megabytes(pss)}, ${megabytes(own)})`,
  )
  console.log(`${(at / 1000).toFixed(0).padStart(5)} s  RSS (shared counted once, own): ${shown.join('   ')}`)
}

/** Prints the trend of unshared memory, because the shared buffers of PostgreSQL fill up by design. */
function printTrend(part, samples) {
  const { perHour, growth } = trend(samples.map(({ at, parts }) => [at, parts[part]?.own ?? 0]))
  line(`${part}, growth after the first two minutes`, {
    figure: `${perHour.toFixed(0)} MB/h`,
    ratio: 1 + growth,
    goal: { atMost: 1.05 },
    goalText: '< 5 %',
  })
}

/**
 * Measures the ingestion of the journal into the embedded database: clicks per second, compared with one INSERT per
 * click; the time until a burst is counted; and the delay until a click is readable in the API at a fixed rate of
 * redirects. Run after a build:
 *
 *     node bench/ingest/run.js [--clicks 200000] [--rounds 3] [--seconds 10]
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    clicks: { type: 'string', default: '200000' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '10' },
  },
})
const clicks = Number(values.clicks)
const rounds = Number(values.rounds)
const singles = Math.ceil(clicks / 15)
const ratePerSecond = 3_000

const folder = await mkdtemp(join(tmpdir(), 'link-service-bench-'))
const service = fork(fileURLToPath(new URL('./service.js', import.meta.url)), [folder])
const [{ port, token }] = await once(service, 'message')
const send = async (what, options = {}) => {
  service.send({ what, ...options })
  return (await once(service, 'message'))[0]
}
const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1]
const whole = (number) => Math.round(number).toLocaleString('en')

try {
  console.log(['figure', 'value', 'baseline', 'ratio', 'goal'].join('\t'))
  await send('prepare', { count: 10_000 })
  await send('journal', { clicks: 20_000 })
  const rates = { single: [], batches: [], journal: [] }
  for (let round = 1; round <= rounds; round++) {
    rates.single.push(singles / (await send('single', { clicks: singles })).seconds)
    rates.batches.push(clicks / (await send('batches', { clicks })).seconds)
    rates.journal.push(clicks / (await send('journal', { clicks })).seconds)
  }
  const [single, batches, journal] = Object.values(rates).map(median)
  show('clicks/s, compared with one INSERT each', whole(journal), whole(single), journal / single, '-')
  show(
    'clicks/s, compared with batches without the journal',
    whole(journal),
    whole(batches),
    journal / batches,
    '-',
  )
  const { pendingClicks, seconds, servingShare } = await send('burst', { clicks })
  show(
    `s until a burst is counted (${whole(pendingClicks)} pending at its end)`,
    seconds.toFixed(1),
    '-',
    null,
    '< 10',
  )
  show('share of the serving thread', servingShare.toFixed(3), '-', null, '~ 0')
  await latency()
} finally {
  service.send({ what: 'stop' })
  await once(service, 'exit')
  await rm(folder, { recursive: true, force: true })
}

/** Measures the delay until a click is in the feed, with redirects at a fixed rate and a reader of the feed. */
async function latency() {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const get = (path, headers = {}) =>
    new Promise((resolve, reject) => {
      request({ port, host: '127.0.0.1', path, agent, headers }, (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (part) => (text += part))
        response.on('end', () => resolve({ status: response.statusCode, text }))
      })
        .on('error', reject)
        .end()
    })
  const feed = async (after) =>
    JSON.parse(
      (await get(`/api/v1/clicks?limit=100&after=${after}`, { authorization: `Bearer ${token}` })).text,
    )

  // A new link, whose feed starts empty.
  const created = await fetch(`http://127.0.0.1:${port}/api/v1/links`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: 'https://example.com/', slug: 'stream' }),
  })
  const { id } = await created.json()
  const respondedAt = new Map()
  const waits = []
  let sent = 0
  let responses = 0
  let isOver = false

  const reader = (async () => {
    let cursor = ''
    const seen = new Set()
    while (!isOver || seen.size < responses) {
      const page = await feed(`${cursor}&link_id=${id}`)
      const now = performance.now()
      for (const click of page.data) {
        seen.add(click.id)
        const from = respondedAt.get(click.url)
        // The click may be read before the response arrives.
        waits.push(from === undefined ? 0 : now - from)
      }
      cursor = page.next_cursor
      if (!page.has_more) await new Promise((resolve) => setTimeout(resolve, 5))
    }
    return seen.size
  })()

  await fetch(`http://127.0.0.1:${port}/api/v1/links/${id}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ forward_query: true }),
  })
  const begin = performance.now()
  const total = ratePerSecond * Number(values.seconds)
  const pending = []
  while (sent < total) {
    const due = Math.min(total, Math.floor(((performance.now() - begin) / 1000) * ratePerSecond))
    for (; sent < due; sent++) {
      const number = sent
      pending.push(
        get(`/stream?n=${number}`, { 'user-agent': 'Mozilla/5.0 Firefox/130.0' }).then(({ status }) => {
          if (status !== 302) throw new Error(`a redirect returned ${status}`)
          respondedAt.set(`https://example.com/?n=${number}`, performance.now())
          responses++
        }),
      )
    }
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await Promise.all(pending)
  const elapsed = (performance.now() - begin) / 1000
  isOver = true
  const seen = await reader
  agent.destroy()
  waits.sort((a, b) => a - b)
  const at = (share) => waits[Math.min(waits.length - 1, Math.floor(waits.length * share))].toFixed(0)
  show('redirects/s with a reader of the feed', whole(total / elapsed), '-', null, whole(ratePerSecond))
  show('clicks read in the feed', whole(seen), whole(responses), seen / responses, '1.00')
  show('ms from response to readable, p50', at(0.5), '-', null, '-')
  show('ms from response to readable, p99', at(0.99), '-', null, '< 1,000')
}

function show(name, figure, baseline, ratio, goal) {
  console.log([name, figure, baseline, ratio === null ? '-' : ratio.toFixed(2), goal].join('\t'))
}

/**
 * The list of links and cold redirects with a million links: for each filter under each sort how the database finds the
 * page, and how long the answer takes. Run after a build:
 *
 *     node bench/links/run.js [--links 1000000] [--asks 40] [--filters 'q in'] [--folder kept-for-the-next-run]
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
    filters: { type: 'string', default: '' },
    links: { type: 'string', default: '1000000' },
    asks: { type: 'string', default: '40' },
    folder: { type: 'string' },
  },
})
const links = Number(values.links)
const asks = Number(values.asks)
/** However slow a query is, the others have their turn. */
const mostMsPerQuery = 3_000

const folder = values.folder ?? (await mkdtemp(join(tmpdir(), 'link-service-bench-')))
const service = fork(fileURLToPath(new URL('./service.js', import.meta.url)), [folder, String(links)], {
  execArgv: ['--expose-gc'],
})
const [{ port, token, filledIn }] = await once(service, 'message')
const ask = async (what, options = {}) => {
  service.send({ what, ...options })
  return (await once(service, 'message'))[0]
}
const agent = new Agent({ keepAlive: true, maxSockets: 16 })

const dayOf = (n) => new Date(1600000000000 + n * 60_000).toISOString()
const sorts = ['-created_at', 'created_at', '-clicks']
/** Name, and the query of the i-th time that it is asked: rare words are other words each time. */
const filters = [
  ['none', () => ''],
  ['q in every link', () => 'q=example'],
  ['q in a quarter of them', () => 'q=shop.example'],
  ['q in the oldest quarter', () => 'q=jubilee'],
  ['q in 200 of them', (i) => `q=/w${1000 + ((i * 37) % 4000)}/`],
  ['q in one', (i) => `q=slug${100_000 + ((i * 7919) % (links - 100_000))}`],
  ['q in none', (i) => `q=nowhere${i}`],
  ['q of common letters, in none', () => 'q=examplewww'],
  ['q of two letters, everywhere', () => 'q=ex'],
  ['q of two letters, in none', () => 'q=qz'],
  ['tag of every link', () => 'tag=all'],
  ['tag of the oldest quarter', () => 'tag=old'],
  ['tag of 1,000', (i) => `tag=tag${(i * 37) % 1000}`],
  ['tag of none', (i) => `tag=none${i}`],
  ['external_id', (i) => `external_id=ext${((i * 7919) % (links / 2)) * 2}`],
  ['created_after', (i) => `created_after=${dayOf(links / 2 + i)}`],
  ['created_before', (i) => `created_before=${dayOf(links / 2 + i)}`],
  ['an hour', (i) => `created_after=${dayOf(links / 3 + i)}&created_before=${dayOf(links / 3 + i + 60)}`],
  ['enabled=true', () => 'enabled=true'],
  ['enabled=false', () => 'enabled=false'],
  ['common q, common tag', () => 'q=example&tag=all'],
  ['common q, rare tag', (i) => `q=example&tag=tag${(i * 37) % 1000}`],
  ['rare q, common tag', (i) => `q=/w${1000 + ((i * 37) % 4000)}/&tag=all`],
  ['common q, disabled', () => 'q=example&enabled=false'],
  ['common tag, disabled', () => 'tag=all&enabled=false'],
  ['common q, an hour', (i) => `q=example&created_after=${dayOf(i)}&created_before=${dayOf(i + 60)}`],
  ['common tag, an hour', (i) => `tag=all&created_after=${dayOf(i)}&created_before=${dayOf(i + 60)}`],
  ['old tag, newer half', () => `tag=old&created_after=${dayOf(links / 2)}`],
]

try {
  console.log(`${links.toLocaleString('en')} links, filled in ${filledIn.toFixed(0)} s`)
  for (const [name, query] of filters.filter(([name]) => name.includes(values.filters)))
    for (const sort of sorts) await measureList(name, query, sort)
  await measureRedirects()
} finally {
  agent.destroy()
  service.send({ what: 'stop' })
  await once(service, 'exit')
  if (!values.folder) await rm(folder, { recursive: true, force: true })
}

async function measureList(name, query, sort) {
  const path = (i, cursor) =>
    `/api/v1/links?sort=${sort}${query(i) && `&${query(i)}`}${cursor ? `&cursor=${cursor}` : ''}`
  await get(path(0))
  const times = { first: [], second: [] }
  const begin = performance.now()
  for (let i = 1; i <= asks && performance.now() - begin < mostMsPerQuery; i++) {
    const { ms, body } = await get(path(i))
    times.first.push(ms)
    if (body.next_cursor) times.second.push((await get(path(i, body.next_cursor))).ms)
  }
  const { plans } = await ask('plans', { path: path(1) })
  console.log(
    `${name.padEnd(30)} ${sort.padEnd(12)} ${spread(times.first)}  next page ${spread(times.second)}  ${plans.join(' THEN ')}`,
  )
}

/** Each slug once: none of them is in memory. */
async function measureRedirects() {
  const slug = (i) => `/slug${1 + ((i * 7919) % links)}` // some of them are disabled, and as cold
  const times = []
  for (let i = 0; i < 2_000; i++) times.push((await get(slug(i), 'HEAD')).ms)
  const { plans } = await ask('plans', { path: slug(3_000), method: 'HEAD' })
  console.log(`cold redirect                               ${spread(times)}  ${plans.join(' THEN ')}`)

  const before = (await ask('memory')).used
  const visits = Math.min(links, 300_000)
  for (let i = 4_000; i < visits; i += 500)
    await Promise.all(Array.from({ length: 500 }, (_, n) => get(slug(i + n), 'HEAD')))
  const metrics = (await get('/metrics')).text
  const gauge = (name) => Number(new RegExp(`^link_service_${name} (\\S+)`, 'm').exec(metrics)?.[1])
  const mib = (bytes) => `${(bytes / 2 ** 20).toFixed(0)} MiB`
  console.log(
    `after redirects of ${visits.toLocaleString('en')} links: ${gauge('redirect_cache_links').toLocaleString('en')} in memory, about ${mib(gauge('redirect_cache_bytes'))}; all objects of the process take ${mib(before)} before, ${mib((await ask('memory')).used)} after`,
  )
}

function spread(times) {
  if (times.length === 0) return ' '.repeat(27)
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))].toFixed(1)
  return `p50 ${at(0.5).padStart(6)} p99 ${at(0.99).padStart(6)} ms`
}

function get(path, method = 'GET') {
  const begin = performance.now()
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` }
    request({ port, host: '127.0.0.1', path, agent, method, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part) => (text += part))
      response.on('end', () => {
        const ms = performance.now() - begin
        if (response.statusCode >= 400 && response.statusCode !== 410)
          return reject(new Error(`${path}: ${response.statusCode} ${text}`))
        resolve({ ms, text, body: text.startsWith('{') ? JSON.parse(text) : null })
      })
    })
      .on('error', reject)
      .end()
  })
}

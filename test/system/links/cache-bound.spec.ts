/** The redirect cache stays within its memory limit when visitors request more links than fit. */
import { once } from 'node:events'

import { openSocket } from '../../support/raw-socket.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'

/** The limit in `link-cache.ts`, in bytes. */
const maxBytes = 128 * 2 ** 20
/** Longer than the API allows, so that few links fill the cache. */
const urlLength = 64_000
const linkCount = 2_250
const connections = 8
const pipelined = 2

let service: Service
beforeAll(async () => {
  service = await startService()
  // This test does not search, and indexing long URLs is slow.
  await service.db.query('DROP INDEX links_by_words')
  await service.db.query(
    `INSERT INTO links (id, workspace_id, slug, url, tags, redirect_status, forward_query, enabled, created_at, updated_at)
     SELECT gen_random_uuid(), (SELECT id FROM workspaces), 'long' || n,
       rpad('https://target.example/' || n || '/', $2::int, 'x'), '{}', 302, false, true, now(), now()
     FROM generate_series(1, $1::int) AS n`,
    [linkCount, urlLength],
  )
})
afterAll(() => service.stop())

/** Requests all slugs over a few connections until each redirects, and returns the number of requests. */
async function visitAll(slugs: string[]): Promise<number> {
  const missed: string[] = []
  await Promise.all(
    Array.from({ length: connections }, async (_, connection) => {
      const slugsOfConnection = slugs.filter((__, i) => i % connections === connection)
      const socket = await openSocket(service.origin)
      for (let from = 0; from < slugsOfConnection.length; from += pipelined) {
        const batch = slugsOfConnection.slice(from, from + pipelined)
        socket.write(batch.map((slug) => `HEAD /${slug} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''))
        const statuses = await readStatuses(socket, batch.length)
        // A database that is busy with other tests may respond too late.
        expect(statuses.filter((status) => status !== '302' && status !== '503')).toEqual([])
        missed.push(...batch.filter((__, i) => statuses[i] === '503'))
      }
      socket.destroy()
    }),
  )
  return slugs.length + (missed.length > 0 ? await visitAll(missed) : 0)
}

async function readStatuses(socket: NodeJS.ReadableStream, count: number): Promise<string[]> {
  let text = ''
  // A response to HEAD ends with its headers.
  while (text.split('\r\n\r\n').length <= count) text += String((await once(socket, 'data'))[0])
  return [...text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status!)
}

async function gauge(name: string): Promise<number> {
  const { text } = await service.call('GET', '/metrics')
  return Number(new RegExp(`^link_service_${name} (\\S+)$`, 'm').exec(text)![1])
}

it('fills the cache up to its limit, and reads evicted links from the database again', async () => {
  const slugs = Array.from({ length: linkCount }, (_, i) => `long${i + 1}`)
  let requests = 0
  for (const requested of [slugs, slugs.slice(0, 100)]) {
    requests += await visitAll(requested)
    const [bytes, links] = [await gauge('redirect_cache_bytes'), await gauge('redirect_cache_links')]
    expect(bytes).toBeLessThanOrEqual(maxBytes)
    expect(bytes).toBeGreaterThan(0.95 * maxBytes)
    // Each link takes its URL and a little more.
    expect(links).toBeLessThan(maxBytes / urlLength)
    expect(links).toBeGreaterThan((0.9 * maxBytes) / urlLength)
    expect(await gauge('redirect_lookups_total')).toBe(requests)
  }
})

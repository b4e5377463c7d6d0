/** Visitors ask for more links than fit into memory: what is kept of them stays within its bound, and all are answered. */
import { once } from 'node:events'

import { openSocket } from '../../support/raw-socket.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'

/** In bytes, as in `link-cache.ts`. */
const bound = 128 * 2 ** 20
/** Longer than the API takes them, so that few links fill the memory. */
const urlLength = 64_000
const linkCount = 2_250
const connections = 8
const together = 2

let service: Service
beforeAll(async () => {
  service = await startService()
  // Nobody searches here, and long urls take long to be made searchable.
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

/** Asks for all, over a few connections, many at once on each, until each was found; says how often it had to ask. */
async function findAll(slugs: string[]): Promise<number> {
  const missed: string[] = []
  await Promise.all(
    Array.from({ length: connections }, async (_, connection) => {
      const mine = slugs.filter((__, i) => i % connections === connection)
      const socket = await openSocket(service.origin)
      for (let from = 0; from < mine.length; from += together) {
        const batch = mine.slice(from, from + together)
        socket.write(batch.map((slug) => `HEAD /${slug} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''))
        const statuses = await statusesOf(socket, batch.length)
        // A database that is busy with other tests may answer too late.
        expect(statuses.filter((status) => status !== '302' && status !== '503')).toEqual([])
        missed.push(...batch.filter((__, i) => statuses[i] === '503'))
      }
      socket.destroy()
    }),
  )
  return slugs.length + (missed.length > 0 ? await findAll(missed) : 0)
}

async function statusesOf(socket: NodeJS.ReadableStream, count: number): Promise<string[]> {
  let text = ''
  // An answer to HEAD ends with its headers.
  while (text.split('\r\n\r\n').length <= count) text += String((await once(socket, 'data'))[0])
  return [...text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => status!)
}

async function gauge(name: string): Promise<number> {
  const { text } = await service.call('GET', '/metrics')
  return Number(new RegExp(`^link_service_${name} (\\S+)$`, 'm').exec(text)![1])
}

it('links fill the memory that is theirs and no more, and those that were given up are looked up again', async () => {
  const slugs = Array.from({ length: linkCount }, (_, i) => `long${i + 1}`)
  let asked = 0
  for (const wanted of [slugs, slugs.slice(0, 100)]) {
    asked += await findAll(wanted)
    const [bytes, links] = [await gauge('redirect_cache_bytes'), await gauge('redirect_cache_links')]
    expect(bytes).toBeLessThanOrEqual(bound)
    expect(bytes).toBeGreaterThan(0.95 * bound)
    // Each takes its url and a little more.
    expect(links).toBeLessThan(bound / urlLength)
    expect(links).toBeGreaterThan((0.9 * bound) / urlLength)
    expect(await gauge('redirect_lookups')).toBe(asked)
  }
})

/** One of the servers that are compared, in a process of its own: `node server.js node|fastify|ours [compiled]`. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import Fastify from 'fastify'

import { links } from './links.js'

const [, , kind, compiled] = process.argv
const locations = new Map(links().map(({ slug, url }) => [slug, url]))
let requests = 0
let betweenRounds = async () => {}

const slugOf = (url) => {
  const queryAt = url.indexOf('?')
  return queryAt < 0 ? url.slice(1) : url.slice(1, queryAt)
}

/** The least that answers with the same headers; nothing is recorded. */
function bareNode() {
  return createServer((req, res) => {
    const location = locations.get(slugOf(req.url))
    if (location === undefined) return res.writeHead(404).end()
    res.writeHead(302, [
      'Location',
      location,
      'Cache-Control',
      'private, no-store',
      'X-Robots-Tag',
      'noindex',
      'X-Request-Id',
      `bench-${(++requests).toString(36)}`,
      'Content-Length',
      '0',
    ])
    res.end()
  })
}

async function bareFastify() {
  const app = Fastify()
  app.get('/:slug', (req, reply) => {
    const location = locations.get(req.params.slug)
    if (location === undefined) return reply.code(404).send()
    return reply
      .headers({
        location,
        'cache-control': 'private, no-store',
        'x-robots-tag': 'noindex',
        'x-request-id': `bench-${(++requests).toString(36)}`,
      })
      .code(302)
      .send()
  })
  await app.ready()
  return app.server
}

/** The service's own handler, with every click recorded. The journal is emptied between the rounds, not within them. */
async function ours() {
  const load = (path) => import(pathToFileURL(join(compiled, 'src', path)).href)
  const { ClickJournal } = await load('clicks/journal/click-journal.js')
  const { ClickReader } = await load('clicks/journal/click-reader.js')
  const { compileLink } = await load('links/redirect/compiled-link.js')
  const { LinkCache } = await load('links/redirect/link-cache.js')
  const { ShortLinkDoor } = await load('links/redirect/short-link-door.js')
  const { FrontServer } = await load('http/front-door.js')
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-redirect-'))
  const journal = new ClickJournal({ dataDir })
  const reader = new ClickReader(journal.shared)
  const cache = new LinkCache({
    feedIsFresh: () => true,
    load: async (slug) =>
      locations.has(slug)
        ? compileLink({
            id: '01890a5d-ac96-774b-bcce-b302099a8057',
            workspaceId: '01890a5d-ac96-774b-bcce-b302099a8058',
            slug,
            url: locations.get(slug),
            redirectStatus: 302,
            forwardQuery: false,
            enabled: true,
            expiresAt: null,
            deletedAt: null,
          })
        : null,
  })
  const keeper = new ShortLinkDoor(
    { links: cache, clicks: journal, reserved: new Set(['api', 'docs']), problem: () => '{}' },
    72_000,
  )
  for (const slug of locations.keys()) await cache.lookUp(slug)
  betweenRounds = async () => {
    for (let batch; (batch = await reader.next(5_000));) await batch.commit()
  }
  process.on('exit', () => {
    const { dropped, lost } = journal.stats()
    if (dropped + lost > 0) console.error(`dropped ${dropped}, lost ${lost}`)
    rmSync(dataDir, { recursive: true, force: true })
  })
  return new FrontServer({ keeper }, {}, (_, res) => res.writeHead(404).end())
}

const makers = { node: bareNode, fastify: bareFastify, ours }
const server = await makers[kind]()
server.listen(0, '127.0.0.1', () => process.send(server.address().port))
process.on('message', async (message) => {
  if (message === 'before') await betweenRounds()
  process.send(process.cpuUsage())
})
process.on('disconnect', () => process.exit(0))

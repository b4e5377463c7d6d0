/** The redirect handler behind a plain server, with a fake database and a fake journal. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'

import type { CompiledLink } from '../../src/links/redirect/compiled-link.js'
import { LinkCache } from '../../src/links/redirect/link-cache.js'
import {
  type RedirectOptions,
  type Visit,
  createRedirectHandler,
} from '../../src/links/redirect/redirect-handler.js'
import { createRedirectDurations } from '../../src/links/redirect/redirect-observer.js'
import { readVisitorPages } from '../../src/links/redirect/visitor-pages.js'
import { defaultAccent } from '../../src/platform/util/colors.js'
import { UnreadResponses } from '../../src/platform/http/unread-responses.js'

export const launch: CompiledLink = {
  linkId: '01890a5d-ac96-774b-bcce-b302099a8057',
  workspaceId: '01890a5d-ac96-774b-bcce-b302099a8058',
  slug: 'launch',
  location: 'https://target.example/page?x=1#top',
  status: 302,
  forwardQuery: false,
  enabled: true,
  expiresAt: Infinity,
  tombstone: false,
}

const pages = await readVisitorPages(null, { name: 'Link Service', accent: defaultAccent, logo: null })

export class RedirectServer {
  links = new Map([['launch', launch]])
  visits: Visit[] = []
  /** Whether responses that record a click wait for `release`. */
  holdResponses = false
  databaseDown = false
  fresh = true
  now = 1_763_712_000_000
  loads = 0
  cache = this.emptyCache()
  origin = ''
  private held: (() => void)[] = []
  private server: Server | null = null

  static async start(options: Partial<RedirectOptions> = {}): Promise<RedirectServer> {
    const started = new RedirectServer()
    await started.restart(options)
    return started
  }

  async restart(changes: Partial<RedirectOptions>, keepAliveMs = 5_000): Promise<void> {
    this.stop()
    this.cache = this.emptyCache()
    const options: RedirectOptions = {
      links: this.cache,
      clicks: {
        appendClick: (visit, whenDurable, arg) => {
          this.visits.push(visit)
          if (this.holdResponses) this.held.push(() => whenDurable(arg))
          else setImmediate(whenDurable, arg)
        },
      },
      durations: createRedirectDurations(),
      reserved: new Set(['api', 'docs']),
      pages,
      publicUrl: () => 'https://short.example',
      now: () => this.now,
      ...changes,
    }
    const handle = createRedirectHandler(options)
    const unread = new UnreadResponses()
    const server = createServer({ keepAliveTimeout: keepAliveMs }, (request, response) => {
      if (!unread.admit(request, response)) return
      if (!handle(request, response)) response.writeHead(299).end('left to the framework')
    })
    this.server = server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  stop(): void {
    this.close()
    this.server?.closeAllConnections()
  }

  /** Rejects new connections, and closes idle ones. */
  close(): void {
    this.server?.close()
  }

  release(): void {
    for (const send of this.held.splice(0)) send()
  }

  put(changes: Partial<CompiledLink>): void {
    const link = { ...launch, ...changes }
    this.links.set(link.slug, link)
    this.cache.invalidate(link.slug)
  }

  get(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(this.origin + path, { redirect: 'manual', ...init })
  }

  /** Sends raw bytes and reads until the server closes the connection. */
  async raw(bytes: string): Promise<string> {
    const socket = connect(Number(new URL(this.origin).port), '127.0.0.1')
    socket.write(Buffer.from(bytes, 'latin1'))
    let received = ''
    for await (const chunk of socket) received += (chunk as Buffer).toString('latin1')
    return received
  }

  private emptyCache(): LinkCache {
    return new LinkCache({
      load: async (slug) => {
        this.loads++
        await new Promise((resolve) => setTimeout(resolve, 5))
        if (this.databaseDown) throw new Error('the password of the database is hunter2')
        return this.links.get(slug) ?? null
      },
      feed: { isFresh: () => this.fresh, confirm: () => Promise.resolve(this.fresh) },
      now: () => this.now,
      maxEntries: 1_000,
      maxUnknown: 1_000,
    })
  }
}

export const lastRequest = (target: string): string =>
  `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`

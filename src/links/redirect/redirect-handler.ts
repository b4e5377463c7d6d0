/**
 * Answers short links before the framework sees them: from memory, without a promise, a closure or a statement for a
 * link that is cached. What is not a short link is handed on.
 */
import { requestIdFor } from '../../http/request.js'
import type { CompiledLink } from './compiled-link.js'
import type { Exchange } from './exchange.js'
import { sendFailure } from './failure-answer.js'
import type { ProblemBody } from './failure-answer.js'
import { withQuery } from './forward-query.js'
import type { LinkCache } from './link-cache.js'
import { isPrefetch } from './prefetch.js'
import type { Visit } from './visit.js'

/** Where clicks are recorded. The answer leaves when `whenDurable` is called. */
interface ClickSink {
  append<T>(visit: Visit, whenDurable: (arg: T) => void, arg: T): unknown
}

export interface RedirectOptions {
  links: Pick<LinkCache, 'get' | 'lookUp'>
  clicks: ClickSink
  /** First path segments that belong to the service itself. */
  reserved: ReadonlySet<string>
  problem: ProblemBody
  /** The visitor's address where a trusted proxy stands in front; without it, the address of the connection. */
  clientAddress?: (request: Pick<Exchange, 'headers' | 'socket'>) => string
  /** The header in which a trusted proxy names the visitor's country. */
  countryHeader?: string
  /** A fault in answering; the connection is closed. */
  onError?: (error: Error) => void
  now?: () => number
}

/** True when it took the request. */
export type RedirectHandler = (exchange: Exchange) => boolean

const validSlug = /^[A-Za-z0-9_-]{1,64}$/
const slash = 47

export function createRedirectHandler(options: RedirectOptions): RedirectHandler {
  const { links, clicks, reserved, problem } = options
  const now = options.now ?? Date.now
  const clientAddress = options.clientAddress ?? (({ socket }) => socket.remoteAddress ?? '')
  const countryHeader = options.countryHeader?.toLowerCase()

  /** A throw out of a request handler would end the process, and every visitor with it. */
  function answer(exchange: Exchange, link: CompiledLink | null, query: string, time: number): void {
    try {
      redirect(exchange, link, query, time)
    } catch (error) {
      exchange.abort()
      options.onError?.(error as Error)
    }
  }

  function redirect(exchange: Exchange, link: CompiledLink | null, query: string, time: number): void {
    const { headers } = exchange
    const requestId = requestIdFor(headers['x-request-id'])
    if (link === null) return sendFailure(exchange, 'not_found', requestId, problem)
    if (link.tombstone || !link.enabled || link.expiresAt <= time)
      return sendFailure(exchange, 'gone', requestId, problem)

    const location = link.forwardQuery && query !== '' ? withQuery(link.location, query) : link.location
    exchange.redirect(link, location, requestId)
    if (exchange.method === 'HEAD' || isPrefetch(headers)) return exchange.leave()
    const visit: Visit = {
      linkId: link.linkId,
      workspaceId: link.workspaceId,
      slug: link.slug,
      url: location,
      userAgent: headers['user-agent'] ?? '',
      referer: headers.referer ?? '',
      acceptLanguage: headers['accept-language'] ?? '',
      address: clientAddress(exchange),
      country: countryHeader === undefined ? '' : String(headers[countryHeader] ?? ''),
    }
    clicks.append(visit, leave, exchange)
  }

  async function lookUpAndAnswer(exchange: Exchange, slug: string, query: string): Promise<void> {
    try {
      const link = await links.lookUp(slug)
      answer(exchange, link, query, now())
    } catch {
      sendFailure(exchange, 'unavailable', requestIdFor(exchange.headers['x-request-id']), problem)
    }
  }

  return (exchange) => {
    const { method, url } = exchange
    if ((method !== 'GET' && method !== 'HEAD') || url?.charCodeAt(0) !== slash) return false
    const queryAt = url.indexOf('?')
    const pathEnd = queryAt < 0 ? url.length : queryAt
    // One slash at the end is what editors and browsers add to an address; it names the same link.
    const slugEnd = pathEnd > 2 && url.charCodeAt(pathEnd - 1) === slash ? pathEnd - 1 : pathEnd
    const slug = url.slice(1, slugEnd)
    const query = queryAt < 0 ? '' : url.slice(queryAt + 1)
    // Nothing but valid slugs is ever in memory, so what is found there needs no further check.
    const time = now()
    const known = links.get(slug, time)
    if (known !== undefined) {
      answer(exchange, known, query, time)
      return true
    }
    if (!validSlug.test(slug) || reserved.has(slug)) return false
    void lookUpAndAnswer(exchange, ownCopy(slug), query)
    return true
  }
}

function leave(exchange: Exchange): void {
  exchange.leave()
}

/** A slice of the request would keep all of it in memory for as long as the slug is remembered. */
function ownCopy(slug: string): string {
  return Buffer.from(slug, 'latin1').toString('latin1')
}

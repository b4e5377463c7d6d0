/**
 * Answers short links before the framework sees them: from memory, without a promise, a closure or a statement for a
 * link that is cached. What is not a short link is handed on.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'

import { requestIdFor } from '../../http/request.js'
import type { CompiledLink } from './compiled-link.js'
import { sendFailure } from './failure-answer.js'
import type { ProblemBody } from './failure-answer.js'
import { withQuery } from './forward-query.js'
import type { LinkCache } from './link-cache.js'
import { isPrefetch } from './prefetch.js'
import { RedirectHeads, writeRedirect } from './redirect-head.js'
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
  clientAddress?: (req: IncomingMessage) => string
  /** The header in which a trusted proxy names the visitor's country. */
  countryHeader?: string
  /** A fault in answering; the connection is closed. */
  onError?: (error: Error) => void
  now?: () => number
}

/** True when it took the request. */
export type RedirectHandler = (req: IncomingMessage, res: ServerResponse) => boolean

const validSlug = /^[A-Za-z0-9_-]{1,64}$/
const slash = 47

export function createRedirectHandler(options: RedirectOptions): RedirectHandler {
  const { links, clicks, reserved, problem } = options
  const now = options.now ?? Date.now
  const clientAddress = options.clientAddress ?? ((req) => req.socket.remoteAddress ?? '')
  const countryHeader = options.countryHeader?.toLowerCase()
  const heads = new RedirectHeads()

  /** A throw out of a request handler would end the process, and every visitor with it. */
  function answer(
    req: IncomingMessage,
    res: ServerResponse,
    link: CompiledLink | null,
    query: string,
    time: number,
  ): void {
    try {
      redirect(req, res, link, query, time)
    } catch (error) {
      res.destroy()
      options.onError?.(error as Error)
    }
  }

  function redirect(
    req: IncomingMessage,
    res: ServerResponse,
    link: CompiledLink | null,
    query: string,
    time: number,
  ): void {
    const { headers } = req
    const requestId = requestIdFor(headers['x-request-id'])
    if (link === null) return sendFailure(req, res, 'not_found', requestId, problem)
    if (link.tombstone || !link.enabled || link.expiresAt <= time)
      return sendFailure(req, res, 'gone', requestId, problem)

    const location = link.forwardQuery && query !== '' ? withQuery(link.location, query) : link.location
    if (location === link.location) heads.write(res, link, requestId, time)
    else writeRedirect(res, link.status, location, requestId)
    if (req.method === 'HEAD' || isPrefetch(headers)) {
      res.end()
      return
    }
    const visit: Visit = {
      linkId: link.linkId,
      workspaceId: link.workspaceId,
      slug: link.slug,
      url: location,
      userAgent: headers['user-agent'] ?? '',
      referer: headers.referer ?? '',
      acceptLanguage: headers['accept-language'] ?? '',
      address: clientAddress(req),
      country: countryHeader === undefined ? '' : String(headers[countryHeader] ?? ''),
    }
    clicks.append(visit, end, res)
  }

  async function lookUpAndAnswer(
    req: IncomingMessage,
    res: ServerResponse,
    slug: string,
    query: string,
  ): Promise<void> {
    try {
      const link = await links.lookUp(slug)
      answer(req, res, link, query, now())
    } catch {
      sendFailure(req, res, 'unavailable', requestIdFor(req.headers['x-request-id']), problem)
    }
  }

  return (req, res) => {
    const { method, url } = req
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
      answer(req, res, known, query, time)
      return true
    }
    if (!validSlug.test(slug) || reserved.has(slug)) return false
    void lookUpAndAnswer(req, res, ownCopy(slug), query)
    return true
  }
}

function end(res: ServerResponse): void {
  res.end()
}

/** A slice of the request line would keep all 16 KiB of it in memory for as long as the slug is remembered. */
function ownCopy(slug: string): string {
  return Buffer.from(slug, 'latin1').toString('latin1')
}

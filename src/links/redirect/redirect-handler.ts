/**
 * Responds to short links before the framework does. A cached link needs no promise, closure or database statement.
 * All other requests go to the framework.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'

import { currentMs } from '../../platform/util/clock.js'
import { copyText } from '../../platform/util/memoize.js'
import { originForm, requestIdFor } from '../../platform/http/request.js'
import { isSlug } from '../urls.js'
import { type CompiledLink, isGone, locationFor } from './compiled-link.js'
import { sendError } from './visitor-pages.js'
import type { ErrorOptions, RedirectErrorCode } from './visitor-pages.js'
import type { LinkCache } from './link-cache.js'
import type { ObservedRedirect, ObserveRedirect, RedirectDurations } from './redirect-observer.js'

/** The unparsed data of a visit. Clicks are parsed after the redirect. */
export interface Visit {
  linkId: string
  workspaceId: string
  slug: string
  /** The `Location` of the response. */
  url: string
  /** A missing header is an empty string. Headers have one character per byte, as in `node:http`. */
  userAgent: string
  referer: string
  acceptLanguage: string
  address: string
  country: string
  /** Query string of the visited URL, without the question mark. */
  query: string
  /** The traceparent of the redirect. Empty while traces are off. */
  traceparent: string
}

/** Records clicks. Once a click is on disk, calls `whenDurable`, which sends the redirect. */
interface ClickSink {
  appendClick<T>(visit: Visit, whenDurable: (arg: T) => void, arg: T): unknown
}

export interface RedirectOptions extends ErrorOptions {
  links: Pick<LinkCache, 'get' | 'lookUp'>
  clicks: ClickSink
  durations: RedirectDurations
  /** First path segments of the service's own URLs. */
  reserved: ReadonlySet<string>
  /**
   * Returns the IP address of the visitor behind a trusted proxy, or undefined if the connection is closed. Default:
   * the address of the connection.
   */
  clientAddress?: (request: IncomingMessage) => string | undefined
  /** Header in which a trusted proxy sends the visitor's country. */
  countryHeader?: string
  /** Called for each response, if redirects are traced or logged. */
  observe?: ObserveRedirect | null
  /** Called if the response failed and the connection was closed. */
  onError?: (error: Error, requestId: string) => void
  now?: () => number
}

/** Handles a GET or HEAD request. Returns false if the framework must handle it. */
export type RedirectHandler = (request: IncomingMessage, response: ServerResponse) => boolean

const slash = 47

/** A response that is sent once its click is on disk. */
interface OpenResponse {
  response: ServerResponse
  /** `performance.now()` when the request arrived. */
  startedAt: number
  slug: string
  observed: ObservedRedirect | null
}

export function createRedirectHandler(options: RedirectOptions): RedirectHandler {
  const { links, clicks, reserved, durations } = options
  const now = options.now ?? currentMs
  const observe = options.observe ?? null
  const clientAddress = options.clientAddress ?? (({ socket }) => socket.remoteAddress)
  const countryHeader = options.countryHeader?.toLowerCase()

  /** Catches errors, because an exception in a request handler would end the process. */
  function respond(
    request: IncomingMessage,
    response: ServerResponse,
    link: CompiledLink | null,
    query: string,
    time: number,
    startedAt: number,
  ): void {
    try {
      redirect(request, response, link, query, time, startedAt)
    } catch (error) {
      response.destroy()
      options.onError?.(error as Error, requestIdFor(request.headers['x-request-id']))
    }
  }

  function redirect(
    request: IncomingMessage,
    response: ServerResponse,
    link: CompiledLink | null,
    query: string,
    time: number,
    startedAt: number,
  ): void {
    if (link === null) return fail(request, response, 'not_found', startedAt)
    if (isGone(link, time)) return fail(request, response, 'gone', startedAt)

    const { headers } = request
    const requestId = requestIdFor(headers['x-request-id'])
    const observed = observe === null ? null : observe(request, requestId, startedAt)
    const location = locationFor(link, query)
    response.writeHead(link.status, [
      'Location',
      location,
      'Cache-Control',
      'private, no-store',
      'X-Robots-Tag',
      'noindex',
      'Content-Length',
      '0',
      'X-Request-Id',
      requestId,
    ])
    const open: OpenResponse = { response, startedAt, slug: link.slug, observed }
    if (request.method === 'HEAD' || isPrefetch(headers)) return sendResponse(open)
    const visit: Visit = {
      linkId: link.linkId,
      workspaceId: link.workspaceId,
      slug: link.slug,
      url: location,
      userAgent: headers['user-agent'] ?? '',
      referer: headers.referer ?? '',
      acceptLanguage: headers['accept-language'] ?? '',
      address: clientAddress(request) ?? '',
      country: countryHeader === undefined ? '' : String(headers[countryHeader] ?? ''),
      query,
      traceparent: observed === null ? '' : observed.traceparent,
    }
    clicks.appendClick(visit, sendResponse, open)
  }

  async function lookUpAndRespond(
    request: IncomingMessage,
    response: ServerResponse,
    slug: string,
    query: string,
    startedAt: number,
  ): Promise<void> {
    try {
      const link = await links.lookUp(slug)
      respond(request, response, link, query, now(), startedAt)
    } catch {
      fail(request, response, 'unavailable', startedAt)
    }
  }

  function fail(
    request: IncomingMessage,
    response: ServerResponse,
    code: RedirectErrorCode,
    startedAt: number,
  ): void {
    const requestId = requestIdFor(request.headers['x-request-id'])
    const observed = observe === null ? null : observe(request, requestId, startedAt)
    sendError(request, response, code, requestId, options)
    durations[code].observe((performance.now() - startedAt) / 1000)
    observed?.end(response.statusCode, null)
  }

  function sendResponse({ response, startedAt, slug, observed }: OpenResponse): void {
    response.end()
    durations.redirected.observe((performance.now() - startedAt) / 1000)
    observed?.end(response.statusCode, slug)
  }

  return (request, response) => {
    const startedAt = performance.now()
    const url = originForm(request.url ?? '')
    const queryAt = url.indexOf('?')
    const pathEnd = queryAt < 0 ? url.length : queryAt
    // Ignore a trailing slash, which some editors and browsers add.
    const slugEnd = pathEnd > 2 && url.charCodeAt(pathEnd - 1) === slash ? pathEnd - 1 : pathEnd
    const slug = url.slice(1, slugEnd)
    const query = queryAt < 0 ? '' : url.slice(queryAt + 1)
    // The cache contains only valid slugs, so a cached slug needs no further check.
    const time = now()
    const cached = links.get(slug, time)
    if (cached === undefined && (!isSlug(slug) || reserved.has(slug))) return false
    if (cached !== undefined) respond(request, response, cached, query, time, startedAt)
    // Copied, because a slice in the cache would keep the whole request in memory.
    else void lookUpAndRespond(request, response, copyText(slug), query, startedAt)
    return true
  }
}

const prefetchPurpose = /prefetch|prerender|preview/i

/** Reports whether a browser prefetches the link. A prefetch is redirected but not counted. */
function isPrefetch(headers: IncomingHttpHeaders): boolean {
  const { 'sec-purpose': secPurpose, purpose, 'x-purpose': xPurpose, 'x-moz': xMoz } = headers
  if (secPurpose === undefined && purpose === undefined && xPurpose === undefined && xMoz === undefined)
    return false
  return prefetchPurpose.test(`${String(secPurpose)} ${String(purpose)} ${String(xPurpose)} ${String(xMoz)}`)
}

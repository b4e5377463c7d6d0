/**
 * Answers short links before the framework sees them. A cached link is answered from memory, without a promise, a
 * closure or a statement. Other requests are left to the framework.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'

import { currentMs } from '../../platform/util/clock.js'
import { originForm, requestIdFor } from '../../platform/http/request.js'
import { isSlug } from '../urls.js'
import { type CompiledLink, isGone, locationFor } from './compiled-link.js'
import { sendFailure } from './failure-answer.js'
import type { LinkCache } from './link-cache.js'

/** A visit as the redirect saw it. Nothing is parsed while the visitor waits. */
export interface Visit {
  linkId: string
  workspaceId: string
  slug: string
  /** The Location that was sent. */
  url: string
  /** What the visitor did not send is an empty string. Headers have one char for each byte, as node:http gives them. */
  userAgent: string
  referer: string
  acceptLanguage: string
  address: string
  country: string
  /** The part of the visited address after the question mark. */
  query: string
}

/** Records clicks. The answer is sent when `whenDurable` is called. */
interface ClickSink {
  append<T>(visit: Visit, whenDurable: (arg: T) => void, arg: T): unknown
}

export interface RedirectOptions {
  links: Pick<LinkCache, 'get' | 'lookUp'>
  clicks: ClickSink
  /** First path segments that belong to the service itself. */
  reserved: ReadonlySet<string>
  /** Where the service explains its problems. With PORT=0 this is known only when it listens. */
  publicUrl: () => string
  /**
   * Finds the visitor's address when a trusted proxy stands in front. Without this option, the address of the
   * connection is taken. A connection that is closed already has none.
   */
  clientAddress?: (request: IncomingMessage) => string | undefined
  /** The header in which a trusted proxy names the visitor's country. */
  countryHeader?: string
  /** Called when answering failed and the connection was closed. */
  onError?: (error: Error) => void
  now?: () => number
}

/** Is given GET and HEAD only. True when it took the request. */
export type RedirectHandler = (request: IncomingMessage, response: ServerResponse) => boolean

const slash = 47

export function createRedirectHandler(options: RedirectOptions): RedirectHandler {
  const { links, clicks, reserved, publicUrl } = options
  const now = options.now ?? currentMs
  const clientAddress = options.clientAddress ?? (({ socket }) => socket.remoteAddress)
  const countryHeader = options.countryHeader?.toLowerCase()

  /** A throw out of a request handler would end the process, and every visitor with it. */
  function answer(
    request: IncomingMessage,
    response: ServerResponse,
    link: CompiledLink | null,
    query: string,
    time: number,
  ): void {
    try {
      redirect(request, response, link, query, time)
    } catch (error) {
      response.destroy()
      options.onError?.(error as Error)
    }
  }

  function redirect(
    request: IncomingMessage,
    response: ServerResponse,
    link: CompiledLink | null,
    query: string,
    time: number,
  ): void {
    const { headers } = request
    const requestId = requestIdFor(headers['x-request-id'])
    if (link === null) return sendFailure(request, response, 'not_found', requestId, publicUrl())
    if (isGone(link, time)) return sendFailure(request, response, 'gone', requestId, publicUrl())

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
    if (request.method === 'HEAD' || isPrefetch(headers)) return leave(response)
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
    }
    clicks.append(visit, leave, response)
  }

  async function lookUpAndAnswer(
    request: IncomingMessage,
    response: ServerResponse,
    slug: string,
    query: string,
  ): Promise<void> {
    try {
      const link = await links.lookUp(slug)
      answer(request, response, link, query, now())
    } catch {
      sendFailure(
        request,
        response,
        'unavailable',
        requestIdFor(request.headers['x-request-id']),
        publicUrl(),
      )
    }
  }

  return (request, response) => {
    const url = originForm(request.url ?? '')
    const queryAt = url.indexOf('?')
    const pathEnd = queryAt < 0 ? url.length : queryAt
    // One slash at the end is what editors and browsers add to an address; it names the same link.
    const slugEnd = pathEnd > 2 && url.charCodeAt(pathEnd - 1) === slash ? pathEnd - 1 : pathEnd
    const slug = url.slice(1, slugEnd)
    const query = queryAt < 0 ? '' : url.slice(queryAt + 1)
    // Nothing but valid slugs is ever in memory, so what is found there needs no further check.
    const time = now()
    const known = links.get(slug, time)
    if (known === undefined && (!isSlug(slug) || reserved.has(slug))) return false
    if (known !== undefined) answer(request, response, known, query, time)
    else void lookUpAndAnswer(request, response, ownCopy(slug), query)
    return true
  }
}

function leave(response: ServerResponse): void {
  response.end()
}

/** A slice of the request would keep all of it in memory for as long as the slug is remembered. */
function ownCopy(slug: string): string {
  return Buffer.from(slug, 'latin1').toString('latin1')
}

const ahead = /prefetch|prerender|preview/i

/** Whether a browser fetches ahead of a person, who may never come. Such a visit is answered and not counted. */
function isPrefetch(headers: IncomingHttpHeaders): boolean {
  const { 'sec-purpose': secPurpose, purpose, 'x-purpose': xPurpose, 'x-moz': xMoz } = headers
  if (secPurpose === undefined && purpose === undefined && xPurpose === undefined && xMoz === undefined)
    return false
  return ahead.test(`${String(secPurpose)} ${String(purpose)} ${String(xPurpose)} ${String(xMoz)}`)
}

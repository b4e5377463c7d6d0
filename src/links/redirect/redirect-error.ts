/** Sends the error responses of short links: a page for browsers, problem+json for other clients. */
import type { IncomingMessage, ServerResponse } from 'node:http'

import { unavailableRetryAfter, dataContentPolicy, Problem } from '../../platform/http/problems/problem.js'
import { problems } from '../../problems.js'
import type { RedirectErrorCode, VisitorPages } from './visitor-pages.js'

export interface ErrorOptions {
  pages: VisitorPages
  /** Base URL of the pages about errors. With PORT=0 it is known only once the service listens. */
  publicUrl: () => string
}

export function sendError(
  request: IncomingMessage,
  response: ServerResponse,
  code: RedirectErrorCode,
  requestId: string,
  { pages, publicUrl }: ErrorOptions,
): void {
  const isBrowser = request.headers.accept?.toLowerCase().includes('text/html') === true
  const body = isBrowser
    ? pages[code].body
    : Buffer.from(JSON.stringify(new Problem(code).toBody(publicUrl(), requestId)))
  const headers = [
    'Content-Type',
    isBrowser ? 'text/html; charset=utf-8' : 'application/problem+json; charset=utf-8',
    'Content-Length',
    String(body.length),
    'Cache-Control',
    'no-store',
    'Vary',
    'Accept',
    'X-Robots-Tag',
    'noindex',
    'X-Content-Type-Options',
    'nosniff',
    'Content-Security-Policy',
    isBrowser ? pages[code].policy : dataContentPolicy,
    'Referrer-Policy',
    'no-referrer',
    'X-Request-Id',
    requestId,
  ]
  if (code === 'unavailable') headers.push('Retry-After', unavailableRetryAfter)
  response.writeHead(problems[code].status, headers)
  response.end(request.method === 'HEAD' ? undefined : body)
}

/** The answer where no redirect is possible: a page for browsers, problem+json for everything else. */
import type { IncomingMessage, ServerResponse } from 'node:http'

import { contentSecurityPolicy, pages } from './pages.js'
import type { RedirectFailure } from './pages.js'

/** The problem+json body for a failure, made by whoever knows the service's form of it. */
export type ProblemBody = (code: RedirectFailure, requestId: string) => Buffer | string

const statuses = { not_found: 404, gone: 410, unavailable: 503 } as const
const retryAfterSeconds = '2'

export function sendFailure(
  request: IncomingMessage,
  response: ServerResponse,
  code: RedirectFailure,
  requestId: string,
  problem: ProblemBody,
): void {
  const forBrowser = request.headers.accept?.toLowerCase().includes('text/html') === true
  const body = forBrowser ? pages[code] : Buffer.from(problem(code, requestId))
  const headers = [
    'Content-Type',
    forBrowser ? 'text/html; charset=utf-8' : 'application/problem+json; charset=utf-8',
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
    forBrowser ? contentSecurityPolicy : "default-src 'none'; frame-ancestors 'none'",
    'Referrer-Policy',
    'no-referrer',
    'X-Request-Id',
    requestId,
  ]
  if (code === 'unavailable') headers.push('Retry-After', retryAfterSeconds)
  response.writeHead(statuses[code], headers)
  response.end(request.method === 'HEAD' ? undefined : body)
}

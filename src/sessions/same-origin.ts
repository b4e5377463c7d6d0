/**
 * A browser sends the cookie by itself, so a request that would change something must show that a page of this service
 * sent it. Browsers set these headers, and no script can change them.
 */
import type { FastifyRequest } from 'fastify'

import { Problem } from '../platform/http/problem.js'

export function requireSameOrigin(request: FastifyRequest, publicUrl: string): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  if (!isFromHere(request, publicUrl))
    throw new Problem('cross_site', { detail: 'Only a page of this service may send this request.' })
  if (hasBody(request) && !request.server.hasContentTypeParser(typeOf(request)))
    throw new Problem('cross_site', {
      detail: 'The body must be of a type that the API takes, such as JSON.',
    })
}

function isFromHere({ headers }: FastifyRequest, publicUrl: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  // Browsers leave that header out where the page came over plain HTTP.
  const { origin, host } = headers
  return origin !== undefined && (origin === publicUrl || (host !== undefined && hostOf(origin) === host))
}

function hostOf(origin: string): string | null {
  const url = URL.parse(origin)
  return url && /^https?:$/.test(url.protocol) ? url.host : null
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0
}

/** Without its parameters. What has no type is none that the API takes. */
function typeOf({ headers }: FastifyRequest): string {
  return headers['content-type']?.split(';')[0]?.trim().toLowerCase() || 'none/none'
}

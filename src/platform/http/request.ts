/** Everything about a request except its input: its ID, its source, its headers and its idempotency key. */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

import { type ExecutionContext, createParamDecorator } from '@nestjs/common'
import type { FastifyRequest } from 'fastify'

/** A request with an Idempotency-Key. Its response is replayed for retries. */
export interface KeyedRequest {
  /** Keys of different tokens are independent. */
  tokenId: string
  key: string
  fingerprint: Buffer
}

declare module 'fastify' {
  interface FastifyRequest {
    keyed: KeyedRequest | null
  }
}

const validRequestId = /^[A-Za-z0-9._~-]{1,128}$/
const processPart = randomBytes(9).toString('base64url')
let counter = 0

export function requestIdFor(incoming: string | string[] | undefined): string {
  if (typeof incoming === 'string' && validRequestId.test(incoming)) return incoming
  counter += 1
  return `${processPart}${counter.toString(36)}`
}

export function singleHeader(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

/**
 * Returns whether a header occurs more than once. Node uses only the first one, but a proxy may have used another.
 * `name` is in lower case. Runs for every request, so it compares only names of the same length.
 */
export function isRepeatedHeader({ rawHeaders }: IncomingMessage, name: string): boolean {
  let count = 0
  // Names and values alternate.
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const other = rawHeaders[i]!
    if (other.length === name.length && other.toLowerCase() === name) count += 1
  }
  return count > 1
}

/** The path at which the dashboard calls the API. Fastify rewrites it to the path of the API. */
export const dashboardApiPath = '/dashboard/api'

/** The path at which pages of the webhook portal call the API. Fastify rewrites it too. */
export const portalApiPath = '/dashboard/portal/api'

/** Returns whether the request was sent to one of these paths. Only these requests have a rewritten URL. */
export function isFromDashboard({ url, originalUrl }: FastifyRequest): boolean {
  return url !== originalUrl
}

export function isFromPortal({ originalUrl }: FastifyRequest): boolean {
  return originForm(originalUrl).startsWith(`${portalApiPath}/`)
}

export interface RequestSource {
  address: string
  requestId: string
}

/** The IP address and the ID of a request, for routes without authentication. */
export const Source = createParamDecorator((_: unknown, context: ExecutionContext): RequestSource => {
  const { ip, id } = context.switchToHttp().getRequest<FastifyRequest>()
  return { address: ip, requestId: id }
})

const schemeAndHost = /^https?:\/\/[^/?#]*/i
const slash = 47

/**
 * Returns the path and the query of a request line. A proxy may send an absolute URL, of which the router also uses
 * only the path. Runs for every redirect, so it checks only one character of the usual form.
 */
export function originForm(url: string): string {
  return url.charCodeAt(0) === slash ? url : url.replace(schemeAndHost, '')
}

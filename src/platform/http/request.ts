/** What is read of a request apart from its input: its id, where it came from, a header, its idempotency key. */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

import { createParamDecorator } from '@nestjs/common'
import type { ExecutionContext } from '@nestjs/common'
import type { FastifyRequest } from 'fastify'

/** A request with an Idempotency-Key: its repetition gets its answer again. */
export interface KeyedRequest {
  /** Keys of different owners never meet. */
  owner: string
  key: string
  fingerprint: Buffer
}

declare module 'fastify' {
  interface FastifyRequest {
    keyed: KeyedRequest | null
    /** Whose idempotency keys come with the request: a UUID, set once the caller is known. */
    keyOwner: string | null
  }
}

const saneRequestId = /^[A-Za-z0-9._~-]{1,128}$/
const processPart = randomBytes(9).toString('base64url')
let counter = 0

export function requestIdFor(incoming: string | string[] | undefined): string {
  if (typeof incoming === 'string' && saneRequestId.test(incoming)) return incoming
  counter += 1
  return `${processPart}${counter.toString(36)}`
}

export function singleHeader(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

/**
 * Node keeps the first of several headers, but a proxy in front of this service may have looked at another one. This
 * runs for every request, so it looks only at names of the right length; `name` is in lower case.
 */
export function isGivenTwice({ rawHeaders }: IncomingMessage, name: string): boolean {
  let count = 0
  // Names and values alternate.
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const other = rawHeaders[i]!
    if (other.length === name.length && other.toLowerCase() === name) count += 1
  }
  return count > 1
}

export interface RequestOrigin {
  address: string
  requestId: string
}

/** The network from which a request without a known caller came. */
export const Origin = createParamDecorator((_: unknown, context: ExecutionContext): RequestOrigin => {
  const { ip, id } = context.switchToHttp().getRequest<FastifyRequest>()
  return { address: ip, requestId: id }
})

/** The caller of a request, the `Authorization` header, and the errors for invalid tokens. */
import type { IncomingMessage } from 'node:http'

import { type ExecutionContext, createParamDecorator } from '@nestjs/common'
import type { FastifyRequest } from 'fastify'

import { encodeId } from '../platform/database/ids.js'
import { Problem } from '../platform/http/problems/problem.js'
import type { ProblemCode } from '../problems.js'
import { type KeyedRequest, isRepeatedHeader } from '../platform/http/request.js'
import type { Portal } from './portal-access.js'
import type { Scope } from './scopes.js'
import { type Token, getTokenStatus } from './token.entity.js'

/** The authenticated caller of a request. Most service methods take it as their first argument. */
export interface Caller {
  tokenId: string
  workspaceId: string
  scopes: readonly Scope[]
  /** The caller can only access links with one of these tags. Null for all links. */
  tags: readonly string[] | null
  /** Expiry of the cached token. A later rotation may have shortened it. */
  expiresAt: Date | null
  address: string
  requestId: string
  keyed: KeyedRequest | null
  /** Null unless the caller is a visitor of a webhook portal. */
  portal: Portal | null
  /** Returns whether the token has a scope that only some calls of a route need, and marks the scope as used. */
  useScope: (scope: Scope) => boolean
  /** Returns the called route, for the audit log. A function, because few requests need the route. */
  operation: () => { method: string; path: string | null }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller's token, set by the authentication hook. */
    token: Token | null
  }
}

export function getCaller(request: FastifyRequest): Caller {
  const token = getToken(request)
  return {
    tokenId: token.id,
    workspaceId: token.workspaceId,
    scopes: token.scopes,
    tags: token.restrictions?.tags ?? null,
    expiresAt: token.expiresAt,
    address: request.ip,
    requestId: request.id,
    keyed: request.keyed,
    portal: request.portal,
    useScope: (scope) => useScope(token, scope),
    operation: () => ({ method: request.method, path: request.routeOptions.url ?? null }),
  }
}

/** Marks a scope as used on the cached token. Returns false if the token lacks the scope. */
export function useScope(token: Token, scope: Scope): boolean {
  if (!token.scopes.includes(scope)) return false
  if (!token.usedScopes.includes(scope)) token.usedScopes = [...token.usedScopes, scope]
  return true
}

export function getToken(request: FastifyRequest): Token {
  if (!request.token) throw new Error('a public route has no caller')
  return request.token
}

/** Returns the log fields that identify the caller. */
export function getLogFields({ token }: FastifyRequest): { token_id: string | null } {
  // The worker role has no authentication hook, so `token` is undefined there.
  const callerToken = token as Token | undefined
  return { token_id: callerToken ? encodeId('tok', callerToken.id) : null }
}

export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext) =>
  getCaller(context.switchToHttp().getRequest<FastifyRequest>()),
)

export const CurrentToken = createParamDecorator((_: unknown, context: ExecutionContext) =>
  getToken(context.switchToHttp().getRequest<FastifyRequest>()),
)

export const challenge = 'Bearer realm="link-service"'

/** Returns the error for an unknown, revoked or expired token. */
export function createTokenProblem(code: ProblemCode): Problem {
  return new Problem(code, { headers: { 'www-authenticate': `${challenge}, error="invalid_token"` } })
}

/** Returns the error for a revoked or expired token, or null for an active one. */
export function findTokenProblem(token: Token): Problem | null {
  const status = getTokenStatus(token)
  return status === 'active' ? null : createTokenProblem(`token_${status}`)
}

const headerName = 'authorization'
const maxHeaderLength = 200
const space = 32
const tab = 9

export function getAuthorization(request: IncomingMessage): string | undefined {
  if (isRepeatedHeader(request, headerName)) throw createRepeatedHeaderProblem()
  return request.headers.authorization
}

export function parseBearer(authorization = ''): string {
  const schemeEnd = authorization.indexOf(' ')
  if (schemeEnd < 0 || authorization.slice(0, schemeEnd).toLowerCase() !== 'bearer')
    throw new Problem('unauthorized', { headers: { 'www-authenticate': challenge } })
  if (authorization.length > maxHeaderLength) throw createTokenProblem('invalid_token')
  let start = schemeEnd + 1
  let end = authorization.length
  while (start < end && isBlank(authorization.charCodeAt(start))) start += 1
  while (start < end && isBlank(authorization.charCodeAt(end - 1))) end -= 1
  return authorization.slice(start, end)
}

/** HTTP allows only spaces and tabs around a value. Other whitespace is part of the token and makes it invalid. */
function isBlank(char: number): boolean {
  return char === space || char === tab
}

function createRepeatedHeaderProblem(): Problem {
  const detail = 'Send one Authorization header.'
  return new Problem('invalid_header', {
    errors: [{ header: 'Authorization', code: 'duplicate', detail }],
    headers: { 'www-authenticate': `${challenge}, error="invalid_request"` },
  })
}

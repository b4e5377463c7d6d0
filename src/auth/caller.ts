import { createParamDecorator } from '@nestjs/common'
import type { ExecutionContext } from '@nestjs/common'
import type { FastifyRequest } from 'fastify'

import type { KeyedRequest } from '../platform/http/request.js'
import type { Scope } from './scopes.js'
import type { Token } from './token.entity.js'

/** Who acts, and in which request: what every service call begins with. */
export interface Caller {
  tokenId: string
  workspaceId: string
  scopes: readonly Scope[]
  /** As it is remembered: it may end sooner by now. */
  expiresAt: Date | null
  address: string
  requestId: string
  keyed: KeyedRequest | null
  /** Whether the token has a scope that the route does not always ask for; if so, it counts as used. */
  useScope: (scope: Scope) => boolean
  /** What was called, for the audit log. It is a function because few calls need it and it costs more than the rest. */
  operation: () => { method: string; path: string | null }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The bearer's token, once the guard has accepted it. */
    token: Token | null
  }
}

export function callerOf(request: FastifyRequest): Caller {
  const token = tokenOf(request)
  return {
    tokenId: token.id,
    workspaceId: token.workspaceId,
    scopes: token.scopes,
    expiresAt: token.expiresAt,
    address: request.ip,
    requestId: request.id,
    keyed: request.keyed,
    useScope: (scope) => useScope(token, scope),
    operation: () => ({ method: request.method, path: request.routeOptions.url ?? null }),
  }
}

/** Marks the record in memory, which is written with the time of use. */
export function useScope(token: Token, scope: Scope): boolean {
  if (!token.scopes.includes(scope)) return false
  if (!token.usedScopes.includes(scope)) token.usedScopes = [...token.usedScopes, scope]
  return true
}

export function tokenOf(request: FastifyRequest): Token {
  if (!request.token) throw new Error('a public route has no caller')
  return request.token
}

/** For the access log. */
export function callerFields({ token }: FastifyRequest): { token_id: string | null } {
  // In the worker role nobody sets a token.
  return { token_id: (token as Token | undefined)?.id ?? null }
}

export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext) =>
  callerOf(context.switchToHttp().getRequest<FastifyRequest>()),
)

export const CurrentToken = createParamDecorator((_: unknown, context: ExecutionContext) =>
  tokenOf(context.switchToHttp().getRequest<FastifyRequest>()),
)

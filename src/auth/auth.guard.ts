/**
 * Lets nobody in who is not known to be allowed: the bearer, then the rate, then the scope, and all before the body.
 * A warm check waits for nothing, not even for the next microtask: most of the API's requests are these.
 */
import { Injectable } from '@nestjs/common'
import type { CanActivate, ExecutionContext } from '@nestjs/common'
import { Reflector } from '@nestjs/core'
import type { FastifyReply, FastifyRequest } from 'fastify'

import { AuditService } from '../audit/audit.service.js'
import { RateLimit } from '../http/rate-limit.js'
import { access, refuseScopes } from './access.js'
import type { Access } from './access.js'
import { authorizationOf, bearerIn } from './bearer.js'
import { callerOf } from './caller.js'
import { LastUse } from './last-use.js'
import { refusal } from './refusal.js'
import { missingFrom } from './scopes.js'
import { TokenCache } from './token-cache.js'
import type { Token } from './token.entity.js'

@Injectable()
export class AuthGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly cache: TokenCache,
    private readonly lastUse: LastUse,
    private readonly rateLimit: RateLimit,
    private readonly audit: AuditService,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const needed = this.reflector.get<Access | undefined>(access, context.getHandler())
    if (needed?.kind === 'public') return true
    const http = context.switchToHttp()
    const request = http.getRequest<FastifyRequest>()
    const reply = http.getResponse<FastifyReply>()
    const token = this.check(authorizationOf(request.raw))
    return token instanceof Promise
      ? token.then((found) => this.admit(found, needed, request, reply))
      : this.admit(token, needed, request, reply)
  }

  /** Who a bearer header speaks for. A warm check is one hash and one look-up in memory. */
  check(authorization?: string): Token | Promise<Token> {
    const value = bearerIn(authorization)
    const known = this.cache.known(value)
    return known ? this.accept(known) : this.cache.find(value).then((token) => this.accept(token))
  }

  private accept(token: Token | null): Token {
    if (!token) throw refusal('invalid_token')
    if (token.revokedAt) throw refusal('token_revoked')
    if (token.expiresAt && token.expiresAt.getTime() <= Date.now()) throw refusal('token_expired')
    this.lastUse.note(token.id)
    return token
  }

  private admit(
    token: Token,
    needed: Access | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): boolean | Promise<boolean> {
    request.token = token
    const counted = this.rateLimit.take(token, reply)
    if (counted) return counted.then(() => this.authorize(token, needed, request))
    return this.authorize(token, needed, request)
  }

  private authorize(
    token: Token,
    needed: Access | undefined,
    request: FastifyRequest,
  ): boolean | Promise<never> {
    if (needed?.kind === 'token') return true
    const missing = needed?.kind === 'scope' ? missingFrom(token.scopes, needed.scopes) : []
    if (needed?.kind === 'scope' && missing.length === 0) return true
    return refuseScopes(this.audit, callerOf(request), missing)
  }
}

/**
 * Lets nobody in who is not known to be allowed: the bearer, then the rate, then the scope. All of it is decided in a
 * hook of Fastify, before a byte of the body is read; the guard in front of the handler then sees that it was.
 * A warm check waits for nothing, not even for the next microtask: most of the API's requests are these.
 */
import { Injectable } from '@nestjs/common'
import type { CanActivate, ExecutionContext } from '@nestjs/common'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { AuditService } from '../audit/audit.service.js'
import type { RunningSettings } from '../platform/config/settings.js'
import { Problem } from '../platform/http/problems/problem.js'
import { cameBySecondPath } from '../platform/http/request.js'
import { RateLimit } from '../platform/http/rate-limit.js'
import type { RatePolicy } from '../platform/http/rate-limit.js'
import { refuseScopes } from './access.js'
import type { Access } from './access.js'
import { authorizationOf, bearerIn, callerOf, refusal, refusalOf, tokenOf, useScope } from './caller.js'
import { TokenUse, TokenCache } from './token-cache.js'
import { missingFrom } from './scopes.js'
import type { Token } from './token.entity.js'

/** Another way than a bearer to say who calls: that of the API's second path. */
export interface OtherCredentials {
  /** The token that a request stands for. Throws where it is refused. */
  tokenOf(request: FastifyRequest): Token | Promise<Token>
}

@Injectable()
export class AuthGuard implements CanActivate {
  private others: OtherCredentials | null = null

  constructor(
    private readonly cache: TokenCache,
    private readonly use: TokenUse,
    private readonly rateLimit: RateLimit,
    private readonly audit: AuditService,
  ) {}

  /** Admits callers before their bodies are read. */
  watch(fastify: FastifyInstance, others: OtherCredentials | null): void {
    this.others = others
    fastify.decorateRequest('token', null)
    fastify.addHook('onRequest', (request, reply, done) => {
      let admitted: Promise<void> | undefined
      try {
        admitted = this.admit(request, reply)
      } catch (error) {
        done(error as Error)
        return
      }
      if (admitted) admitted.then(() => done(), done)
      else done()
    })
  }

  /** Checks again in front of the handler, in case a request ever gets past the hook. */
  canActivate(context: ExecutionContext): boolean {
    const { routeOptions, token } = context.switchToHttp().getRequest<FastifyRequest>()
    const needed = routeOptions.config.access
    if (needed?.kind === 'public') return true
    if (token && mayCall(token, needed)) return true
    throw new Problem('insufficient_scope', { more: { required: [], granted: token?.scopes ?? [] } })
  }

  /** Who a bearer header speaks for. A warm check is one hash and one look-up in memory. */
  check(authorization?: string): Token | Promise<Token> {
    const value = bearerIn(authorization)
    const known = this.cache.known(value)
    return known ? this.accept(known) : this.cache.find(value).then((token) => this.accept(token))
  }

  /** For an answer that goes on for hours: whether its token, or its session, would still be let in. */
  async stillAdmits(request: FastifyRequest): Promise<boolean> {
    try {
      return (await this.who(request)).id === request.token?.id
    } catch {
      return false
    }
  }

  private admit(request: FastifyRequest, reply: FastifyReply): undefined | Promise<void> {
    const needed = request.routeOptions.config.access
    if (needed?.kind === 'public') return undefined
    const token = this.who(request)
    return token instanceof Promise
      ? token.then((found) => this.count(found, needed, request, reply))
      : this.count(token, needed, request, reply)
  }

  private who(request: FastifyRequest): Token | Promise<Token> {
    if (!this.others || !cameBySecondPath(request)) return this.check(authorizationOf(request.raw))
    const token = this.others.tokenOf(request)
    return token instanceof Promise ? token.then((found) => this.accept(found)) : this.accept(token)
  }

  private accept(token: Token | null): Token {
    if (!token) throw refusal('invalid_token')
    const refused = refusalOf(token)
    if (refused) throw refused
    this.use.note(token)
    return token
  }

  private count(
    token: Token,
    needed: Access | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): undefined | Promise<void> {
    request.token = token
    request.keyOwner = token.id
    const counted = this.rateLimit.take(request, reply)
    if (counted) return counted.then(() => this.authorize(token, needed, request))
    return this.authorize(token, needed, request)
  }

  private authorize(
    token: Token,
    needed: Access | undefined,
    request: FastifyRequest,
  ): undefined | Promise<never> {
    if (mayCall(token, needed)) {
      if (needed?.kind === 'scope') for (const scope of needed.scopes) useScope(token, scope)
      return undefined
    }
    const missing = needed?.kind === 'scope' ? missingFrom(token.scopes, needed.scopes) : []
    return refuseScopes(this.audit, callerOf(request), missing)
  }
}

/** A route that says nothing about its callers is open to nobody. */
function mayCall(token: Token, needed: Access | undefined): boolean {
  return (
    needed?.kind === 'token' ||
    (needed?.kind === 'scope' && needed.scopes.every((scope) => token.scopes.includes(scope)))
  )
}

/** How many requests a token may make, and all tokens of a workspace: minting tokens does not multiply what it may ask. */
export function ratePolicies({ rateLimit, workspaceRateLimit }: RunningSettings): RatePolicy[] {
  return [
    {
      name: 'default',
      rate: rateLimit,
      keyOf: (request) => tokenOf(request).id,
      subject: 'This token',
    },
    {
      name: 'workspace',
      rate: workspaceRateLimit,
      keyOf: (request) => tokenOf(request).workspaceId,
      subject: 'All tokens of this workspace together',
    },
  ]
}

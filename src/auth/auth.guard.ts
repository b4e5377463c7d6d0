/**
 * Checks the bearer token, then the rate limit, then the scope. All checks run in a hook of Fastify, before any byte of
 * the body is read. The guard in front of the handler confirms that they ran.
 * The check of a remembered token is synchronous, without even a microtask, because most requests need only that.
 */
import { Injectable } from '@nestjs/common'
import type { CanActivate, ExecutionContext } from '@nestjs/common'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { AuditService } from '../audit/audit.service.js'
import type { RunningSettings } from '../settings.js'
import { isUnavailable } from '../platform/database/unavailable.js'
import { Problem } from '../platform/http/problems/problem.js'
import { isFromDashboard } from '../platform/http/request.js'
import { RateLimit } from '../platform/http/rate-limit.js'
import type { RatePolicy } from '../platform/http/rate-limit.js'
import { refuseScopes } from './access.js'
import type { Access } from './access.js'
import { authorizationOf, bearerIn, callerOf, refusal, refusalOf, tokenOf, useScope } from './caller.js'
import { TokenUse, TokenCache } from './token-cache.js'
import { missingFrom } from './scopes.js'
import type { Token } from './token.entity.js'

/** Identifies the dashboard's requests, which have a session in place of a bearer token. */
export interface DashboardCredentials {
  /** The token in whose name a request is made. Throws if the request is refused. */
  tokenOf(request: FastifyRequest): Token | Promise<Token>
}

/**
 * The error of a caller who left while the token was looked up. Without it, the request would wait for the rest of its
 * body for good.
 */
function abortOf({ raw }: FastifyRequest): Error | undefined {
  return raw.complete ? undefined : (raw.errored ?? undefined)
}

@Injectable()
export class AuthGuard implements CanActivate {
  private dashboard: DashboardCredentials | null = null

  constructor(
    private readonly cache: TokenCache,
    private readonly use: TokenUse,
    private readonly rateLimit: RateLimit,
    private readonly audit: AuditService,
  ) {}

  /** Admits callers before their bodies are read. */
  watch(fastify: FastifyInstance, dashboard: DashboardCredentials | null): void {
    this.dashboard = dashboard
    fastify.decorateRequest('token', null)
    fastify.addHook('onRequest', (request, reply, done) => {
      let admitted: Promise<void> | undefined
      try {
        admitted = this.admit(request, reply)
      } catch (error) {
        done(error as Error)
        return
      }
      if (admitted) admitted.then(() => done(abortOf(request)), done)
      else done()
    })
  }

  /** Checks again in front of the handler, in case a request ever gets past the hook. */
  canActivate(context: ExecutionContext): boolean {
    const { routeOptions, token } = context.switchToHttp().getRequest<FastifyRequest>()
    const needed = routeOptions.config.access
    if (needed?.kind === 'public') return true
    if (token && mayCall(token, needed)) return true
    throw new Problem('insufficient_scope', {
      more: { required: [], granted: token?.scopes ?? [] },
    })
  }

  /** The token of a bearer header. A remembered token costs one hash and one look-up in memory. */
  check(authorization?: string): Token | Promise<Token> {
    const value = bearerIn(authorization)
    const known = this.cache.known(value)
    return known ? this.accept(known) : this.cache.find(value).then((token) => this.accept(token))
  }

  /**
   * Whether the token or session of a request would still be let in. Answers that stream for hours ask this. While the
   * database is away they go on: they have nothing to say until it is back, and are then asked about again.
   */
  async stillAdmits(request: FastifyRequest): Promise<boolean> {
    try {
      return (await this.who(request)).id === request.token?.id
    } catch (error) {
      return isUnavailable(error)
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
    if (!this.dashboard || !isFromDashboard(request)) return this.check(authorizationOf(request.raw))
    const token = this.dashboard.tokenOf(request)
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

/** The rate limits of a token and of a workspace. The second one stops callers from minting tokens to get more. */
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

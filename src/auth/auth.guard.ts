/**
 * Checks the bearer token, the rate limit and the scope, in this order. The checks run in an `onRequest` hook, before
 * the body is read, and the guard confirms that they ran. A cached token is checked synchronously, as most requests
 * need nothing more.
 */
import { Injectable } from '@nestjs/common'
import type { CanActivate, ExecutionContext } from '@nestjs/common'
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { AuditService } from '../audit/audit.service.js'
import type { RunningSettings } from '../settings.js'
import { isUnavailable } from '../platform/database/unavailable.js'
import { Problem } from '../platform/http/problems/problem.js'
import { isFromDashboard } from '../platform/http/request.js'
import { RateLimit } from '../platform/http/rate-limit.js'
import type { RatePolicy } from '../platform/http/rate-limit.js'
import { refuseScopes, refuseTags } from './access.js'
import type { Access } from './access.js'
import {
  getAuthorization,
  parseBearer,
  getCaller,
  createTokenProblem,
  findTokenProblem,
  getToken,
  useScope,
} from './caller.js'
import { requirePortalAccess } from './portal-access.js'
import { RestrictedAttempts } from './restricted-attempts.js'
import { findViolation, getOwnRate } from './restrictions.js'
import { TokenUse, TokenCache } from './token-cache.js'
import { missingScopes } from './scopes.js'
import type { Token } from './token.entity.js'

/** Authenticates requests of the dashboard, which have a session instead of a bearer token. */
export interface DashboardCredentials {
  /** Returns the token behind the session. Throws if the request is rejected. `admit` checks the token. */
  authenticate(
    request: FastifyRequest,
    admit: (token: Token) => Token | Promise<Token>,
  ): Token | Promise<Token>
}

/**
 * Returns the error of a connection that was lost during the token lookup. Without the error, the request would wait
 * forever for the rest of its body.
 */
function getConnectionError({ raw }: FastifyRequest): Error | undefined {
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
    private readonly restricted: RestrictedAttempts,
  ) {}

  /** Registers the hook that checks requests before their bodies are read. */
  registerHooks(fastify: FastifyInstance, dashboard: DashboardCredentials | null): void {
    this.dashboard = dashboard
    fastify.decorateRequest('token', null)
    fastify.decorateRequest('portal', null)
    fastify.addHook('onRequest', (request, reply, done) => {
      let admitted: Promise<void> | undefined
      try {
        admitted = this.admitRequest(request, reply)
      } catch (error) {
        done(error as Error)
        return
      }
      if (admitted) admitted.then(() => done(getConnectionError(request)), done)
      else done()
    })
  }

  /** Checks the scope again, in case a request gets past the hook. */
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>()
    const { routeOptions, token } = request
    const access = routeOptions.config.access
    if (access?.kind === 'public') return true
    requirePortalAccess(request)
    if (token && mayCall(token, access) && !isTooWide(token, routeOptions.config)) return true
    throw new Problem('insufficient_scope', {
      more: { required: [], granted: token?.scopes ?? [] },
    })
  }

  /** Returns the token of an `Authorization` header. A cached token costs one hash and one lookup in memory. */
  authenticate(authorization: string | undefined, request: FastifyRequest): Token | Promise<Token> {
    const value = parseBearer(authorization)
    const cached = this.cache.getCached(value)
    return cached
      ? this.requireUsable(cached, request)
      : this.cache.findByValue(value).then((token) => this.requireUsable(token, request))
  }

  /**
   * Returns whether the token or session of a request is still valid, for responses that stream for hours. While the
   * database is unreachable, a stream continues: it has nothing to send, and is checked again afterwards.
   */
  async stillAdmits(request: FastifyRequest): Promise<boolean> {
    try {
      return (await this.findToken(request)).id === request.token?.id
    } catch (error) {
      return isUnavailable(error)
    }
  }

  private admitRequest(request: FastifyRequest, reply: FastifyReply): undefined | Promise<void> {
    const access = request.routeOptions.config.access
    if (access?.kind === 'public') return undefined
    const token = this.findToken(request)
    return token instanceof Promise
      ? token.then((found) => this.countRequest(found, access, request, reply))
      : this.countRequest(token, access, request, reply)
  }

  private findToken(request: FastifyRequest): Token | Promise<Token> {
    if (!this.dashboard || !isFromDashboard(request))
      return this.authenticate(getAuthorization(request.raw), request)
    return this.dashboard.authenticate(request, (token) => this.requireUsable(token, request))
  }

  /** Checks the restrictions before the rate limits, so that a stolen token cannot use up the limits of its owner. */
  private requireUsable(token: Token | null, request: FastifyRequest): Token | Promise<Token> {
    if (!token) throw createTokenProblem('invalid_token')
    const refused = findTokenProblem(token)
    if (refused) throw refused
    const violated = token.restrictions && findViolation(token.restrictions, request.ip)
    if (violated) return this.restricted.refuseRequest(token, violated, request)
    this.use.recordUse(token)
    return token
  }

  private countRequest(
    token: Token,
    access: Access | undefined,
    request: FastifyRequest,
    reply: FastifyReply,
  ): undefined | Promise<void> {
    request.token = token
    const counted = this.rateLimit.countRequest(request, reply)
    if (counted) return counted.then(() => this.authorize(token, access, request))
    return this.authorize(token, access, request)
  }

  private authorize(
    token: Token,
    access: Access | undefined,
    request: FastifyRequest,
  ): undefined | Promise<never> {
    requirePortalAccess(request)
    if (mayCall(token, access)) {
      if (isTooWide(token, request.routeOptions.config))
        return refuseTags(
          this.audit,
          getCaller(request),
          'This operation is not available to tokens that are restricted to tags.',
        )
      if (access?.kind === 'scope') for (const scope of access.scopes) useScope(token, scope)
      return undefined
    }
    const missing = access?.kind === 'scope' ? missingScopes(token.scopes, access.scopes) : []
    return refuseScopes(this.audit, getCaller(request), missing)
  }
}

/** A route that declares no access rejects every caller. */
function mayCall(token: Token, access: Access | undefined): boolean {
  return (
    access?.kind === 'token' ||
    (access?.kind === 'scope' && access.scopes.every((scope) => token.scopes.includes(scope)))
  )
}

/** Whether the route could show or change links that lack the tags of the token. */
function isTooWide({ restrictions }: Token, { narrowsToTags }: FastifyContextConfig): boolean {
  return restrictions !== null && restrictions.tags !== null && narrowsToTags !== true
}

/** Returns the limits per token and per workspace. The latter keeps callers from creating tokens to raise theirs. */
export function ratePolicies({ rateLimit, workspaceRateLimit }: RunningSettings): RatePolicy[] {
  return [
    {
      name: 'default',
      rate: rateLimit,
      // Visitors of a portal must not use up the requests of the token.
      getRateKey: (request) => request.portal?.sessionId ?? getToken(request).id,
      findOwnRate: (request) => {
        const { restrictions } = getToken(request)
        return restrictions && getOwnRate(restrictions)
      },
      subject: 'This token',
    },
    {
      name: 'workspace',
      rate: workspaceRateLimit,
      getRateKey: (request) => getToken(request).workspaceId,
      subject: 'All tokens of this workspace together',
    },
  ]
}

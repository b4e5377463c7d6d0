/** Lets nobody in who is not known to be allowed: the bearer, then the rate, then the scope, and all before the body. */
import { Inject, Injectable } from '@nestjs/common'
import type { CanActivate, ExecutionContext } from '@nestjs/common'
import { Reflector } from '@nestjs/core'
import type { FastifyReply, FastifyRequest } from 'fastify'

import { AuditService } from '../audit/audit.service.js'
import { SETTINGS } from '../config/settings.js'
import type { RunningSettings } from '../config/settings.js'
import { Problem } from '../http/problem.js'
import { RateLimit } from '../http/rate-limit.js'
import { access } from './access.js'
import { callerOf } from './caller.js'
import { LastUse } from './last-use.js'
import type { Scope } from './scopes.js'
import { TokenCache } from './token-cache.js'
import type { Token } from './token.entity.js'
import { hashTokenValue, isTokenValue } from './token-value.js'

const challenge = 'Bearer realm="link-service"'

@Injectable()
export class AuthGuard implements CanActivate {
  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    private readonly reflector: Reflector,
    private readonly cache: TokenCache,
    private readonly lastUse: LastUse,
    private readonly rateLimit: RateLimit,
    private readonly audit: AuditService,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const needed = this.reflector.get(access, context.getHandler())
    if (needed?.kind === 'public') return true

    const request = context.switchToHttp().getRequest<FastifyRequest>()
    const token = await this.check(request.headers.authorization)
    request.token = token
    const rateHeaders = await this.rateLimit.take(token.id)
    if (rateHeaders) void context.switchToHttp().getResponse<FastifyReply>().headers(rateHeaders)

    if (needed?.kind === 'token') return true
    if (needed?.kind === 'scope' && token.scopes.includes(needed.scope)) return true
    await this.refuseScope(request, needed?.kind === 'scope' ? needed.scope : null)
    return false
  }

  /** Who a bearer header speaks for. A warm check is a hash and two look-ups in memory. */
  async check(authorization: string | undefined): Promise<Token> {
    const [scheme = '', value = ''] = splitOnce(authorization ?? '')
    if (scheme.toLowerCase() !== 'bearer') throw new Problem('unauthorized', { headers: { 'www-authenticate': challenge } })
    const token = isTokenValue(value) ? await this.cache.find(hashTokenValue(this.settings.tokenPepper, value)) : null
    if (!token) throw refusal('invalid_token')
    if (token.revokedAt) throw refusal('token_revoked')
    if (token.expiresAt && token.expiresAt.getTime() <= Date.now()) throw refusal('token_expired')
    this.lastUse.note(token.id)
    return token
  }

  private async refuseScope(request: FastifyRequest, scope: Scope | null): Promise<never> {
    const caller = callerOf(request)
    const path = request.routeOptions.url ?? null
    await this.audit.note(caller, 'token.refused', { type: 'token', id: caller.tokenId }, { required: scope, method: request.method, path })
    throw new Problem('insufficient_scope', {
      detail: scope ? `This operation needs the scope ${scope}.` : 'This operation is open to nobody.',
      headers: { 'www-authenticate': `${challenge}, error="insufficient_scope"${scope ? `, scope="${scope}"` : ''}` },
      more: { required: scope ? [scope] : [], granted: caller.scopes },
    })
  }
}

function refusal(code: 'invalid_token' | 'token_revoked' | 'token_expired'): Problem {
  return new Problem(code, { headers: { 'www-authenticate': `${challenge}, error="invalid_token"` } })
}

function splitOnce(header: string): [string, string] {
  const space = header.indexOf(' ')
  return space < 0 ? [header, ''] : [header.slice(0, space), header.slice(space + 1).trim()]
}

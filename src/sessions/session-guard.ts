/** Who calls with a session: looked at in hooks, before a body is read. A warm check waits for nothing. */
import { Inject, Injectable } from '@nestjs/common'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import type { OtherCredentials } from '../auth/auth.guard.js'
import { TokenCache } from '../auth/token-cache.js'
import type { Token } from '../auth/token.entity.js'
import { SETTINGS } from '../platform/config/settings.js'
import type { RunningSettings } from '../platform/config/settings.js'
import { Problem } from '../platform/http/problems/problem.js'
import { cookieName, isDashboardCall, requireSameOrigin, sessionPath, valueIn } from './dashboard-requests.js'
import { SessionCache, SessionUse } from './session-cache.js'
import { SignInLimit } from './sign-in-limit.js'

@Injectable()
export class SessionGuard implements OtherCredentials {
  private readonly cookieName: string

  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    private readonly sessions: SessionCache,
    private readonly tokens: TokenCache,
    private readonly use: SessionUse,
    private readonly limit: SignInLimit,
  ) {
    this.cookieName = cookieName(settings.publicUrl)
  }

  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', async (request, reply) => {
      const isOfSessions = request.routeOptions.url === sessionPath
      if (isOfSessions || isDashboardCall(request)) requireSameOrigin(request, this.settings.publicUrl)
      if (isOfSessions && request.method === 'POST') await this.limit.take(request, reply)
    })
  }

  /** A bearer is not looked at here, as a cookie is not looked at under the API's own path. */
  tokenOf(request: FastifyRequest): Token | Promise<Token> | undefined {
    if (!isDashboardCall(request)) return undefined
    const value = valueIn(request.raw, this.cookieName)
    if (value === null) throw noSession()
    const session = this.sessions.known(value)
    const token = session && this.tokens.knownById(session.tokenId)
    if (!session || !token) return this.find(value)
    this.use.note(session)
    return token
  }

  private async find(value: string): Promise<Token> {
    const session = await this.sessions.find(value)
    const token = session && (await this.tokens.findById(session.tokenId))
    if (!token) throw noSession()
    this.use.note(session)
    return token
  }
}

function noSession(): Problem {
  return new Problem('no_session', { headers: { 'www-authenticate': 'Session realm="link-service"' } })
}

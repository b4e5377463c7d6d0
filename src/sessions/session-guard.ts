/**
 * Authenticates requests of the dashboard by their session cookie, and rejects requests from other sites. Sessions are
 * accepted only under `dashboardApiPath`. Browsers send the cookie only below `/dashboard`, and scripts cannot read it.
 */
import type { IncomingMessage } from 'node:http'

import { Inject, Injectable } from '@nestjs/common'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import type { DashboardCredentials } from '../auth/auth.guard.js'
import { TokenCache } from '../auth/token-cache.js'
import type { Token } from '../auth/token.entity.js'
import { type RunningSettings, SETTINGS } from '../settings.js'
import { Problem } from '../platform/http/problems/problem.js'
import { SessionCache, SessionUse } from './session-cache.js'
import { sessionLifeMs } from './session.entity.js'
import { SignInLimit } from './sign-in-limit.js'

/** Checks requests before their body is read. The check is synchronous if session and token are cached. */
@Injectable()
export class SessionGuard implements DashboardCredentials {
  private readonly cookieName: string

  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    private readonly sessions: SessionCache,
    private readonly tokens: TokenCache,
    private readonly use: SessionUse,
    private readonly limit: SignInLimit,
  ) {
    this.cookieName = getCookieName(settings.publicUrl)
  }

  registerHooks(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', (route) => {
      if (route.url !== sessionPath) return
      route.onRequest = async (request, reply) => {
        requireSameOrigin(request, this.settings.publicUrl)
        if (request.method === 'POST') await this.limit.countAttempt(request, reply)
      }
    })
  }

  /** Returns the token of the session. Bearer tokens are ignored on this path, and cookies on the path of the API. */
  authenticate(
    request: FastifyRequest,
    admit: (token: Token) => Token | Promise<Token>,
  ): Token | Promise<Token> {
    requireSameOrigin(request, this.settings.publicUrl)
    const value = readCookie(request.raw, this.cookieName)
    if (value === null) throw createNoSessionProblem()
    const session = this.sessions.getCached(value)
    const token = session && this.tokens.getCachedById(session.tokenId)
    if (!session || !token) return this.findToken(value, admit)
    const admitted = admit(token)
    // Only a rejected request has to wait.
    if (admitted instanceof Promise) return admitted
    this.use.recordUse(session)
    return admitted
  }

  private async findToken(value: string, admit: (token: Token) => Token | Promise<Token>): Promise<Token> {
    const session = await this.sessions.findByValue(value)
    const token = session && (await this.tokens.findById(session.tokenId))
    if (!token) throw createNoSessionProblem()
    const admitted = await admit(token)
    this.use.recordUse(session)
    return admitted
  }
}

function createNoSessionProblem(): Problem {
  return new Problem('no_session', {
    headers: { 'www-authenticate': 'Session realm="link-service"' },
  })
}

export const pagesPath = '/dashboard'
const sessionPath = '/dashboard/session'

/** Browsers accept a cookie with this prefix only over HTTPS, so an attacker on the network cannot set one. */
export function getCookieName(publicUrl: string): string {
  return `${isSecure(publicUrl) ? '__Secure-' : ''}link_service_session`
}

/** Returns the `Set-Cookie` value that starts a session. */
export function createSessionCookie(publicUrl: string, value: string): string {
  return `${getCookieName(publicUrl)}=${value}; ${getCookieAttributes(publicUrl)}; Max-Age=${sessionLifeMs / 1000}`
}

/** Returns the `Set-Cookie` value that removes the cookie. */
export function createExpiredCookie(publicUrl: string): string {
  return `${getCookieName(publicUrl)}=; ${getCookieAttributes(publicUrl)}; Max-Age=0`
}

/** Returns null if the cookie is missing, or is sent twice: a sibling domain may have set one of the two. */
export function readCookie({ headers }: IncomingMessage, name: string): string | null {
  const { cookie } = headers
  if (cookie === undefined) return null
  const start = `${name}=`
  const values = cookie
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
  return values.length === 1 ? values[0]!.slice(start.length) : null
}

function getCookieAttributes(publicUrl: string): string {
  return `Path=/dashboard; HttpOnly; SameSite=Strict${isSecure(publicUrl) ? '; Secure' : ''}`
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https:')
}

/**
 * Rejects cross-site requests, because browsers send the cookie with them too. The checked headers are set by the
 * browser and cannot be changed by scripts.
 */
function requireSameOrigin(request: FastifyRequest, publicUrl: string): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  if (!isSameOrigin(request, publicUrl))
    throw new Problem('cross_site', {
      detail: 'Only pages of this service may send this request.',
    })
  if (hasBody(request) && !request.server.hasContentTypeParser(getContentType(request)))
    throw new Problem('cross_site', {
      detail: 'The body must have a media type that the API accepts, such as JSON.',
    })
}

function isSameOrigin({ headers }: FastifyRequest, publicUrl: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  // Browsers omit `sec-fetch-site` on pages loaded over plain HTTP.
  const { origin, host } = headers
  return origin !== undefined && (origin === publicUrl || (host !== undefined && getHost(origin) === host))
}

function getHost(origin: string): string | null {
  const url = URL.parse(origin)
  return url && /^https?:$/.test(url.protocol) ? url.host : null
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0
}

/** Returns the media type without parameters, or a type that the API does not accept if the header is missing. */
function getContentType({ headers }: FastifyRequest): string {
  return headers['content-type']?.split(';')[0]?.trim().toLowerCase() || 'none/none'
}

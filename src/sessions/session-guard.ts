/**
 * Identifies callers by their session: it checks the cookie, and the page that sent the request.
 * The dashboard calls the API under `dashboardApiPath`, and no other request may use a session. Browsers send the cookie
 * only below `/dashboard`, and no script can read it.
 */
import type { IncomingMessage } from 'node:http'

import { Inject, Injectable } from '@nestjs/common'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import type { DashboardCredentials } from '../auth/auth.guard.js'
import { TokenCache } from '../auth/token-cache.js'
import type { Token } from '../auth/token.entity.js'
import { type RunningSettings, SETTINGS } from '../settings.js'
import { Problem } from '../platform/http/problems/problem.js'
import { lifeMs } from './limits.js'
import { SessionCache, SessionUse } from './session-cache.js'
import { SignInLimit } from './sign-in-limit.js'

/** Checks requests in hooks, before a body is read. A check that finds all in memory is synchronous. */
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
    this.cookieName = cookieName(settings.publicUrl)
  }

  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', (route) => {
      if (route.url !== sessionPath) return
      route.onRequest = async (request, reply) => {
        requireSameOrigin(request, this.settings.publicUrl)
        if (request.method === 'POST') await this.limit.take(request, reply)
      }
    })
  }

  /** Only the session counts here, not a bearer token. The API's own path in turn ignores the cookie. */
  tokenOf(request: FastifyRequest): Token | Promise<Token> {
    requireSameOrigin(request, this.settings.publicUrl)
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
  return new Problem('no_session', {
    headers: { 'www-authenticate': 'Session realm="link-service"' },
  })
}

export const pagesPath = '/dashboard'
const sessionPath = '/dashboard/session'

/** Browsers accept a cookie with this prefix only over HTTPS, so nobody on the network can plant one. */
export function cookieName(publicUrl: string): string {
  return `${isSecure(publicUrl) ? '__Secure-' : ''}link_service_session`
}

export function cookieOf(publicUrl: string, value: string): string {
  return `${cookieName(publicUrl)}=${value}; ${attributes(publicUrl)}; Max-Age=${lifeMs / 1000}`
}

export function noCookie(publicUrl: string): string {
  return `${cookieName(publicUrl)}=; ${attributes(publicUrl)}; Max-Age=0`
}

/** Null also if the cookie comes twice, because a page of a neighboring host may have planted one of the two. */
export function valueIn({ headers }: IncomingMessage, name: string): string | null {
  const { cookie } = headers
  if (cookie === undefined) return null
  const start = `${name}=`
  const values = cookie
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start))
  return values.length === 1 ? values[0]!.slice(start.length) : null
}

function attributes(publicUrl: string): string {
  return `Path=/dashboard; HttpOnly; SameSite=Strict${isSecure(publicUrl) ? '; Secure' : ''}`
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https:')
}

/**
 * A browser sends the cookie by itself, so a request that would change something must show that a page of this service
 * sent it. Browsers set these headers, and no script can change them.
 */
function requireSameOrigin(request: FastifyRequest, publicUrl: string): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  if (!isFromHere(request, publicUrl))
    throw new Problem('cross_site', {
      detail: 'Only a page of this service may send this request.',
    })
  if (hasBody(request) && !request.server.hasContentTypeParser(typeOf(request)))
    throw new Problem('cross_site', {
      detail: 'The body must be of a type that the API takes, such as JSON.',
    })
}

function isFromHere({ headers }: FastifyRequest, publicUrl: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  // Browsers leave out `sec-fetch-site` if the page came over plain HTTP.
  const { origin, host } = headers
  return origin !== undefined && (origin === publicUrl || (host !== undefined && hostOf(origin) === host))
}

function hostOf(origin: string): string | null {
  const url = URL.parse(origin)
  return url && /^https?:$/.test(url.protocol) ? url.host : null
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0
}

/** The media type without its parameters. A missing one becomes a type that the API does not take. */
function typeOf({ headers }: FastifyRequest): string {
  return headers['content-type']?.split(';')[0]?.trim().toLowerCase() || 'none/none'
}

/**
 * Authenticates requests of the dashboard by their session cookie, and rejects requests from other sites. Sessions are
 * accepted only under `dashboardApiPath`. Browsers send the cookie only below `/dashboard`, and scripts cannot read it.
 */
import type { IncomingMessage } from 'node:http'

import { Inject, Injectable } from '@nestjs/common'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import type { DashboardCredentials } from '../auth/auth.guard.js'
import { narrowToPortal } from '../auth/portal-access.js'
import { TokenCache } from '../auth/token-cache.js'
import type { Token } from '../auth/token.entity.js'
import { type RunningSettings, SETTINGS } from '../settings.js'
import { Problem } from '../platform/http/problems/problem.js'
import { isFromPortal } from '../platform/http/request.js'
import { SessionCache, SessionUse } from './session-cache.js'
import { isPortalSession, sessionLifeMs } from './session.entity.js'
import type { PortalSession, Session } from './session.entity.js'
import { SignInLimit } from './sign-in-limit.js'

/** Checks the token of a session. */
type Admit = (token: Token) => Token | Promise<Token>

/** Checks requests before their body is read. The check is synchronous if session and token are cached. */
@Injectable()
export class SessionGuard implements DashboardCredentials {
  private readonly cookieName: string
  private readonly portalCookieName: string

  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    private readonly sessions: SessionCache,
    private readonly tokens: TokenCache,
    private readonly use: SessionUse,
    private readonly limit: SignInLimit,
  ) {
    this.cookieName = getCookieName(settings.publicUrl)
    this.portalCookieName = getPortalCookieName(settings.publicUrl)
  }

  registerHooks(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', (route) => {
      if (route.url !== sessionPath && route.url !== portalSessionPath) return
      route.onRequest = async (request, reply) => {
        requireSameOrigin(request, this.settings.publicUrl)
        if (request.method === 'POST') await this.limit.countAttempt(request, reply)
      }
    })
  }

  /** Returns the token of the session. Bearer tokens are ignored on this path, and cookies on the path of the API. */
  authenticate(request: FastifyRequest, admit: Admit): Token | Promise<Token> {
    requireSameOrigin(request, this.settings.publicUrl)
    const value = readCookie(request.raw, isFromPortal(request) ? this.portalCookieName : this.cookieName)
    if (value === null) throw createNoSessionProblem()
    const session = this.sessions.getCached(value)
    const token = session && this.tokens.getCachedById(session.tokenId)
    if (!session || !token) return this.findToken(value, request, admit)
    return this.useSession(session, token, request, admit)
  }

  /** Returns the portal session of the cookie. Throws if there is none. */
  async findPortalSession(request: FastifyRequest): Promise<Session & PortalSession> {
    const value = readCookie(request.raw, this.portalCookieName)
    const session = value === null ? null : await this.sessions.findByValue(value)
    if (!session || !isPortalSession(session)) throw createNoSessionProblem()
    return session
  }

  private async findToken(value: string, request: FastifyRequest, admit: Admit): Promise<Token> {
    const session = await this.sessions.findByValue(value)
    const token = session && (await this.tokens.findById(session.tokenId))
    if (!token) throw createNoSessionProblem()
    return this.useSession(session, token, request, admit)
  }

  /** Each kind of session works only on its own path. */
  private useSession(
    session: Session,
    token: Token,
    request: FastifyRequest,
    admit: Admit,
  ): Token | Promise<Token> {
    const isPortal = isPortalSession(session)
    if (isPortal !== isFromPortal(request)) throw createNoSessionProblem()
    if (isPortal)
      request.portal = { sessionId: session.id, webhookId: session.webhookId, actions: session.actions }
    const admitted = admit(request.portal ? narrowToPortal(token, request.portal) : token)
    // Only a rejected request has to wait.
    if (admitted instanceof Promise) return admitted
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
/** Pages of the webhook portal are below this path, and its cookie is sent only there. */
export const portalPath = '/dashboard/portal'
const portalSessionPath = `${portalPath}/session`

/** Browsers accept a cookie with this prefix only over HTTPS, so an attacker on the network cannot set one. */
export function getCookieName(publicUrl: string): string {
  return `${isSecure(publicUrl) ? '__Secure-' : ''}link_service_session`
}

export function getPortalCookieName(publicUrl: string): string {
  return `${isSecure(publicUrl) ? '__Secure-' : ''}link_service_portal`
}

/** Returns the `Set-Cookie` value that starts a session. */
export function createSessionCookie(publicUrl: string, value: string): string {
  return `${getCookieName(publicUrl)}=${value}; ${getCookieAttributes(publicUrl, pagesPath)}; Max-Age=${sessionLifeMs / 1000}`
}

export function createPortalCookie(publicUrl: string, value: string, lifeMs: number): string {
  return `${getPortalCookieName(publicUrl)}=${value}; ${getCookieAttributes(publicUrl, portalPath)}; Max-Age=${Math.ceil(lifeMs / 1000)}`
}

/** Returns the `Set-Cookie` value that removes the cookie. */
export function createExpiredCookie(publicUrl: string): string {
  return `${getCookieName(publicUrl)}=; ${getCookieAttributes(publicUrl, pagesPath)}; Max-Age=0`
}

export function createExpiredPortalCookie(publicUrl: string): string {
  return `${getPortalCookieName(publicUrl)}=; ${getCookieAttributes(publicUrl, portalPath)}; Max-Age=0`
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

function getCookieAttributes(publicUrl: string, path: string): string {
  return `Path=${path}; HttpOnly; SameSite=Strict${isSecure(publicUrl) ? '; Secure' : ''}`
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

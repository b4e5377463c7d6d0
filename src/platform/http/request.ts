/**
 * Everything about a request except its input: its ID, its source, its headers and its idempotency key. Also the table
 * of routes and their configuration.
 */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

import { type ExecutionContext, Injectable, createParamDecorator } from '@nestjs/common'
import { RouteConfig } from '@nestjs/platform-fastify'
import type { FastifyContextConfig, FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'

import { Problem } from './problems/problem.js'

/** A request with an Idempotency-Key. Its response is replayed for retries. */
export interface KeyedRequest {
  /** Keys of different tokens are independent. */
  tokenId: string
  key: string
  fingerprint: Buffer
}

declare module 'fastify' {
  interface FastifyRequest {
    keyed: KeyedRequest | null
  }
}

const validRequestId = /^[A-Za-z0-9._~-]{1,128}$/
const processPart = randomBytes(9).toString('base64url')
let counter = 0

export function requestIdFor(incoming: string | string[] | undefined): string {
  if (typeof incoming === 'string' && validRequestId.test(incoming)) return incoming
  counter += 1
  return `${processPart}${counter.toString(36)}`
}

export function singleHeader(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

/**
 * Returns whether a header occurs more than once. Node uses only the first one, but a proxy may have used another.
 * `name` is in lower case. Runs for every request, so it compares only names of the same length.
 */
export function isGivenTwice({ rawHeaders }: IncomingMessage, name: string): boolean {
  let count = 0
  // Names and values alternate.
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const other = rawHeaders[i]!
    if (other.length === name.length && other.toLowerCase() === name) count += 1
  }
  return count > 1
}

/** The path at which the dashboard calls the API. Fastify rewrites it to the path of the API. */
export const dashboardApiPath = '/dashboard/api'

/** Returns whether the request was sent to `dashboardApiPath`. Only these requests have a rewritten URL. */
export function isFromDashboard({ url, originalUrl }: FastifyRequest): boolean {
  return url !== originalUrl
}

export interface RequestSource {
  address: string
  requestId: string
}

/** The IP address and the ID of a request, for routes without authentication. */
export const Source = createParamDecorator((_: unknown, context: ExecutionContext): RequestSource => {
  const { ip, id } = context.switchToHttp().getRequest<FastifyRequest>()
  return { address: ip, requestId: id }
})

const configs = new WeakMap<object, FastifyContextConfig>()

/**
 * Adds to the Fastify `config` of a route, which hooks can read. Nest's own `@RouteConfig` would replace what other
 * decorators have added.
 */
export function AddRouteConfig(more: FastifyContextConfig): MethodDecorator {
  return (target, key, descriptor) => {
    const handler = descriptor.value as object
    const config = { ...configs.get(handler), ...more }
    configs.set(handler, config)
    RouteConfig(config)(target, key, descriptor)
  }
}

interface Route {
  method: string
  /** The registered path, with parameters such as `:name`. */
  url: string
  pattern: RegExp
}

/**
 * Collects all routes, to distinguish a wrong method (405, with Allow) from an unknown URL (404), and to check that
 * each route declares its access.
 */
@Injectable()
export class RouteTable {
  readonly routes: Route[] = []
  private isHidden: (request: FastifyRequest) => boolean = () => false
  private readonly inFront: { methods: readonly string[]; matches: (path: string) => boolean }[] = []

  /** Adds paths that are handled before the framework. Other methods get a 405. */
  addInFront(methods: readonly string[], matches: (path: string) => boolean): void {
    this.inFront.push({ methods, matches })
  }

  /** Hides routes: requests for which this returns true get the response for an unknown path. */
  hideRoutes(isHidden: (request: FastifyRequest) => boolean): void {
    this.isHidden = isHidden
  }

  /** Collects routes while they are registered, because Fastify does not list them later. */
  registerHooks(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', (route) => {
      requireAccess(route)
      const { method, url } = route
      if (url.includes('*')) return
      const pattern = new RegExp(
        `^${url.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/:[A-Za-z_]+/g, '[^/]+')}$`,
      )
      for (const name of [method].flat()) this.routes.push({ method: name, url, pattern })
    })
  }

  /** Returns the error for a request without a route, or null if it has one. */
  findProblem(request: FastifyRequest): Problem | null {
    if (this.isHidden(request)) return createNoRouteProblem()
    if (!request.is404 && !hasEmptyParameter(request.params)) return null
    const path = originForm(request.url).split('?')[0] || '/'
    const methods = new Set([
      ...this.routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method),
      ...this.inFront.filter(({ matches }) => matches(path)).flatMap((each) => each.methods),
    ])
    if (methods.size === 0 || methods.has(request.method)) return createNoRouteProblem()
    const allow = [...methods].sort().join(', ')
    return new Problem('method_not_allowed', {
      detail: `This URL does not support ${request.method}. Use ${allow}.`,
      headers: { allow },
    })
  }
}

function createNoRouteProblem(): Problem {
  return new Problem('not_found', { detail: 'No route matches this URL.' })
}

/** Throws during startup if a route declares no access, so that a forgotten decorator does not make it public. */
function requireAccess({ method, url, config }: RouteOptions): void {
  // The route of CORS preflights belongs to the framework. The authentication hook rejects requests that reach it.
  if (config?.access || url === '*') return
  throw new Error(
    `The route ${String(method)} ${url} declares no access. Add @RequireScope(...), @AnyToken() or @Public().`,
  )
}

/** The router accepts an empty segment as a parameter, as in `/v1/links/`, but no resource has an empty name. */
function hasEmptyParameter(parameters: unknown): boolean {
  for (const name in parameters as Record<string, string>)
    if ((parameters as Record<string, string>)[name] === '') return true
  return false
}

const schemeAndHost = /^https?:\/\/[^/?#]*/i
const slash = 47

/**
 * Returns the path and the query of a request line. A proxy may send an absolute URL, of which the router also uses
 * only the path. Runs for every redirect, so it checks only one character of the usual form.
 */
export function originForm(url: string): string {
  return url.charCodeAt(0) === slash ? url : url.replace(schemeAndHost, '')
}

/**
 * Everything about a request but its input: its id, its source, its headers and its idempotency key. Also the table of
 * routes, and what a route declares.
 */
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

import { type ExecutionContext, Injectable, createParamDecorator } from '@nestjs/common'
import { RouteConfig } from '@nestjs/platform-fastify'
import type { FastifyContextConfig, FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'

import { Problem } from './problems/problem.js'

/** A request with an Idempotency-Key: its repetition gets its answer again. */
export interface KeyedRequest {
  /** Equal keys of different tokens are different keys. */
  tokenId: string
  key: string
  fingerprint: Buffer
}

declare module 'fastify' {
  interface FastifyRequest {
    keyed: KeyedRequest | null
  }
}

const saneRequestId = /^[A-Za-z0-9._~-]{1,128}$/
const processPart = randomBytes(9).toString('base64url')
let counter = 0

export function requestIdFor(incoming: string | string[] | undefined): string {
  if (typeof incoming === 'string' && saneRequestId.test(incoming)) return incoming
  counter += 1
  return `${processPart}${counter.toString(36)}`
}

export function singleHeader(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

/**
 * Whether a header came more than once. Node keeps only the first, but a proxy in front of this service may have looked
 * at another one. `name` is in lower case. This runs for every request, so it compares only names of the right length.
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

/** The path under which the dashboard calls the API. Fastify routes these requests to the API's own path. */
export const dashboardApiPath = '/dashboard/api'

/** Whether the request came under `dashboardApiPath`. Only such a request is routed under another URL. */
export function isFromDashboard({ url, originalUrl }: FastifyRequest): boolean {
  return url !== originalUrl
}

export interface RequestSource {
  address: string
  requestId: string
}

/** The address and the id of a request, for calls without a known caller. */
export const Source = createParamDecorator((_: unknown, context: ExecutionContext): RequestSource => {
  const { ip, id } = context.switchToHttp().getRequest<FastifyRequest>()
  return { address: ip, requestId: id }
})

const configs = new WeakMap<object, FastifyContextConfig>()

/**
 * Adds to the `config` that Fastify keeps for a route and shows to hooks. Nest's own `@RouteConfig` would replace what
 * another decorator has added.
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
  /** The path as it was registered, with its parameters as `:name`. */
  url: string
  pattern: RegExp
}

/**
 * Knows every route. So it can tell a wrong method (405, with Allow) from a wrong address (404), and check that each
 * route says who may call it.
 */
@Injectable()
export class RouteTable {
  readonly routes: Route[] = []
  private isHidden: (request: FastifyRequest) => boolean = () => false
  private readonly inFront: { methods: readonly string[]; isOne: (path: string) => boolean }[] = []

  /** Adds addresses that are answered before the framework is asked. All other methods are wrong for them (405). */
  addInFront(methods: readonly string[], isOne: (path: string) => boolean): void {
    this.inFront.push({ methods, isOne })
  }

  /** Requests for which this is true get the response for an unknown path. */
  hideRoutes(isHidden: (request: FastifyRequest) => boolean): void {
    this.isHidden = isHidden
  }

  /** Listens while routes are registered, because Fastify does not list them afterwards. */
  watch(fastify: FastifyInstance): void {
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

  /** The problem of a request that has no route. Null if it has one. */
  refusal(request: FastifyRequest): Problem | null {
    if (this.isHidden(request)) return noSuchAddress()
    if (!request.is404 && !hasEmptyParameter(request.params)) return null
    const path = originForm(request.url).split('?')[0] || '/'
    const methods = new Set([
      ...this.routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method),
      ...this.inFront.filter(({ isOne }) => isOne(path)).flatMap((each) => each.methods),
    ])
    if (methods.size === 0 || methods.has(request.method)) return noSuchAddress()
    const allow = [...methods].sort().join(', ')
    return new Problem('method_not_allowed', {
      detail: `${request.method} does not work here. Use ${allow}.`,
      headers: { allow },
    })
  }
}

function noSuchAddress(): Problem {
  return new Problem('not_found', { detail: 'No route matches this URL.' })
}

/** Stops the start if a route does not say who may call it, because a forgotten decorator must not open a door. */
function requireAccess({ method, url, config }: RouteOptions): void {
  // The route of CORS preflights is the framework's own. The hook that admits callers refuses what reaches it.
  if (config?.access || url === '*') return
  throw new Error(
    `The route ${String(method)} ${url} does not say who may call it. Give it a decorator that declares its access.`,
  )
}

/** The router lets an empty segment stand for a parameter, as in `/v1/things/`. No resource has an empty name. */
function hasEmptyParameter(parameters: unknown): boolean {
  for (const name in parameters as Record<string, string>)
    if ((parameters as Record<string, string>)[name] === '') return true
  return false
}

const schemeAndHost = /^https?:\/\/[^/?#]*/i
const slash = 47

/**
 * The path and the query of a request line. A proxy may send the whole address, and the framework's router also takes
 * only the path of it. This runs for every redirect, so it looks at only one character of the usual form.
 */
export function originForm(url: string): string {
  return url.charCodeAt(0) === slash ? url : url.replace(schemeAndHost, '')
}

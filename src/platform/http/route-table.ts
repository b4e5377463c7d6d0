import { Injectable } from '@nestjs/common'
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'

import { Problem } from './problems/problem.js'
import { originForm } from './request.js'

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

  /** Returns the routes of a path. `/links/bulk` has only its own methods, not those of `/links/:id`. */
  private findRoutes(path: string): Route[] {
    const matches = this.routes.filter(({ pattern }) => pattern.test(path))
    const [first] = matches.map(({ url }) => getRoutePrecedence(url)).sort()
    return matches.filter(({ url }) => getRoutePrecedence(url) === first)
  }

  /** Returns the error for a request without a route, or null if it has one. */
  findProblem(request: FastifyRequest): Problem | null {
    if (this.isHidden(request)) return createNoRouteProblem()
    if (!request.is404 && !hasEmptyParameter(request.params)) return null
    const path = originForm(request.url).split('?')[0] || '/'
    const methods = new Set([
      ...this.findRoutes(path).map(({ method }) => method),
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

/** Returns a sort key, which is smaller the earlier the URL has literal segments: the router prefers these. */
function getRoutePrecedence(url: string): string {
  return url.replace(/[^/]+/g, (segment) => (segment.startsWith(':') ? '1' : '0'))
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

/** What is said of each route, and the table of all of them. */
import { Injectable } from '@nestjs/common'
import { RouteConfig } from '@nestjs/platform-fastify'
import type { FastifyContextConfig, FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'

import { Problem } from './problems/problem.js'

const configs = new WeakMap<object, FastifyContextConfig>()

/**
 * Adds to the `config` that Fastify keeps of a route and shows to hooks. Nest's own `@RouteConfig` replaces what another
 * decorator has said.
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
  /** As it was registered, with its parameters as `:name`. */
  url: string
  pattern: RegExp
}

/**
 * Knows every route: to tell a wrong method (405, with Allow) from a wrong address (404), and to see that each says who may
 * call it.
 */
@Injectable()
export class RouteTable {
  readonly routes: Route[] = []
  private readonly inFront: { methods: readonly string[]; isOne: (path: string) => boolean }[] = []

  /** What is answered before the framework is asked. Other methods of it are wrong ones there. */
  addInFront(methods: readonly string[], isOne: (path: string) => boolean): void {
    this.inFront.push({ methods, isOne })
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

  /** Why there is nothing for this request: null where there is a route for it. */
  refusal(request: FastifyRequest): Problem | null {
    if (!request.is404 && !hasEmptyParameter(request.params)) return null
    const path = pathOf(request.url)
    const methods = new Set([
      ...this.routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method),
      ...this.inFront.filter(({ isOne }) => isOne(path)).flatMap((each) => each.methods),
    ])
    if (methods.size === 0 || methods.has(request.method))
      return new Problem('not_found', { detail: 'There is no such address here.' })
    const allow = [...methods].sort().join(', ')
    return new Problem('method_not_allowed', {
      detail: `${request.method} does not work here. Use ${allow}.`,
      headers: { allow },
    })
  }
}

/** Stops the start when a route says nothing about who may call it: forgetting must not open a door. */
function requireAccess({ method, url, config }: RouteOptions): void {
  // The route of CORS preflights is the framework's own. The hook that admits callers refuses what reaches it.
  if (config?.access || url === '*') return
  throw new Error(
    `The route ${String(method)} ${url} does not say who may call it, with @RequireScope, @AnyToken or @Public.`,
  )
}

/** The router lets an empty segment stand for a parameter, as in `/v1/links/`. No resource has an empty name. */
function hasEmptyParameter(parameters: unknown): boolean {
  for (const name in parameters as Record<string, string>)
    if ((parameters as Record<string, string>)[name] === '') return true
  return false
}

/** Of an absolute address, which a proxy may send, only the path counts. */
function pathOf(url: string): string {
  return url.replace(/^https?:\/\/[^/?#]*/i, '').split('?')[0] || '/'
}

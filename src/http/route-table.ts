/** Knows every route, to tell a wrong method (405, with Allow) from a wrong address (404). */
import { Injectable } from '@nestjs/common'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import { Problem } from './problem.js'

interface Route {
  method: string
  pattern: RegExp
}

@Injectable()
export class RouteTable {
  private readonly routes: Route[] = []

  /** Must hear of the routes as they are registered; Fastify does not tell afterwards. */
  watch(fastify: FastifyInstance): void {
    fastify.addHook('onRoute', ({ method, url }) => {
      if (url.includes('*')) return
      const pattern = new RegExp(
        `^${url.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/:[A-Za-z_]+/g, '[^/]+')}/?$`,
      )
      for (const name of [method].flat()) this.routes.push({ method: name, pattern })
    })
  }

  refusal(request: FastifyRequest): Problem {
    const path = request.url.split('?')[0] ?? ''
    const methods = new Set(
      this.routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method),
    )
    if (methods.size === 0 || methods.has(request.method)) return new Problem('not_found')
    const allow = [...methods].sort().join(', ')
    return new Problem('method_not_allowed', {
      detail: `${request.method} does not work here. Use ${allow}.`,
      headers: { allow },
    })
  }
}

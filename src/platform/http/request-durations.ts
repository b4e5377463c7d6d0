/** Measures requests by route, for the metrics. Redirects bypass the framework and are measured separately. */
import { Injectable } from '@nestjs/common'
import type { FastifyInstance } from 'fastify'

import { HistogramFamily } from '../util/duration-histogram.js'

/** Most calls take a few milliseconds. Lists may take a second, exports and imports longer. */
const boundsInSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const knownMethods: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
])

export function isKnownMethod(method: string): boolean {
  return knownMethods.has(method)
}

/** The route of requests that match none. Their paths come from callers, and would create any number of series. */
const unknownRoute = 'none'

@Injectable()
export class RequestDurations {
  readonly durations = new HistogramFamily<'route' | 'method' | 'status'>(boundsInSeconds)

  registerHooks(fastify: FastifyInstance): void {
    fastify.addHook('onResponse', (request, reply, done) => {
      const { method, is404, routeOptions } = request
      // An event stream lasts as long as its reader stays, which says nothing about the service.
      const type = reply.getHeader('content-type')
      if (typeof type !== 'string' || !type.startsWith('text/event-stream'))
        this.durations
          .withLabels({
            route: is404 ? unknownRoute : (routeOptions.url ?? unknownRoute),
            method: isKnownMethod(method) ? method : 'other',
            status: `${Math.floor(reply.statusCode / 100)}xx`,
          })
          .observe(reply.elapsedTime / 1000)
      done()
    })
  }
}

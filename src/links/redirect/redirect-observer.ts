/** Observes redirects: measures them for the metrics, traces them, and logs them at debug level. */
import type { IncomingMessage } from 'node:http'

import type { Logger } from 'pino'

import { DurationHistogram } from '../../platform/util/duration-histogram.js'
import type { Tracer } from '../../platform/util/tracer.js'
import type { RedirectErrorCode } from './visitor-pages.js'

/** A cached link takes less than a millisecond, a lookup in the database several. The cache waits 50 ms for it. */
const boundsInSeconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1]

export type RedirectDurations = Readonly<Record<'redirected' | RedirectErrorCode, DurationHistogram>>

export function createRedirectDurations(): RedirectDurations {
  return {
    redirected: new DurationHistogram(boundsInSeconds),
    not_found: new DurationHistogram(boundsInSeconds),
    gone: new DurationHistogram(boundsInSeconds),
    unavailable: new DurationHistogram(boundsInSeconds),
  }
}

/** A redirect, or the error response of a short link. */
export interface ObservedRedirect {
  /** The traceparent to record with the click. Empty while traces are off. */
  readonly traceparent: string
  /** Ends the observation after the response. `slug` is null for unknown links, whose path may contain a secret. */
  end: (status: number, slug: string | null) => void
}

/** `startedAt` is `performance.now()` when the request arrived. */
export type ObserveRedirect = (
  request: IncomingMessage,
  requestId: string,
  startedAt: number,
) => ObservedRedirect

interface ObserverOptions {
  logger: Logger
  tracer: Tracer | null
  /** Returns the IP address of the visitor, shortened according to CLICK_IP. */
  shownAddress: (request: IncomingMessage) => string | null
}

/** One name for all short links, because each path would otherwise create a new name. */
const route = '/:slug'
const failedFrom = 500

/** Returns null if redirects are neither traced nor logged. A redirect then costs one comparison more. */
export function createRedirectObserver({
  logger,
  tracer,
  shownAddress,
}: ObserverOptions): ObserveRedirect | null {
  const isLogged = logger.isLevelEnabled('debug')
  if (!isLogged && tracer === null) return null
  return (request, requestId, startedAt) => {
    const method = request.method ?? 'GET'
    // A visitor's trace is not continued. Otherwise, anyone could choose what is recorded.
    const span = tracer?.startSpan({
      name: `${method} ${route}`,
      kind: 'SERVER',
      parent: null,
      startTime: performance.timeOrigin + startedAt,
      attributes: {
        'http.request.method': method,
        'http.route': route,
        'link_service.request_id': requestId,
      },
    })
    const client_ip = isLogged ? shownAddress(request) : null
    return {
      traceparent: span && tracer ? tracer.getTraceparent(span) : '',
      end: (status, slug) => {
        if (isLogged)
          logger.debug(
            {
              request_id: requestId,
              method,
              route,
              slug,
              status,
              ms: Math.round((performance.now() - startedAt) * 10) / 10,
              client_ip,
              ...(span && tracer?.getIds(span)),
            },
            'redirect',
          )
        if (!span) return
        span.setAttribute('http.response.status_code', status)
        if (status >= failedFrom) tracer?.markFailed(span, String(status))
        span.end()
      },
    }
  }
}

/** Creates the span of each request. Redirects bypass the framework and are traced separately. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { Span, Tracer } from '../util/tracer.js'
import { isKnownMethod } from './request-durations.js'
import { singleHeader } from './request.js'

declare module 'fastify' {
  interface FastifyRequest {
    span: Span | null
  }
  interface FastifyContextConfig {
    /** Scrapes are not traced, because they are too frequent. */
    isScrape?: boolean
  }
}

interface TraceOptions {
  /** Null if traces are off. */
  tracer: Tracer | null
  /** Whether the caller is trusted, so that the request continues the trace of its `traceparent`. */
  isTrusted: (request: FastifyRequest) => boolean
}

const failedFrom = 500

/** Call this after the hook that authenticates callers. */
export function traceRequests(fastify: FastifyInstance, { tracer, isTrusted }: TraceOptions): void {
  fastify.decorateRequest('span', null)
  if (tracer === null) return
  const startSpan = (request: FastifyRequest, reply: FastifyReply, parent: string | null): Span => {
    const { method, routeOptions, id } = request
    const route = routeOptions.url
    const knownMethod = isKnownMethod(method) ? method : 'HTTP'
    return tracer.startSpan({
      name: route === undefined ? knownMethod : `${knownMethod} ${route}`,
      kind: 'SERVER',
      parent,
      startTime: Date.now() - reply.elapsedTime,
      attributes: {
        'http.request.method': isKnownMethod(method) ? method : '_OTHER',
        // The route pattern, because the path may contain a secret by mistake.
        ...(route !== undefined && { 'http.route': route }),
        'link_service.request_id': id,
      },
    })
  }
  fastify.addHook('onRequest', (request, reply, done) => {
    const parent = isTrusted(request) ? (singleHeader(request, 'traceparent') ?? null) : null
    if (isTraced(request)) request.span = startSpan(request, reply, parent)
    done()
  })
  // Reading the body loses the active span, so the span is activated afterwards.
  fastify.addHook('preHandler', ({ span }, _reply, done) => {
    if (span) tracer.runWith(span, done)
    else done()
  })
  fastify.addHook('onResponse', (request, reply, done) => {
    if (isTraced(request)) {
      // A rejected caller has no span yet, and its trace is not continued.
      const span = (request.span ??= startSpan(request, reply, null))
      span.setAttribute('http.response.status_code', reply.statusCode)
      if (reply.statusCode >= failedFrom)
        tracer.markFailed(span, request.failure?.code ?? String(reply.statusCode))
      span.end()
    }
    done()
  })
}

function isTraced({ routeOptions: { config } }: FastifyRequest): boolean {
  return config.isProbe !== true && config.isScrape !== true
}

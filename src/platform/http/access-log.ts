import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'

/** One line for each request that was not served as asked; successes are a matter of metrics and of LOG_LEVEL=debug. */
export function logRequests(
  fastify: FastifyInstance,
  logger: Logger,
  moreOf: (request: FastifyRequest) => Record<string, unknown>,
): void {
  fastify.addHook('onResponse', (request, reply, done) => {
    const level = reply.statusCode >= 500 ? 'error' : reply.statusCode >= 400 ? 'info' : 'debug'
    if (logger.isLevelEnabled(level))
      logger[level](
        {
          request_id: request.id,
          method: request.method,
          // The pattern, not the address as it came: that may hold what a caller mistook for a parameter.
          route: request.routeOptions.url ?? null,
          status: reply.statusCode,
          ms: Math.round(reply.elapsedTime * 10) / 10,
          ...moreOf(request),
        },
        'request',
      )
    done()
  })
}

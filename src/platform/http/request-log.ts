/** Logs failed requests, one line each. Of rejected callers, only the first in each second is logged. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'

/** An internal error, which the response does not contain. */
interface RequestFailure {
  code: string
  stack: string | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    failure: RequestFailure | null
  }
  interface FastifyContextConfig {
    /** Failures of health checks are logged at `debug`, because the checks repeat all the time. */
    isProbe?: boolean
  }
}

const rejectedStatuses: ReadonlySet<number> = new Set([401, 403, 429])
const countIntervalMs = 1_000

/** Logs failed requests. Successful requests are in the metrics, and in the log with LOG_LEVEL=debug. */
export function logRequests(
  fastify: FastifyInstance,
  logger: Logger,
  getFields: (request: FastifyRequest) => Record<string, unknown>,
): void {
  const rejections = new RejectionLog(logger)
  fastify.decorateRequest('failure', null)
  fastify.addHook('onResponse', (request, reply, done) => {
    const { statusCode: status } = reply
    const isError = status >= 500 && !request.routeOptions.config.isProbe
    const level = isError ? 'error' : status >= 400 && status < 500 ? 'info' : 'debug'
    if (logger.isLevelEnabled(level) && (!rejectedStatuses.has(status) || rejections.isFirst()))
      logger[level](
        {
          request_id: request.id,
          method: request.method,
          // The route pattern, because the path may contain a secret by mistake.
          route: request.routeOptions.url ?? null,
          status,
          ms: Math.round(reply.elapsedTime * 10) / 10,
          ...getFields(request),
          ...request.failure,
        },
        'request',
      )
    done()
  })
}

/** Keeps a flood of rejected callers from filling the log. */
class RejectionLog {
  private count = 0
  private second: NodeJS.Timeout | null = null

  constructor(private readonly logger: Logger) {}

  /** Returns whether this is the first rejection of a second. Further ones are counted in one line. */
  isFirst(): boolean {
    if (this.second) {
      this.count += 1
      return false
    }
    this.second = setTimeout(() => this.endSecond(), countIntervalMs).unref()
    return true
  }

  private endSecond(): void {
    if (this.count > 0) this.logger.info({ count: this.count }, 'more requests rejected with 401, 403 or 429')
    this.count = 0
    this.second = null
  }
}

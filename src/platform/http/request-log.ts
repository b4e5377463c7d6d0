/** Logs failed requests. An error is one line; of rejected callers, only the first in each second has a line. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'

/** What went wrong inside the service. The response says nothing of it. */
interface RequestFailure {
  code: string
  stack: string | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    failure: RequestFailure | null
  }
  interface FastifyContextConfig {
    /** Health checks repeat all the time, so their failures are logged only at the level `debug`. */
    isProbe?: boolean
  }
}

const rejectedStatuses: ReadonlySet<number> = new Set([401, 403, 429])
const countEveryMs = 1_000

/** Successes are in the metrics, and in the log with LOG_LEVEL=debug. */
export function logRequests(
  fastify: FastifyInstance,
  logger: Logger,
  moreOf: (request: FastifyRequest) => Record<string, unknown>,
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
          // The pattern, not the path: a caller may have put a secret into the path by mistake.
          route: request.routeOptions.url ?? null,
          status,
          ms: Math.round(reply.elapsedTime * 10) / 10,
          ...moreOf(request),
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

  /** True for the first rejection of a second. The others are counted in one line when the second ends. */
  isFirst(): boolean {
    if (this.second) {
      this.count += 1
      return false
    }
    this.second = setTimeout(() => this.endSecond(), countEveryMs).unref()
    return true
  }

  private endSecond(): void {
    if (this.count > 0) this.logger.info({ count: this.count }, 'more requests rejected with 401, 403 or 429')
    this.count = 0
    this.second = null
  }
}

/** How the service ends: the first signal lets it finish, a second one ends it at once. */
import { setTimeout as pause } from 'node:timers/promises'

import type { NestFastifyApplication } from '@nestjs/platform-fastify'
import type { Logger } from 'pino'

import type { RunningSettings } from '../settings.js'
import { every } from '../platform/util/timers.js'
import { HealthService } from './health/health.service.js'

/** After SHUTDOWN_DELAY, everything ends within this time. */
const closeWithinMs = 30_000
/** After a fault, nothing can be relied on, so the process ends sooner. */
const endWithinMs = 10_000
/** Callers get a part of it, because the database needs time to stop too. */
const callersMayTakeMs = 6_000
/** A terminal signals the whole process group and npm passes the signal on, so the first signal may arrive twice. */
const sameSignalWithinMs = 500

export type StopReason = 'signal' | 'fault'

interface Stop {
  requested: Promise<StopReason>
  request: (reason: StopReason) => void
}

export function stopOnSignal(logger: Logger): Stop {
  let request: Stop['request'] = () => undefined
  const requested = new Promise<StopReason>((resolve) => {
    request = resolve
  })
  let firstAt: number | null = null
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => {
      firstAt ??= performance.now()
      if (performance.now() - firstAt > sameSignalWithinMs) {
        logger.warn('ended by a second signal')
        process.exit(1)
      }
      request('signal')
    })
  return { requested, request }
}

/** Ends the service, because its state is unknown after an uncaught error. Unhandled rejections arrive here too. */
export function endOnUncaught(logger: Logger, stop: Stop): void {
  process.on('uncaughtException', (thrown: unknown, origin) => {
    const { message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown))
    endFor(`The service ends, because nobody caught this: ${message}`, { origin, stack }, logger, stop)
  })
}

/** Stops in good order as far as possible, for the sake of journaled clicks and the embedded database. */
export function endFor(reason: string, details: object, logger: Logger, stop: Stop): void {
  logger.fatal(details, reason)
  process.exitCode = 1
  // The stop may hang on something that is gone, so this timer ends the process in any case.
  setTimeout(() => process.exit(), endWithinMs).unref()
  stop.request('fault')
}

/**
 * Serves on for SHUTDOWN_DELAY, so that a load balancer notices that the process is not ready before the port closes.
 * Then requests in flight may finish.
 */
export async function shutDown(
  app: NestFastifyApplication,
  { role, shutdownDelay }: RunningSettings,
  reason: StopReason,
  logger: Logger,
): Promise<void> {
  const delayMs = reason === 'signal' && role !== 'worker' ? shutdownDelay * 1000 : 0
  setTimeout(() => {
    logger.fatal(`The shutdown took longer than ${closeWithinMs / 1000} s.`)
    process.exit(1)
  }, delayMs + closeWithinMs).unref()
  app.get(HealthService).beginShutdown()
  const server = app.getHttpServer()
  // Each connection closes with its next response, so that none is idle when the port closes.
  server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'))
  await pause(delayMs)
  const closingIdle = every({ waitMs: 100, work: () => server.closeIdleConnections() })
  const impatience = setTimeout(() => server.closeAllConnections(), callersMayTakeMs)
  try {
    await app.close()
  } finally {
    closingIdle()
    clearTimeout(impatience)
  }
}

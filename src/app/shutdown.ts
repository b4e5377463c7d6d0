/** Shuts the service down gracefully at the first signal, and immediately at the second. */
import { setTimeout as pause } from 'node:timers/promises'

import type { NestFastifyApplication } from '@nestjs/platform-fastify'
import type { Logger } from 'pino'

import type { RunningSettings } from '../settings.js'
import { runPeriodically } from '../platform/util/timers.js'
import { LiveClicksService } from '../clicks/live/live-clicks.service.js'
import { HealthService } from './health/health.service.js'

/** Maximum duration of the shutdown after SHUTDOWN_DELAY. */
const shutdownTimeoutMs = 30_000
/** Maximum duration of the shutdown after a fault. */
const faultTimeoutMs = 10_000
/** Maximum time for requests in flight, which leaves time for the database to stop. */
const requestTimeoutMs = 4_500
/** A signal may arrive twice, because a terminal signals the whole process group and npm forwards the signal. */
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

/** Stops the service after an uncaught error or an unhandled rejection, because its state is unknown. */
export function stopOnUncaught(logger: Logger, stop: Stop): void {
  process.on('uncaughtException', (thrown: unknown, origin) => {
    const { message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown))
    stopForFault(`Stopping after an uncaught error: ${message}`, { origin, stack }, logger, stop)
  })
}

/** Requests a graceful shutdown, so that clicks are written and the embedded database stops. */
export function stopForFault(reason: string, details: object, logger: Logger, stop: Stop): void {
  logger.fatal(details, reason)
  process.exitCode = 1
  // The shutdown may hang because of the fault.
  setTimeout(() => process.exit(), faultTimeoutMs).unref()
  stop.request('fault')
}

/**
 * Continues to serve for SHUTDOWN_DELAY, so that load balancers notice that the process is not ready. Then closes the
 * port and waits for requests in flight.
 */
export async function shutDown(
  app: NestFastifyApplication,
  { role, shutdownDelay }: RunningSettings,
  reason: StopReason,
  logger: Logger,
): Promise<void> {
  const delayMs = reason === 'signal' && role !== 'worker' ? shutdownDelay * 1000 : 0
  setTimeout(() => {
    logger.fatal(`The shutdown took longer than ${shutdownTimeoutMs / 1000} s.`)
    process.exit(1)
  }, delayMs + shutdownTimeoutMs).unref()
  app.get(HealthService).beginShutdown()
  const server = app.getHttpServer()
  // Closes each connection with its next response, so that fewer idle connections remain.
  server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'))
  await pause(delayMs)
  const stopClosingIdle = runPeriodically({ waitMs: 100, work: () => server.closeIdleConnections() })
  if (role !== 'worker') app.get(LiveClicksService, { strict: false }).endStreams()
  // Repeated, because the port is open until webhook requests in flight have ended.
  const stopClosingAll = runPeriodically({
    waitMs: requestTimeoutMs,
    work: () => server.closeAllConnections(),
  })
  try {
    await app.close()
  } finally {
    stopClosingIdle()
    stopClosingAll()
  }
}

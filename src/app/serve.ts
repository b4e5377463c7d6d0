/** Runs the service until it is told to stop. */
import type { AddressInfo } from 'node:net'

import type { NestFastifyApplication } from '@nestjs/platform-fastify'
import type { Logger } from 'pino'

import { createApp } from './app.js'
import { FirstToken } from '../auth/token-commands.js'
import type { Settings } from '../platform/config/settings.js'
import { history } from '../migrations/history.js'
import { createLogger } from '../platform/util/logger.js'
import { requireSharedDatabase } from '../platform/config/settings.js'
import type { RunningSettings } from '../platform/config/settings.js'
import { StartupError } from '../platform/config/startup-error.js'
import { SignInTokens } from '../sessions/sign-in-tokens.js'
import { openDatabase } from '../platform/database/open-database.js'
import type { OpenDatabase } from '../platform/database/open-database.js'
import { migrateQueue, refusePendingQueueMigrations } from '../platform/queue/schema.js'
import { every } from '../platform/util/timers.js'

// A stop may take ten seconds in all. Callers get fewer, because the database needs time to stop too.
const callersMayTakeMs = 6_000
const stopMayTakeMs = 10_000

export async function serve(given: Settings): Promise<void> {
  requireSharedDatabase(given)
  const logger = createLogger(given.logLevel)
  const stop = stopSignal()
  endOnUncaught(logger, stop)
  const database = await showPreparing(openDatabase(given, 'service', history))
  const { settings } = database
  let app: NestFastifyApplication | null = null
  try {
    database.onLost(({ message }) => endFor(`The service ends: ${message}`, {}, logger, stop))
    if (database.isEmbedded || settings.migrate) await migrateQueue(settings)
    else await refusePendingQueueMigrations(settings)
    app = await createApp(settings, logger)
    await listen(app, settings, given)
    if (settings.role === 'api' && database.isEmbedded)
      logger.warn('No worker can join the embedded database: deliveries wait for a start with ROLE=all.')
    if (settings.role === 'worker') announceWorker(settings, portOf(app))
    else announce(settings, database, await firstSteps(app, settings))
    logger.info({ port: portOf(app), role: settings.role }, 'started')
    await stop.requested
    logger.info('stopping')
  } finally {
    if (app) await close(app)
    await database.release()
  }
  logger.info('stopped')
}

/** Tells people to wait, because a first start takes seconds. Without a terminal, standard error has only log lines. */
async function showPreparing<T>(work: Promise<T>): Promise<T> {
  if (!process.stderr.isTTY) return work
  const eraseLine = '\r\u001b[2K'
  const startedAt = performance.now()
  const draw = () => {
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    process.stderr.write(`${eraseLine}Preparing the database (${seconds} s)`)
  }
  const endDrawing = every({ firstWaitMs: 0, waitMs: 200, work: draw })
  try {
    return await work
  } finally {
    endDrawing()
    process.stderr.write(eraseLine)
  }
}

async function listen(
  app: NestFastifyApplication,
  settings: RunningSettings,
  given: Settings,
): Promise<void> {
  try {
    // Nest's own `listen` would also log the failure, beside the line that says what to do.
    await app.getHttpAdapter().getInstance().listen({ port: settings.port, host: settings.host })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new StartupError(
        `Port ${settings.port} is taken. Stop what listens there, or set PORT to another one.`,
      )
    if (code === 'EACCES')
      throw new StartupError(
        `Port ${settings.port} may not be used by this user. Set PORT to one above 1023.`,
      )
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new StartupError(
        `${settings.host} is not an address of this machine. Set HOST to 127.0.0.1 or 0.0.0.0.`,
      )
    throw error
  }
  // With PORT=0 only the listening socket knows the port.
  if (given.port === 0)
    for (const address of ['publicUrl', 'shortUrlBase'] as const)
      settings[address] = settings[address].replace(/:0$/, `:${portOf(app)}`)
}

function portOf(app: NestFastifyApplication): number {
  return (app.getHttpServer().address() as AddressInfo).port
}

/** What a start without any token prints. */
type FirstSteps = 'create a token' | { token: string; dashboardUrl: string | null }

async function firstSteps(
  app: NestFastifyApplication,
  settings: RunningSettings,
): Promise<FirstSteps | null> {
  const firstToken = app.get(FirstToken)
  if (!settings.printFirstToken) return (await firstToken.isMissing()) ? 'create a token' : null
  const created = await firstToken.make()
  if (!created) return null
  return {
    token: created.token,
    dashboardUrl:
      settings.dashboard === 'on' ? await app.get(SignInTokens).addressForNamed(created.id) : null,
  }
}

/** Prints to standard output for the person at the terminal. Logs go to standard error, and never have the token. */
function announce(settings: RunningSettings, database: OpenDatabase, first: FirstSteps | null): void {
  const lines = [
    '',
    `Link Service is ready.`,
    `  API    ${settings.publicUrl}${settings.basePath}/v1`,
    `  Docs   ${settings.publicUrl}/docs`,
    `  Data   ${database.shownAs}`,
  ]
  if (settings.dashboard === 'on')
    lines.splice(4, 0, `  Pages  ${settings.publicUrl}/dashboard (sign in with: link-service dashboard)`)
  if (first === 'create a token')
    lines.push('', 'There is no API token yet. Create one: link-service token create --name NAME')
  else if (first) {
    lines.push('', 'Your first API token. It is shown only this once:', '', first.token)
    if (first.dashboardUrl)
      lines.push('', 'The dashboard, within 10 minutes. This URL signs in once:', '', first.dashboardUrl)
  }
  process.stdout.write(`${lines.join('\n')}\n\n`)
}

function announceWorker({ redisUrl }: RunningSettings, port: number): void {
  const queue = redisUrl === null ? 'the database' : 'Redis'
  process.stdout.write(
    `Link Service worker is ready: jobs from ${queue}, health at http://localhost:${port}/healthz\n`,
  )
}

async function close(app: NestFastifyApplication): Promise<void> {
  const server = app.getHttpServer()
  const impatience = setTimeout(() => {
    server.closeAllConnections()
  }, callersMayTakeMs)
  try {
    await app.close()
  } finally {
    clearTimeout(impatience)
  }
}

interface Stop {
  requested: Promise<void>
  request: () => void
}

function stopSignal(): Stop {
  let request: () => void = () => undefined
  const requested = new Promise<void>((resolve) => {
    request = resolve
    // A terminal signals the whole process group and npm passes the signal on, so it may arrive twice.
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, request)
  })
  return { requested, request }
}

/** Ends the service, because its state is unknown after an uncaught error. Unhandled rejections come here too. */
function endOnUncaught(logger: Logger, stop: Stop): void {
  process.on('uncaughtException', (thrown: unknown, origin) => {
    const { message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown))
    endFor(`The service ends, because nobody caught this: ${message}`, { origin, stack }, logger, stop)
  })
}

/** Stops in good order as far as possible, for the sake of journaled clicks and the embedded database. */
function endFor(reason: string, details: object, logger: Logger, stop: Stop): void {
  logger.fatal(details, reason)
  process.exitCode = 1
  // The stop may hang on something that is gone, so this timer ends the process in any case.
  setTimeout(() => process.exit(), stopMayTakeMs).unref()
  stop.request()
}

/** Runs the service until it is told to stop. */
import type { AddressInfo } from 'node:net'

import type { NestFastifyApplication } from '@nestjs/platform-fastify'

import { createApp } from './app.js'
import { FirstToken } from '../auth/token-commands.js'
import type { Settings } from '../settings.js'
import { history } from '../migrations/history.js'
import { createLogger } from '../platform/util/logger.js'
import { requireSharedDatabase } from '../platform/config/env.js'
import type { RunningSettings } from '../settings.js'
import { StartupError } from '../platform/config/startup-error.js'
import { SignInTokens } from '../sessions/sign-in-tokens.js'
import { openDatabase } from '../platform/database/open-database.js'
import type { OpenDatabase } from '../platform/database/open-database.js'
import { migrateQueue, refusePendingQueueMigrations } from '../platform/queue/schema.js'
import { every } from '../platform/util/timers.js'
import { MetricsPort } from './health/metrics-port.js'
import { endFor, endOnUncaught, shutDown, stopOnSignal } from './shutdown.js'
import type { StopReason } from './shutdown.js'

export async function serve(given: Settings): Promise<void> {
  requireSharedDatabase(given)
  const logger = createLogger(given.logLevel)
  const stop = stopOnSignal(logger)
  endOnUncaught(logger, stop)
  const database = await showPreparing(openDatabase(given, 'service', history))
  const { settings } = database
  let app: NestFastifyApplication | null = null
  let reason: StopReason = 'fault'
  try {
    database.onLost(({ message }) => endFor(`The service ends: ${message}`, {}, logger, stop))
    if (database.isEmbedded || settings.migrate) await migrateQueue(settings)
    else await refusePendingQueueMigrations(settings)
    app = await createApp(settings, logger)
    await listen(app, settings, given)
    if (settings.role === 'api' && database.isEmbedded)
      logger.warn('No worker can join the embedded database: deliveries wait for a start with ROLE=all.')
    if (settings.role === 'worker') announceWorker(settings, app.get(MetricsPort).port ?? portOf(app))
    else announce(settings, database, await firstSteps(app, settings))
    logger.info({ port: portOf(app), role: settings.role }, 'started')
    reason = await stop.requested
    logger.info('stopping')
  } finally {
    if (app) await shutDown(app, settings, reason, logger)
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
  const { port, metricsPort, host } = settings
  // Nest's own `listen` would also log the failure, beside the line that says what to do.
  const server = app.getHttpAdapter().getInstance()
  await listenOn('PORT', port, settings, () => server.listen({ port, host }))
  if (metricsPort !== null)
    await listenOn('METRICS_PORT', metricsPort, settings, () => app.get(MetricsPort).listen())
  // With PORT=0 only the listening socket knows the port.
  if (given.port === 0)
    for (const address of ['publicUrl', 'shortUrlBase'] as const)
      settings[address] = settings[address].replace(/:0$/, `:${portOf(app)}`)
}

async function listenOn(
  setting: string,
  port: number,
  { host }: RunningSettings,
  listening: () => Promise<unknown>,
): Promise<void> {
  try {
    await listening()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new StartupError(
        `Port ${port} is taken. Stop what listens there, or set ${setting} to another one.`,
      )
    if (code === 'EACCES')
      throw new StartupError(`Port ${port} may not be used by this user. Set ${setting} to one above 1023.`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new StartupError(`${host} is not an address of this machine. Set HOST to 127.0.0.1 or 0.0.0.0.`)
    throw error
  }
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

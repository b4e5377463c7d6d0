/** Starts the service, and runs it until a signal or a fault stops it. */
import type { AddressInfo } from 'node:net'

import type { NestFastifyApplication } from '@nestjs/platform-fastify'
import type { Logger } from 'pino'

import { createApp } from './app.js'
import { FirstToken } from '../auth/token-commands.js'
import type { Settings } from '../settings.js'
import { history } from '../migrations/history.js'
import { createLogger } from '../platform/util/logger.js'
import { requireSharedDatabase } from '../platform/config/env.js'
import type { RunningSettings } from '../settings.js'
import {
  createLocalApiUrl,
  removeRunningService,
  writeRunningService,
} from '../platform/config/running-service.js'
import { StartupError } from '../platform/config/startup-error.js'
import { SignInTokens } from '../sessions/sign-in-tokens.js'
import { openDatabase } from '../platform/database/open-database.js'
import type { OpenDatabase } from '../platform/database/open-database.js'
import { migrateQueue, refusePendingQueueMigrations } from '../platform/queue/schema.js'
import { getThisProcess } from '../platform/util/process-identity.js'
import { commandText } from '../platform/util/program.js'
import { tracer } from '../platform/util/tracing.js'
import { runPeriodically } from '../platform/util/timers.js'
import { MetricsPort } from './health/metrics-port.js'
import { shutDown, stopForFault, stopOnSignal, stopOnUncaught } from './shutdown.js'
import type { StopReason } from './shutdown.js'

export async function serve(initialSettings: Settings): Promise<void> {
  requireSharedDatabase(initialSettings)
  const logger = createLogger(initialSettings.logLevel)
  const stop = stopOnSignal(logger)
  stopOnUncaught(logger, stop)
  const database = await showProgress(openDatabase(initialSettings, 'service', history))
  const { settings } = database
  let app: NestFastifyApplication | null = null
  let reason: StopReason = 'fault'
  try {
    database.onLost(({ message }) => stopForFault(`Stopping: ${message}`, {}, logger, stop))
    if (database.isEmbedded || settings.migrate) await migrateQueue(settings)
    else await refusePendingQueueMigrations(settings)
    app = await createApp(settings, logger)
    await listen(app, settings, initialSettings)
    recordService(settings, getListeningPort(app), logger)
    if (settings.role === 'api' && database.isEmbedded)
      logger.warn('Deliveries are not sent: a worker cannot use the embedded database. Use ROLE=all.')
    // Logged first, so that the token and the URL are the last lines in a terminal.
    logger.info({ port: getListeningPort(app), role: settings.role }, 'started')
    if (settings.role === 'worker')
      announceWorker(settings, app.get(MetricsPort).port ?? getListeningPort(app))
    else announceApi(settings, database, await firstSteps(app, settings))
    reason = await stop.requested
    logger.info('stopping')
  } finally {
    removeRunningService(settings.dataDir)
    if (app) await shutDown(app, settings, reason, logger)
    await database.release()
    await tracer?.flush()
  }
  logger.info('stopped')
}

/** Shows progress in a terminal, because the first start takes several seconds. */
async function showProgress<T>(work: Promise<T>): Promise<T> {
  if (!process.stderr.isTTY) return work
  const eraseLine = '\r\u001b[2K'
  const startedAt = performance.now()
  const draw = () => {
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    process.stderr.write(`${eraseLine}Preparing the database (${seconds} s)`)
  }
  const stopDrawing = runPeriodically({ firstWaitMs: 0, waitMs: 200, work: draw })
  try {
    return await work
  } finally {
    stopDrawing()
    process.stderr.write(eraseLine)
  }
}

async function listen(
  app: NestFastifyApplication,
  settings: RunningSettings,
  initialSettings: Settings,
): Promise<void> {
  const { port, metricsPort, host } = settings
  // `app.listen` of Nest would also log the error, in addition to our message.
  const server = app.getHttpAdapter().getInstance()
  await listenOn('PORT', port, settings, () => server.listen({ port, host }))
  if (metricsPort !== null)
    await listenOn('METRICS_PORT', metricsPort, settings, () => app.get(MetricsPort).listen())
  // With PORT=0, the port is known only now.
  if (initialSettings.port === 0)
    for (const url of ['publicUrl', 'shortUrlBase'] as const)
      settings[url] = settings[url].replace(/:0$/, `:${getListeningPort(app)}`)
}

async function listenOn(
  setting: string,
  port: number,
  { host }: RunningSettings,
  startListening: () => Promise<unknown>,
): Promise<void> {
  try {
    await startListening()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new StartupError(
        `Port ${port} is already in use. Stop the other process, or set ${setting} to another port.`,
      )
    if (code === 'EACCES')
      throw new StartupError(
        `This user is not allowed to use port ${port}. Set ${setting} to a port above 1023.`,
      )
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new StartupError(
        `HOST is ${host}, which is not an IP address of this machine. Set HOST to 127.0.0.1 or 0.0.0.0.`,
      )
    throw error
  }
}

function getListeningPort(app: NestFastifyApplication): number {
  return (app.getHttpServer().address() as AddressInfo).port
}

/** Stores the URLs of the API for commands on this machine. A worker stores nothing in the data folder. */
function recordService(settings: RunningSettings, port: number, logger: Logger): void {
  const { role, dataDir, host, basePath, publicUrl } = settings
  if (role === 'worker') return
  const apiUrl = createLocalApiUrl(host, port, basePath)
  try {
    writeRunningService(dataDir, { ...getThisProcess(), port, apiUrl, publicUrl })
  } catch (error) {
    logger.warn(
      `The data folder is not writable, so commands cannot find this service. Set PORT when you run them. ${(error as Error).message}`,
    )
  }
}

/** Instructions to print if there is no token yet. */
type FirstSteps = 'create a token' | { token: string; dashboardUrl: string | null }

async function firstSteps(
  app: NestFastifyApplication,
  settings: RunningSettings,
): Promise<FirstSteps | null> {
  const firstToken = app.get(FirstToken)
  if (!settings.printFirstToken) return (await firstToken.isMissing()) ? 'create a token' : null
  const created = await firstToken.createIfMissing()
  if (!created) return null
  return {
    token: created.token,
    dashboardUrl:
      settings.dashboard === 'on' ? await app.get(SignInTokens).createUrlForToken(created.id) : null,
  }
}

/** Prints to standard output. Logs go to standard error and never contain the token. */
function announceApi(settings: RunningSettings, database: OpenDatabase, first: FirstSteps | null): void {
  const lines = [
    '',
    `Link Service is ready.`,
    `  API        ${settings.publicUrl}${settings.basePath}/v1`,
    `  Docs       ${settings.publicUrl}/docs`,
    `  Data       ${database.shownAs}`,
  ]
  if (settings.dashboard === 'on')
    lines.splice(
      4,
      0,
      `  Dashboard  ${settings.publicUrl}/dashboard (sign in with: ${commandText('dashboard')})`,
    )
  if (first === 'create a token')
    lines.push('', `There is no API token yet. Create one: ${commandText('token create --name NAME')}`)
  else if (first) {
    lines.push('', 'Your first API token, shown only once:', '', first.token)
    if (first.dashboardUrl)
      lines.push('', 'Open the dashboard within 10 minutes. This URL works once:', '', first.dashboardUrl)
  }
  process.stdout.write(`${lines.join('\n')}\n\n`)
}

function announceWorker({ redisUrl }: RunningSettings, port: number): void {
  const queue = redisUrl === null ? 'the database' : 'Redis'
  process.stdout.write(
    `Link Service worker is ready: jobs from ${queue}, health at http://localhost:${port}/healthz\n`,
  )
}

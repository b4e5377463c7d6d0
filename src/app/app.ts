/** Creates the application of a role. `serve.ts` starts listening. */
import type { IncomingMessage } from 'node:http'

import proxyAddr from '@fastify/proxy-addr'
import type { DynamicModule } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import type { FastifyRequest } from 'fastify'
import type { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify'
import type { Logger as Pino } from 'pino'

import { ApiModule } from './api.module.js'
import { guidePath } from './docs/guide-files.js'
import { serveDocs } from './docs/serve-docs.js'
import { serveGuide } from './docs/serve-guide.js'
import { HealthService } from './health/health.service.js'
import { MetricsPort } from './health/metrics-port.js'
import { AuthGuard } from '../auth/auth.guard.js'
import { getLogFields } from '../auth/caller.js'
import { ClickRecorder } from '../clicks/click-recorder.js'
import { NestLogger } from '../platform/util/logger.js'
import { tracer } from '../platform/util/tracing.js'
import { shownAddress } from '../platform/util/shown-address.js'
import type { RunningSettings } from '../settings.js'
import { StartupError } from '../platform/config/startup-error.js'
import { readBranding, serveLogo } from '../platform/http/branding.js'
import { createAdapter, prepareFastify } from '../platform/http/fastify.js'
import { logRequests } from '../platform/http/request-log.js'
import { traceRequests } from '../platform/http/request-traces.js'
import { RequestDurations } from '../platform/http/request-durations.js'
import { addResourceHeaders } from '../platform/http/resource-headers.js'
import type { Front } from '../platform/http/fastify.js'
import { RouteTable } from '../platform/http/route-table.js'
import { type RedirectHandler, createRedirectHandler } from '../links/redirect/redirect-handler.js'
import { createRedirectObserver } from '../links/redirect/redirect-observer.js'
import { RedirectLinks } from '../links/redirect/redirect-links.js'
import { readVisitorPages } from '../links/redirect/visitor-pages.js'
import type { VisitorPages } from '../links/redirect/visitor-pages.js'
import { isShortLinkPath, reservedSlugs } from '../links/urls.js'
import { pagesFolder, readPages, servePages } from '../sessions/dashboard-pages.js'
import { SessionGuard, pagesPath } from '../sessions/session-guard.js'
import { WorkerModule } from './worker.module.js'

export function createApp(settings: RunningSettings, logger: Pino): Promise<NestFastifyApplication> {
  return settings.role === 'worker' ? createWorker(settings, logger) : createApi(settings, logger)
}

async function createApi(settings: RunningSettings, logger: Pino): Promise<NestFastifyApplication> {
  const front: Front = { handle: null }
  const hasDashboard = settings.dashboard === 'on'
  if (hasDashboard && `${settings.basePath}/`.startsWith(`${pagesPath}/`))
    throw new StartupError(
      `BASE_PATH must not be below ${pagesPath}, which is the path of the dashboard. Use another path, or set DASHBOARD=off.`,
    )
  if (`${settings.basePath}/`.startsWith(`${guidePath}/`))
    throw new StartupError(
      `BASE_PATH must not be below ${guidePath}, which is the path of the documentation. Use another path.`,
    )
  const branding = await readBranding(settings)
  const visitorPages = await readVisitorPages(settings.pagesDir, branding)
  const app = await create(ApiModule.with(settings), createAdapter(settings, front), logger)
  const fastify = app.getHttpAdapter().getInstance()
  const sessions = hasDashboard ? app.get(SessionGuard) : null
  sessions?.registerHooks(fastify)
  app.get(AuthGuard).registerHooks(fastify, sessions)
  addResourceHeaders(fastify, settings)
  // A portal visitor must not choose which traces are recorded.
  traceRequests(fastify, { tracer, isTrusted: ({ token, portal }) => token !== null && portal === null })
  logRequests(fastify, logger, (request) => describeCaller(request, settings))
  app.setGlobalPrefix(settings.basePath, {
    exclude: [
      'healthz',
      'readyz',
      'metrics',
      'errors/:code',
      'dashboard/session',
      'dashboard/portal/session',
    ],
  })
  if (settings.corsOrigins) {
    app.enableCors({
      origin: settings.corsOrigins,
      // The plugin's error for other OPTIONS requests is not problem+json.
      strictPreflight: false,
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      exposedHeaders: [
        'ETag',
        'Link',
        'Location',
        'RateLimit',
        'RateLimit-Policy',
        'Retry-After',
        'Idempotent-Replayed',
        'WWW-Authenticate',
        'X-Request-Id',
      ],
    })
    // Nest answers preflights before the hook that sets this header on other responses.
    fastify.addHook('onSend', (request, reply, payload, done) => {
      if (!reply.hasHeader('x-request-id')) void reply.header('x-request-id', request.id)
      done(null, payload)
    })
  }
  serveDocs(app, settings)
  serveGuide(fastify)
  serveLogo(fastify, branding)
  if (hasDashboard)
    servePages(fastify, await readPages(pagesFolder, { apiPath: settings.basePath, branding }), branding)
  await app.init()
  await app.get(HealthService).start()
  front.handle = createRedirects(app, settings, visitorPages, logger)
  return app
}

async function createWorker(settings: RunningSettings, logger: Pino): Promise<NestFastifyApplication> {
  const app = await create(WorkerModule.with(settings), createAdapter(settings), logger)
  const fastify = app.getHttpAdapter().getInstance()
  traceRequests(fastify, { tracer: null, isTrusted: () => false })
  logRequests(fastify, logger, (request) => describeCaller(request, settings))
  await app.init()
  await app.get(HealthService).start()
  return app
}

function describeCaller(request: FastifyRequest, { clickIp }: RunningSettings): Record<string, unknown> {
  const { ip, span } = request
  return {
    ...getLogFields(request),
    client_ip: shownAddress(ip, clickIp),
    ...(span && tracer?.getIds(span)),
  }
}

async function create(
  module: DynamicModule,
  adapter: FastifyAdapter,
  logger: Pino,
): Promise<NestFastifyApplication> {
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    logger: new NestLogger(logger),
    abortOnError: false,
    bodyParser: false,
  })
  const fastify = app.getHttpAdapter().getInstance()
  const routes = app.get(RouteTable)
  app.get(MetricsPort).prepare(fastify, routes)
  prepareFastify(fastify, routes)
  app.get(RequestDurations).registerHooks(fastify)
  return app
}

/** Redirects bypass the framework, whose routing would make them a third slower. */
function createRedirects(
  app: NestFastifyApplication,
  settings: RunningSettings,
  pages: VisitorPages,
  logger: Pino,
): RedirectHandler {
  const { trustProxy, countryHeader, clickIp } = settings
  const clientAddress = (request: IncomingMessage) =>
    trustProxy ? proxyAddr(request, trustProxy) : request.socket.remoteAddress
  const reserved = reservedSlugs(settings.basePath)
  app.get(RouteTable).addInFront(['GET', 'HEAD'], (path) => isShortLinkPath(path, reserved))
  return createRedirectHandler({
    links: app.get(RedirectLinks).cache,
    clicks: app.get(ClickRecorder).journal,
    durations: app.get(RedirectLinks).durations,
    reserved,
    pages,
    publicUrl: () => settings.publicUrl,
    clientAddress,
    observe: createRedirectObserver({
      logger,
      tracer,
      shownAddress: (request) => shownAddress(clientAddress(request) ?? '', clickIp),
    }),
    onError: ({ message, stack }, request_id) =>
      logger.error({ request_id, stack }, `A redirect failed: ${message}`),
    ...(countryHeader ? { countryHeader } : {}),
  })
}

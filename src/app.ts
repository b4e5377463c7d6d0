/** Puts the HTTP role together, up to but not including the port it listens on. */
import proxyAddr from '@fastify/proxy-addr'
import { Logger } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import type { NestFastifyApplication } from '@nestjs/platform-fastify'
import type { Logger as Pino } from 'pino'

import { ApiModule } from './api.module.js'
import { requireDeclaredAccess } from './auth/declared-access.js'
import { ClickRecorder } from './clicks/click-recorder.js'
import { NestLogger } from './config/logger.js'
import type { RunningSettings } from './config/settings.js'
import { logRequests } from './http/access-log.js'
import { groupAnswers } from './http/answer-groups.js'
import { addAnswerHeaders } from './http/answer-headers.js'
import { serveDocs } from './http/docs.js'
import { createAdapter, prepareFastify } from './http/fastify.js'
import type { FrontDoor } from './http/fastify.js'
import { Problem } from './http/problem.js'
import { RouteTable } from './http/route-table.js'
import { createRedirectHandler } from './links/redirect/redirect-handler.js'
import { RedirectLinks } from './links/redirect-links.js'
import { reservedSlugs } from './links/slug.js'

export async function createApp(settings: RunningSettings, logger: Pino): Promise<NestFastifyApplication> {
  const door: FrontDoor = { take: () => false }
  const app = await NestFactory.create<NestFastifyApplication>(
    ApiModule.with(settings),
    createAdapter(settings, door),
    {
      logger: new NestLogger(logger),
      abortOnError: false,
      bodyParser: false,
    },
  )
  const fastify = app.getHttpAdapter().getInstance()
  prepareFastify(fastify, app.get(RouteTable))
  addAnswerHeaders(fastify, settings)
  groupAnswers(fastify)
  logRequests(fastify, logger)
  app.setGlobalPrefix(settings.basePath, { exclude: ['healthz', 'readyz', 'metrics', 'errors/:code'] })
  if (settings.corsOrigins)
    app.enableCors({
      origin: settings.corsOrigins,
      methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
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
  requireDeclaredAccess(app)
  serveDocs(app, settings)
  await app.init()
  door.take = shortLinks(app, settings)
  return app
}

/** Short links stand in front of the framework, whose routing would cost a third of their speed. */
function shortLinks(app: NestFastifyApplication, settings: RunningSettings): FrontDoor['take'] {
  const logger = new Logger('Redirect')
  const { trustProxy, countryHeader } = settings
  return createRedirectHandler({
    links: app.get(RedirectLinks).cache,
    clicks: app.get(ClickRecorder).journal,
    reserved: reservedSlugs(settings.basePath),
    problem: (code, requestId) => JSON.stringify(new Problem(code).toBody(settings.publicUrl, requestId)),
    onError: (error) => logger.error(`A redirect failed: ${error.message}`),
    ...(trustProxy ? { clientAddress: (request) => proxyAddr(request, trustProxy) } : {}),
    ...(countryHeader ? { countryHeader } : {}),
  })
}

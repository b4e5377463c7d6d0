/** Puts the HTTP role together, up to but not including the port it listens on. */
import { NestFactory } from '@nestjs/core'
import type { NestFastifyApplication } from '@nestjs/platform-fastify'
import type { Logger } from 'pino'

import { ApiModule } from './api.module.js'
import { requireDeclaredAccess } from './auth/declared-access.js'
import { NestLogger } from './config/logger.js'
import type { RunningSettings } from './config/settings.js'
import { logRequests } from './http/access-log.js'
import { addAnswerHeaders } from './http/answer-headers.js'
import { serveDocs } from './http/docs.js'
import { createAdapter, prepareFastify } from './http/fastify.js'
import { RouteTable } from './http/route-table.js'

export async function createApp(settings: RunningSettings, logger: Logger): Promise<NestFastifyApplication> {
  const app = await NestFactory.create<NestFastifyApplication>(
    ApiModule.with(settings),
    createAdapter(settings),
    {
      logger: new NestLogger(logger),
      abortOnError: false,
      bodyParser: false,
    },
  )
  const fastify = app.getHttpAdapter().getInstance()
  prepareFastify(fastify, app.get(RouteTable))
  addAnswerHeaders(fastify, settings)
  logRequests(fastify, logger)
  app.setGlobalPrefix(settings.basePath, { exclude: ['healthz', 'readyz', 'errors/:code'] })
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
        'X-Request-Id',
      ],
    })
  requireDeclaredAccess(app)
  serveDocs(app, settings)
  return app
}

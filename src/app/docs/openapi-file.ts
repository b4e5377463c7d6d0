import { NestFactory } from '@nestjs/core'
import type { NestFastifyApplication } from '@nestjs/platform-fastify'

import { apiDescription } from '../api-description.js'
import { ApiModule } from '../api.module.js'
import { readSettings } from '../../platform/config/env.js'
import { createAdapter } from '../../platform/http/fastify.js'
import { buildOpenApi } from '../../platform/http/openapi/openapi.js'

/** The OpenAPI document under default settings. It needs no database: the modules are built, but not started. */
export async function openApiText(): Promise<string> {
  const settings = { ...readSettings({}), databaseUrl: '' }
  const app = await NestFactory.create<NestFastifyApplication>(
    ApiModule.with(settings),
    createAdapter(settings),
    { logger: false, abortOnError: false },
  )
  return `${JSON.stringify(buildOpenApi(app, settings, apiDescription(settings)), null, 2)}\n`
}

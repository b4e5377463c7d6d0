import { NestFactory } from '@nestjs/core'
import type { NestFastifyApplication } from '@nestjs/platform-fastify'

import { ApiModule } from '../api.module.js'
import { readSettings } from '../../platform/config/env.js'
import { createAdapter } from '../../platform/http/fastify.js'
import { createOpenApiDocument } from './openapi-document.js'

/** Returns the OpenAPI document for the default settings. Needs no database, because the application is not started. */
export async function openApiText(): Promise<string> {
  const settings = { ...readSettings({}), databaseUrl: '' }
  const app = await NestFactory.create<NestFastifyApplication>(
    ApiModule.with(settings),
    createAdapter(settings),
    { logger: false, abortOnError: false },
  )
  return `${JSON.stringify(createOpenApiDocument(app, settings), null, 2)}\n`
}

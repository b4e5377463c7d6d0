import type { INestApplication } from '@nestjs/common'
import type { OpenAPIObject } from '@nestjs/swagger'

import { apiDescription } from '../api-description.js'
import { buildOpenApi } from '../../platform/http/openapi/openapi.js'
import type { RunningSettings } from '../../settings.js'
import { addCodeSamples } from './samples/code-samples.js'

/** Returns the OpenAPI document of the service, with code samples. */
export function createOpenApiDocument(app: INestApplication, settings: RunningSettings): OpenAPIObject {
  return addCodeSamples(buildOpenApi(app, settings, apiDescription(settings)))
}

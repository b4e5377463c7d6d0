import type { INestApplication } from '@nestjs/common'
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger'
import type { OpenAPIObject } from '@nestjs/swagger'

import type { RunningSettings } from '../config/settings.js'
import { takeNotes } from './api-docs.js'
import { problems } from './problems.js'
import type { ProblemCode } from './problems.js'
import { version } from './version.js'

/** What the document says of the service that it describes. */
export interface ApiDescription {
  title: string
  introduction: string
  /** How callers show who they are. */
  bearer: string
  tags: Record<string, string>
  /** What the service sends of its own accord, by the name of the event. */
  webhooks: NonNullable<OpenAPIObject['webhooks']>
}

export function buildOpenApi(
  app: INestApplication,
  settings: RunningSettings,
  { title, introduction, bearer, tags, webhooks }: ApiDescription,
): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.1')
    .setTitle(title)
    .setDescription(introduction)
    .setVersion(version)
    .setLicense('MIT', 'https://spdx.org/licenses/MIT.html')
    .addServer(settings.publicUrl + settings.basePath, 'This service')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: bearer })
  for (const [name, description] of Object.entries(tags)) builder.addTag(name, description)

  const document = SwaggerModule.createDocument(app, builder.build(), { ignoreGlobalPrefix: true })
  document.components ??= {}
  document.components.schemas = {
    ...document.components.schemas,
    Problem: problemSchema,
    InputError: inputErrorSchema,
  }
  for (const path of Object.values(document.paths))
    for (const [method, operation] of Object.entries(path))
      if (isOperation(operation)) describe(method, operation, settings)
  return { ...document, webhooks }
}

interface Operation extends Record<string, unknown> {
  description?: string
  requestBody?: unknown
  parameters?: { in: string; name: string }[]
  responses: Record<string, unknown>
  security?: unknown[]
}

function isOperation(value: unknown): value is Operation {
  return typeof value === 'object' && value !== null && 'responses' in value
}

/** Adds the notes of the route and every error that it can answer with. */
function describe(method: string, operation: Operation, settings: RunningSettings): void {
  const notes = takeNotes(operation)
  const sentences = notes.map(({ sentence }) => sentence)
  operation.description = [operation.description, ...sentences].filter(Boolean).join('\n\n')
  const parameters = operation.parameters ?? []
  const has = (place: string) => parameters.some((parameter) => parameter.in === place)

  const codes: ProblemCode[] = ['invalid_query', 'unavailable']
  if (operation.security) codes.push('invalid_header')
  if (has('path')) codes.push('not_found')
  if (operation.requestBody)
    codes.push('invalid_json', 'payload_too_large', 'unsupported_media_type', 'validation_failed')
  if (parameters.some(({ name }) => name === 'Idempotency-Key'))
    codes.push('idempotency_in_progress', 'idempotency_mismatch', 'idempotency_unreadable')
  if (has('header') && (method === 'delete' || method === 'patch')) codes.push('precondition_failed')
  codes.push(...notes.flatMap(({ problems = [] }) => problems))

  for (const status of new Set(codes.map((code) => problems[code].status))) {
    const these = codes.filter((code) => problems[code].status === status)
    operation.responses[status] = {
      description: these.map((code) => `\`${code}\`: ${problems[code].title}.`).join(' '),
      content: {
        'application/problem+json': {
          schema: { $ref: '#/components/schemas/Problem' },
          examples: Object.fromEntries(these.map((code) => [code, { value: example(code, settings) }])),
        },
      },
    }
  }
}

function example(code: ProblemCode, settings: RunningSettings): Record<string, unknown> {
  const { status, title } = problems[code]
  return {
    type: `${settings.publicUrl}/errors/${code}`,
    title,
    status,
    detail: `${title}.`,
    instance: 'k3Jv0Qf2aLx91',
    code,
  }
}

const problemSchema = {
  type: 'object',
  description: 'An error, after RFC 9457.',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code'],
  properties: {
    type: { type: 'string', format: 'uri', description: 'A page with cause and remedy.' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What happened this time.' },
    instance: { type: 'string', description: 'The id of the request.' },
    code: { type: 'string', enum: Object.keys(problems) },
    errors: {
      type: 'array',
      items: { $ref: '#/components/schemas/InputError' },
      description: 'Every wrong place in the input.',
    },
  },
  additionalProperties: true,
}

const inputErrorSchema = {
  type: 'object',
  required: ['code', 'detail'],
  properties: {
    pointer: { type: 'string', description: 'A field of the body, as a JSON pointer.', example: '/scopes' },
    parameter: { type: 'string', description: 'A query parameter.' },
    header: { type: 'string', description: 'A request header.' },
    code: { type: 'string', example: 'invalid_scopes' },
    detail: { type: 'string', description: 'What to write instead.' },
  },
}

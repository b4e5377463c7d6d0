import type { INestApplication } from '@nestjs/common'
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger'
import type { OpenAPIObject } from '@nestjs/swagger'

import type { RunningSettings } from '../config/settings.js'
import { problems } from './problems.js'
import type { ProblemCode } from './problems.js'
import { version } from './version.js'

const introduction = `
Short links, click counts, scoped tokens and signed webhooks, over JSON.

Every call but a few needs the header \`Authorization: Bearer <token>\`. The first start of the service prints a first token;
press **Authorize** and paste it to try the calls on this page.

* Times are RFC 3339 in UTC, in the years 0000 to 9999. \`null\` stands for "none"; no field is ever missing from an answer.
* Lists are \`{"data": [...], "has_more": true, "next_cursor": "..."}\`: pass \`next_cursor\` as \`cursor\` for the next page.
* Errors are \`application/problem+json\` with a stable \`code\`; \`type\` leads to a page that says what to do.
* Every answer has an \`X-Request-Id\`; send your own to find it again in the logs.
* Each operation says in \`x-required-scope\` which scope its token needs, or which several with spaces between. A \`:write\` scope does not include \`:read\`.
`.trim()

const tags = {
  Tokens: 'Who may call the API, and what they may do there.',
  Links: 'Short links. `GET /{slug}` on the short-link host redirects and counts a click.',
  Clicks: 'Who followed which link, when and from where, as far as that may be kept.',
  Webhooks:
    'Addresses of yours that events are sent to, signed. What is sent stands below, under the webhooks.',
  Events: 'What happened, whether or not a webhook wanted it, and what there is to subscribe to.',
  Deliveries: 'What was sent to a webhook, what will be, how that went, and sending it again.',
  'Audit log': 'Who did what, when and from where.',
}

/** What the service sends of its own accord, by the name of the event. */
export type SentWebhooks = NonNullable<OpenAPIObject['webhooks']>

export function buildOpenApi(
  app: INestApplication,
  settings: RunningSettings,
  webhooks: SentWebhooks,
): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.1')
    .setTitle('Link Service')
    .setDescription(introduction)
    .setVersion(version)
    .setLicense('MIT', 'https://spdx.org/licenses/MIT.html')
    .addServer(settings.publicUrl + settings.basePath, 'This service')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'A token of this service: `lsk_…`' })
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

interface Operation {
  operationId: string
  description?: string
  requestBody?: unknown
  parameters?: { in: string; name: string }[]
  responses: Record<string, unknown>
  'x-required-scope': string | null
  security?: unknown[]
}

function isOperation(value: unknown): value is Operation {
  return typeof value === 'object' && value !== null && 'responses' in value
}

/** The scope in words, and every error the operation can answer with. */
function describe(method: string, operation: Operation, settings: RunningSettings): void {
  const scope = operation['x-required-scope']
  const access = operation.security
    ? scope
      ? `Needs the scope${scope.includes(' ') ? 's' : ''} \`${scope.replaceAll(' ', '` and `')}\`.`
      : 'Any valid token will do.'
    : 'Needs no token.'
  operation.description = [operation.description, access].filter(Boolean).join('\n\n')
  const parameters = operation.parameters ?? []
  const has = (place: string) => parameters.some((parameter) => parameter.in === place)

  const codes: ProblemCode[] = ['invalid_query', 'unavailable']
  if (operation.security)
    codes.push(
      'invalid_header',
      'unauthorized',
      'invalid_token',
      'token_expired',
      'token_revoked',
      'rate_limited',
    )
  if (scope) codes.push('insufficient_scope')
  if (scope === 'tokens:write' && method === 'post') codes.push('scope_escalation')
  if (has('path')) codes.push('not_found')
  if (operation.requestBody)
    codes.push('invalid_json', 'payload_too_large', 'unsupported_media_type', 'validation_failed')
  if (parameters.some(({ name }) => name === 'Idempotency-Key'))
    codes.push('idempotency_in_progress', 'idempotency_mismatch', 'idempotency_unreadable')
  if (has('header') && (method === 'delete' || method === 'patch')) codes.push('precondition_failed')
  if (operation.operationId === 'createLink' || operation.operationId === 'updateLink') codes.push('conflict')
  if (operation.operationId === 'redeliver') codes.push('not_redeliverable')
  if (operation.operationId === 'testWebhook') codes.push('secret_unreadable')

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

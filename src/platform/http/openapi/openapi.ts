/** Builds the OpenAPI document from the declarations of the routes, and adds what all operations have in common. */
import type { INestApplication, Type } from '@nestjs/common'
import { DiscoveryService, MetadataScanner } from '@nestjs/core'
import { DocumentBuilder, getSchemaPath, SwaggerModule } from '@nestjs/swagger'
import type { OpenAPIObject } from '@nestjs/swagger'

import type { RunningSettings } from '../../../settings.js'
import { getExamples, namedEnums, takeNotes } from './api-docs.js'
import { json, mergePatch } from '../input/body.js'
import { headers, getResponseHeaders, createHeaders } from './openapi-headers.js'
import type { HeaderName } from './openapi-headers.js'
import { problemExamples, problemResponses, problemSchemas } from './openapi-problems.js'
import type { ProblemCode } from '../../../problems.js'
import { version } from '../../util/program.js'

export type OpenApiSchemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>

/** The parts of the document that are specific to the service. */
export interface ApiDescription {
  title: string
  introduction: string
  /** How callers authenticate. */
  bearer: { description: string; bearerFormat: string }
  /** The tags and the IDs of their operations, in the order of the document. */
  tags: Record<string, { description: string; operations: readonly string[] }>
  /** Examples of service-specific headers. */
  headerExamples: Partial<Record<HeaderName, string>>
  /** Bounds of fields that depend on settings, by schema and field. */
  bounds: Record<string, Record<string, object>>
  /** Schemas without a class, or with more detail than their class. */
  schemas: OpenApiSchemas
  /** Routes that are served without the framework. */
  paths: OpenAPIObject['paths']
  /** Requests that the service sends, by event type. */
  webhooks: NonNullable<OpenAPIObject['webhooks']>
}

export function buildOpenApi(
  app: INestApplication,
  settings: RunningSettings,
  description: ApiDescription,
): OpenAPIObject {
  const { title, introduction, bearer, tags, bounds, schemas, paths, webhooks } = description
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.1')
    .setTitle(title)
    .setDescription(introduction)
    .setVersion(version)
    .setLicense('MIT', 'https://spdx.org/licenses/MIT.html')
    .addServer(settings.publicUrl + settings.basePath, 'This service')
    .addBearerAuth({ type: 'http', scheme: 'bearer', ...bearer })
  for (const [name, { description }] of Object.entries(tags)) builder.addTag(name, description)

  const document = SwaggerModule.createDocument(app, builder.build(), { ignoreGlobalPrefix: true })
  document.info.contact = { name: 'Service operator', url: settings.publicUrl }
  const found: Record<string, unknown> = { ...document.components?.schemas }
  for (const [name, schema] of namedEnums) if (name in found) found[name] = schema
  document.components = {
    ...document.components,
    headers: createHeaders(description.headerExamples),
    schemas: sortSchemas({ ...found, ...problemSchemas(), ...schemas }) as OpenApiSchemas,
  }
  for (const [name, fields] of Object.entries(bounds))
    for (const [field, bound] of Object.entries(fields))
      Object.assign((found[name] as BodySchema).properties[field]!, bound)
  const examples = examplesBySchema(app)
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      if (!isOperation(operation)) continue
      completeOperation(method, operation, found, examples)
      // Only the API is served under the base path.
      if (!path.startsWith('/v1/'))
        operation.servers = [{ url: settings.publicUrl, description: 'This service' }]
    }
  }
  closeRequestSchemas(document.paths, found)
  const order = Object.values(tags).flatMap(({ operations }) => operations)
  const complete = { ...document, paths: sortPaths({ ...document.paths, ...paths }, order), webhooks }
  // Only pages use the other codes.
  const text = JSON.stringify(complete.paths)
  document.components.examples = Object.fromEntries(
    Object.entries(problemExamples(settings.publicUrl)).filter(([code]) =>
      text.includes(`examples/${code}"`),
    ),
  )
  return complete
}

interface Operation extends Record<string, unknown> {
  description?: string
  requestBody?: {
    required?: boolean
    content: Record<string, { schema?: { $ref?: string }; examples?: object }>
  }
  parameters?: { in: string; name: string }[]
  responses: Record<string, { headers?: object } | undefined>
  security?: unknown[]
  servers?: object[]
}

function isOperation(value: unknown): value is Operation {
  return typeof value === 'object' && value !== null && 'responses' in value
}

/** Adds to an operation the notes of its route, the types of its body, its headers and its errors. */
function completeOperation(
  method: string,
  operation: Operation,
  schemas: Record<string, unknown>,
  examples: ReadonlyMap<string, object>,
): void {
  const notes = takeNotes(operation)
  const sentences = notes.map(({ sentence }) => sentence)
  operation.description = [operation.description, ...sentences].filter(Boolean).join('\n\n')
  operation.security ??= []
  const isAuthenticated = operation.security.length > 0
  const isRepeatable = operation.parameters?.some(({ name }) => name === 'Idempotency-Key') ?? false

  const declared = Object.entries(operation.responses).map(([status, response]) => {
    const more = isRepeatable && Number(status) < 300 ? headers('Idempotent-Replayed') : {}
    const all = { ...getResponseHeaders(Number(status), isAuthenticated), ...response?.headers, ...more }
    return [status, { ...response, headers: all }] as const
  })
  const codes = [...listProblems(method, operation), ...notes.flatMap(({ problems: more = [] }) => more)]
  operation.responses = {
    ...problemResponses(codes, isAuthenticated),
    ...Object.fromEntries(declared),
  }

  const body = operation.requestBody
  const content = body?.content[json]
  if (!body || !content) return
  const example = examples.get(content.schema?.$ref ?? '')
  if (example) content.examples = example
  if (method === 'patch') body.content[mergePatch] = content
  else body.required = needsBody(schemas[content.schema?.$ref?.split('/').at(-1) ?? ''])
}

interface BodySchema {
  properties: Record<string, object>
  additionalProperties?: unknown
}

/** Forbids unknown fields in all schemas that request bodies refer to, because the service refuses them. */
function closeRequestSchemas(paths: OpenAPIObject['paths'], schemas: Record<string, unknown>): void {
  const bodies = Object.values(paths).flatMap((item) =>
    Object.values(item as Record<string, unknown>).flatMap((each) =>
      isOperation(each) && each.requestBody ? [each.requestBody] : [],
    ),
  )
  const isClosed = new Set<string>()
  const close = (value: object) => {
    for (const [, name] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      const schema = schemas[name!] as BodySchema | undefined
      if (isClosed.has(name!) || !schema) continue
      isClosed.add(name!)
      if ('properties' in schema) schema.additionalProperties = false
      close(schema)
    }
  }
  close(bodies)
}

/** Returns the examples of body classes by the reference to their schema. */
function examplesBySchema(app: INestApplication): ReadonlyMap<string, object> {
  const scanner = new MetadataScanner()
  const types = app
    .get(DiscoveryService)
    .getControllers()
    .flatMap(({ metatype }) => {
      const prototype = (metatype as Type).prototype as object
      return scanner.getAllMethodNames(prototype).flatMap((name) => {
        const types: unknown = Reflect.getMetadata('design:paramtypes', prototype, name)
        return (types ?? []) as Type[]
      })
    })
  const examples = new Map<string, object>()
  for (const type of types) {
    const found = getExamples(type)
    if (found) examples.set(getSchemaPath(type), found)
  }
  return examples
}

/** Returns whether the body is required. A body whose fields are all optional is not. */
function needsBody(schema: unknown): boolean {
  return schema === undefined || (typeof schema === 'object' && schema !== null && 'required' in schema)
}

function listProblems(method: string, { security, parameters = [], requestBody }: Operation): ProblemCode[] {
  const has = (place: string) => parameters.some((parameter) => parameter.in === place)
  const codes: ProblemCode[] = ['bad_request', 'invalid_query']
  if (security?.length) codes.push('invalid_header')
  if (has('path')) codes.push('not_found')
  if (requestBody) codes.push('invalid_json', 'unsupported_media_type', 'validation_failed')
  // The server reads a body even if the operation has none.
  if (method !== 'get') codes.push('request_timeout', 'payload_too_large')
  if (parameters.some(({ name }) => name === 'Idempotency-Key'))
    codes.push('idempotency_in_progress', 'idempotency_mismatch', 'idempotency_unreadable')
  if (has('header') && ['delete', 'patch', 'put'].includes(method)) codes.push('precondition_failed')
  return [...codes, 'method_not_allowed', 'headers_too_large', 'internal_error', 'unavailable']
}

/** Sorts the operations of each path, and the paths by their first operation. Unlisted operations are last. */
function sortPaths(paths: OpenAPIObject['paths'], order: readonly string[]): OpenAPIObject['paths'] {
  const positions = new Map(order.map((id, index) => [id, index]))
  const getPosition = ({ operationId = '' }: { operationId?: string }) =>
    positions.get(operationId) ?? order.length
  const sorted = Object.entries(paths).map(([path, item]) => {
    const operations = Object.entries(item as Record<string, { operationId?: string }>)
    operations.sort(([, a], [, b]) => getPosition(a) - getPosition(b))
    return { path, operations, first: getPosition(operations[0]?.[1] ?? {}) }
  })
  sorted.sort((a, b) => a.first - b.first)
  return Object.fromEntries(sorted.map(({ path, operations }) => [path, Object.fromEntries(operations)]))
}

function sortSchemas(schemas: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)))
}

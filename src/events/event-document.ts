/** Describes events in the OpenAPI document: the schema of each type, and the requests to receivers (`webhooks`). */
import type { OpenAPIObject } from '@nestjs/swagger'

import type { OpenApiSchemas } from '../platform/http/openapi/openapi.js'
import { catalog, eventTypes } from './catalog.js'
import type { EventType } from './catalog.js'
import type { Schema } from './json-schema.js'
import { exampleEvent, payloads } from './payloads.js'

/** Schemas that response classes describe field by field. A test compares the payloads with them. */
const describedByClasses = new Set(['Link', 'Click', 'Token', 'TokenRestrictions', 'Import'])
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** Returns the schemas of all event types and of their data. */
export function eventSchemas(): OpenApiSchemas {
  const schemas: Record<string, object> = {}
  for (const type of eventTypes) schemas[getSchemaName(type)] = createEventSchema(type, schemas)
  return schemas
}

/** Returns `LinkCreatedEvent` for `link.created`. */
function getSchemaName(type: EventType): string {
  return `${pascalCase(type)}Event`
}

function pascalCase(type: EventType): string {
  return type.replace(/(^|\.)(\w)/g, (_match, _dot, letter: string) => letter.toUpperCase())
}

function createEventSchema(type: EventType, schemas: Record<string, object>): object {
  const { meaning } = catalog[type]
  const { schema } = payloads[type]
  const { id, timestamp } = exampleEvent(type)
  return {
    type: 'object',
    description: meaning,
    required: ['id', 'type', 'timestamp', 'data'],
    properties: {
      id: { type: 'string', description: 'ID of the event, the same for every attempt.', example: id },
      type: { type: 'string', const: type, description: 'Type of the event.', example: type },
      timestamp: {
        type: 'string',
        format: 'date-time',
        description: 'Time of the event.',
        example: timestamp,
      },
      data: liftNamed(schema, schemas),
    },
  }
}

/** Moves every named schema into `into`, and leaves a reference in its place. */
function liftNamed(schema: Schema, into: Record<string, object>): object {
  if ('anyOf' in schema)
    return {
      ...schema,
      anyOf: [liftNamed(schema.anyOf[0], into), schema.anyOf[1]],
    }
  if (schema.type === 'array') return { ...schema, items: liftNamed(schema.items, into) }
  if (schema.type !== 'object') return schema
  const { title, ...unnamed } = schema
  const properties = Object.entries(schema.properties).map(([name, part]) => [name, liftNamed(part, into)])
  const lifted = { ...unnamed, properties: Object.fromEntries(properties) as object }
  if (title === undefined) return lifted
  if (!describedByClasses.has(title)) into[title] = lifted
  return reference(title)
}

/** Not the tag of the operations that read events: generators write one class for each tag. */
export const webhookTag = 'Webhook requests'

type Webhooks = NonNullable<OpenAPIObject['webhooks']>
type WebhookOperation = NonNullable<Webhooks[string]['post']>

const introduction = `
Sent as a signed POST request. Respond with a 2xx status within 15 seconds.
Any other response, or none, counts as a failure, and the event is retried for about three days. Events may arrive more
than once and in any order: use \`webhook-id\` to detect duplicates and \`webhook-sequence\` to restore the order.
`
  .trim()
  .replaceAll('\n', ' ')

/** The headers of requests to receivers that the service adds. */
export const requestHeaders = [
  header(
    'webhook-id',
    'ID of the event, the same for every attempt. Use it to detect duplicates.',
    exampleEvent('click').id,
  ),
  header(
    'webhook-timestamp',
    'Time of the attempt in Unix seconds. Reject requests that are more than a few minutes old.',
    '1769857200',
  ),
  header(
    'webhook-signature',
    'Standard Webhooks signature: `v1,` followed by the base64 HMAC-SHA-256 of `webhook-id`, `webhook-timestamp` and the raw body, joined by dots. During a secret rotation there are several signatures, separated by spaces. Accept the request if one of them is valid.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
  header('webhook-attempt', 'Number of the attempt, starting at 1.', '1'),
  header(
    'webhook-sequence',
    'Position of the delivery among all deliveries of the webhook, starting at 1 and without gaps. Absent for tests.',
    '42',
    false,
  ),
  header(
    'traceparent',
    'W3C Trace Context of the attempt. Only with `WEBHOOK_TRACEPARENT=true`.',
    '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    false,
  ),
]

/** Returns the `webhooks` of the document, one entry for each event type. */
export function eventWebhooks(): Webhooks {
  return Object.fromEntries(eventTypes.map((type) => [type, { post: createWebhookOperation(type) }]))
}

function createWebhookOperation(type: EventType): WebhookOperation {
  const { meaning } = catalog[type]
  const example = exampleEvent(type)
  return {
    operationId: `on${pascalCase(type)}`,
    summary: meaning,
    description: introduction,
    tags: [webhookTag],
    parameters: requestHeaders,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { $ref: `#/components/schemas/${getSchemaName(type)}` },
          example,
        },
      },
    },
    // Receivers check the signature, not a bearer token.
    security: [],
    responses: { '2XX': { description: 'Received. The response body is ignored.' } },
  }
}

function header(name: string, description: string, example: string, required = true) {
  return { name, in: 'header' as const, required, description, schema: { type: 'string' as const }, example }
}

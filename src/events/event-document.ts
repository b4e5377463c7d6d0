/** Events in the OpenAPI document: as schemas, and as what receivers are sent. */
import type { OpenAPIObject } from '@nestjs/swagger'

import type { OpenApiSchemas } from '../platform/http/openapi/openapi.js'
import { catalogue, eventTypes } from './catalogue.js'
import type { EventType } from './catalogue.js'
import type { Schema } from './json-schema.js'
import { exampleEvent, payloads } from './payloads.js'

/** The classes of answers describe these schemas, field by field. A test compares the payloads with them. */
const describedByAnswers = new Set(['Link', 'Click'])
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** The schemas of all types and of their data, and their union, in which `type` tells them apart. */
export function eventSchemas(): OpenApiSchemas {
  const schemas: Record<string, object> = {}
  for (const type of eventTypes) schemas[schemaOf(type)] = eventOf(type, schemas)
  const oneOf = eventTypes.map((type) => reference(schemaOf(type)))
  const event = {
    description:
      'Something that happened. `type` says what, and so what `data` has. More types may be added.',
    oneOf,
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(eventTypes.map((type) => [type, reference(schemaOf(type)).$ref])),
    },
  }
  const deliveries = {
    type: 'object',
    required: ['deliveries'],
    properties: {
      deliveries: {
        type: 'array',
        items: reference('DeliverySummary'),
        description: 'One for each webhook that it goes to, and one more for each replay.',
      },
    },
  }
  const eventWithDeliveries = {
    description: 'An event, and what became of it.',
    // This is not a reference to `Event`, because generators would take what has one for one more type of the union.
    allOf: [{ oneOf }, deliveries],
  }
  return { ...schemas, Event: event, EventWithDeliveries: eventWithDeliveries }
}

/** `LinkCreatedEvent` for `link.created`. */
function schemaOf(type: EventType): string {
  return `${pascalCase(type)}Event`
}

function pascalCase(type: EventType): string {
  return type.replace(/(^|\.)(\w)/g, (_match, _dot, letter: string) => letter.toUpperCase())
}

function eventOf(type: EventType, schemas: Record<string, object>): object {
  const { meaning } = catalogue[type]
  const { schema } = payloads[type]
  const { id, timestamp } = exampleEvent(type)
  return {
    type: 'object',
    description: meaning,
    required: ['id', 'type', 'timestamp', 'data'],
    properties: {
      id: { type: 'string', description: 'Its id: the same at every attempt to send it.', example: id },
      type: { type: 'string', const: type, description: 'What happened.', example: type },
      timestamp: {
        type: 'string',
        format: 'date-time',
        description: 'When it happened.',
        example: timestamp,
      },
      data: liftNamed(schema, schemas),
    },
  }
}

/** Moves every schema that has a name into `into`, and leaves a reference in its place. */
function liftNamed(schema: Schema, into: Record<string, object>): object {
  if ('anyOf' in schema)
    return {
      ...schema,
      anyOf: [liftNamed(schema.anyOf[0], into), schema.anyOf[1]],
    }
  if (schema.type === 'array') return { ...schema, items: liftNamed(schema.items, into) }
  if (schema.type !== 'object') return schema
  const { title, ...rest } = schema
  const properties = Object.entries(schema.properties).map(([name, part]) => [name, liftNamed(part, into)])
  const lifted = { ...rest, properties: Object.fromEntries(properties) as object }
  if (title === undefined) return lifted
  if (!describedByAnswers.has(title)) into[title] = lifted
  return reference(title)
}

type Webhooks = NonNullable<OpenAPIObject['webhooks']>
type WebhookOperation = NonNullable<Webhooks[string]['post']>

const introduction = `
Sent by POST to the address of every webhook that subscribes to it. Answer with any 2xx within 15 seconds; whatever else
comes, or does not, is a failure, and the same event is sent again later, for about three days. An event may come more
than once and in any order: tell repetitions by \`webhook-id\`, and the order by \`webhook-sequence\`.
`
  .trim()
  .replaceAll('\n', ' ')

const requestHeaders = [
  header(
    'webhook-id',
    "The event's id, the same at every attempt: to tell repetitions by.",
    exampleEvent('click').id,
  ),
  header(
    'webhook-timestamp',
    'When this attempt was made, in Unix seconds. Refuse what is minutes old.',
    '1769857200',
  ),
  header(
    'webhook-signature',
    'Standard Webhooks: `v1,` and the base64 of HMAC-SHA-256 over `webhook-id`, `webhook-timestamp` and the body as it came, joined by dots. While a secret is rotated there are several, separated by spaces: accept the request when one is right.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
  header('webhook-attempt', 'Which attempt this is, from 1.', '1'),
  header(
    'webhook-sequence',
    'The place of the delivery among all of its webhook, from 1 and without gaps. A test has none.',
    '42',
    false,
  ),
]

/** The `webhooks` of the document: what receivers are sent, one entry for each type of event. */
export function eventWebhooks(): Webhooks {
  return Object.fromEntries(eventTypes.map((type) => [type, { post: operationOf(type) }]))
}

function operationOf(type: EventType): WebhookOperation {
  const { meaning } = catalogue[type]
  const example = exampleEvent(type)
  return {
    operationId: `on${pascalCase(type)}`,
    summary: meaning,
    description: introduction,
    tags: ['Events'],
    parameters: requestHeaders,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { $ref: `#/components/schemas/${schemaOf(type)}` },
          example,
        },
      },
    },
    // Receivers check the signature, and no bearer.
    security: [],
    responses: { '2XX': { description: 'Received. The body of the answer does not matter.' } },
  }
}

function header(name: string, description: string, example: string, required = true) {
  return { name, in: 'header' as const, required, description, schema: { type: 'string' as const }, example }
}

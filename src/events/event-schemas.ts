/** Events in the OpenAPI document: a schema for each type, what they carry, and their union, told apart by `type`. */
import type { OpenAPIObject } from '@nestjs/swagger'

import { catalogue, eventTypes } from './catalogue.js'
import type { EventType } from './catalogue.js'
import { exampleEvent } from './example-event.js'
import type { Schema } from './json-schema.js'

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>

/** The classes of answers describe these, field by field; a test holds the payloads to them. */
const describedByAnswers = new Set(['Link', 'Click'])
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` })

export function eventSchemas(): Schemas {
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
    // Not a reference to `Event`: generators take what refers to a discriminated union for one more of its types.
    allOf: [{ oneOf }, deliveries],
  }
  return { ...schemas, Event: event, EventWithDeliveries: eventWithDeliveries }
}

/** `LinkCreatedEvent` for `link.created`. */
export function schemaOf(type: EventType): string {
  return `${pascalCase(type)}Event`
}

export function pascalCase(type: EventType): string {
  return type.replace(/(^|\.)(\w)/g, (_match, _dot, letter: string) => letter.toUpperCase())
}

function eventOf(type: EventType, schemas: Record<string, object>): object {
  const { meaning, schema } = catalogue[type]
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

/** Puts what has a name among the schemas, and a reference in its place. */
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

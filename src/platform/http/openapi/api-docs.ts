/** Decorators that describe routes in the OpenAPI document. */
import type { Type } from '@nestjs/common'
import {
  ApiCreatedResponse,
  ApiExtension,
  ApiOkResponse,
  ApiParam,
  ApiProperty,
  ApiSchema,
  getSchemaPath,
} from '@nestjs/swagger'
import type { OpenAPIObject } from '@nestjs/swagger'

import { encodeId, idPattern } from '../../database/ids.js'
import type { IdPrefix, IdPrefixes } from '../../database/ids.js'
import { headers } from './openapi-headers.js'
import type { ProblemCode } from '../../../problems.js'

interface RouteNote {
  problems?: readonly ProblemCode[]
  sentence?: string
}

const notePrefix = 'x-route-note-'
const noteCounts = new WeakMap<object, number>()

/** Adds a note as an extension of the operation. openapi.ts removes it from the document. */
function AddNote(note: RouteNote): MethodDecorator {
  return (target, key, descriptor) => {
    const handler = descriptor.value as object
    const count = noteCounts.get(handler) ?? 0
    noteCounts.set(handler, count + 1)
    ApiExtension(`${notePrefix}${count}`, note)(target, key, descriptor)
  }
}

/** Removes the notes of an operation and returns them in source order. Decorators run from last to first. */
export function takeNotes(operation: Record<string, unknown>): RouteNote[] {
  const notes: RouteNote[] = []
  for (let count = 0; operation[`${notePrefix}${count}`]; count++) {
    notes.unshift(operation[`${notePrefix}${count}`] as RouteNote)
    Reflect.deleteProperty(operation, `${notePrefix}${count}`)
  }
  return notes
}

/** Declares errors of a route, in addition to those of its parameters, body and headers. */
export function ApiProblems(...problems: ProblemCode[]): MethodDecorator {
  return AddNote({ problems })
}

/** Adds a sentence to the description of a route. */
export function DescribedBy(sentence: string): MethodDecorator {
  return AddNote({ sentence })
}

/** Two valid bodies, one with the required fields and one with all fields: the static `examples` of a body's class. */
export interface BodyExamples<Body> {
  minimal: Body
  full: Body
}

type Examples = NonNullable<NonNullable<OpenAPIObject['components']>['examples']>

/** Returns the examples of a body's class, if it has any. */
export function getExamples(type: Type): Examples | undefined {
  const { examples } = type as { examples?: BodyExamples<unknown> }
  return (
    examples && {
      minimal: { summary: 'Minimal request', value: examples.minimal },
      full: { summary: 'Full request', value: examples.full },
    }
  )
}

interface NamedEnum {
  type: 'string'
  description: string
  enum?: readonly string[]
  'x-extensible-enum'?: readonly string[]
  /** The descriptions of the values, in the same order. */
  'x-enum-descriptions'?: readonly string[]
}

export const namedEnums = new Map<string, NamedEnum>()

type Descriptions<Values extends readonly string[]> = Readonly<Record<Values[number], string>>

/**
 * Returns the options of `@ApiProperty` for an enum that never gets new values. The enum becomes a named schema.
 * Descriptions of the values are a list in the description of the schema, for readers, and an extension, for programs.
 */
export function enumSchema<const Values extends readonly string[]>(
  enumName: string,
  description: string,
  values: Values,
  valueDescriptions?: Descriptions<Values>,
): { enum: Values; enumName: string } {
  namedEnums.set(enumName, {
    ...describeEnum(description, values, valueDescriptions),
    enum: values,
  })
  return { enum: values, enumName }
}

/** Like `enumSchema`, for an enum that will get new values. The schema accepts any string, and lists the known values. */
export function openEnumSchema<const Values extends readonly string[]>(
  enumName: string,
  description: string,
  values: Values,
  valueDescriptions?: Descriptions<Values>,
): { enum: Values; enumName: string } {
  namedEnums.set(enumName, createOpenEnum(description, values, valueDescriptions))
  return { enum: values, enumName }
}

export function createOpenEnum<Values extends readonly string[]>(
  description: string,
  values: Values,
  valueDescriptions?: Descriptions<Values>,
): NamedEnum {
  const known = valueDescriptions
    ? 'Known values:'
    : `Known values: ${values.map((value) => `\`${value}\``).join(', ')}.`
  return {
    ...describeEnum(`${description} New values may be added. ${known}`, values, valueDescriptions),
    'x-extensible-enum': values,
  }
}

function describeEnum<Values extends readonly string[]>(
  description: string,
  values: Values,
  valueDescriptions?: Descriptions<Values>,
): NamedEnum {
  if (!valueDescriptions) return { type: 'string', description }
  const descriptions = values.map((value: Values[number]) => valueDescriptions[value])
  const list = values.map((value, index) => `* \`${value}\`: ${descriptions[index]}`)
  return {
    type: 'string',
    description: `${description}\n\n${list.join('\n')}`,
    'x-enum-descriptions': descriptions,
  }
}

/** A count that may outgrow 32 bits: generators map `int64` to a type that is large enough. */
export const count = { type: 'integer', format: 'int64', minimum: 0 } as const

const etag = headers('ETag')

/** Responds with a resource and its ETag. */
export function ApiOk(type: Type): MethodDecorator {
  return ApiOkResponse({ type, headers: etag, description: 'Success.' })
}

export function ApiCreated(type: Type): MethodDecorator {
  return ApiCreatedResponse({ type, headers: { ...etag, ...headers('Location') }, description: 'Created.' })
}

export function ApiPage(type: Type): MethodDecorator {
  return ApiOkResponse({
    type: createPageType(type),
    headers: headers('Link'),
    description: 'A page of results.',
  })
}

/** Returns the schema of a list, which is named after its items: `LinkPage` for `Link`. */
function createPageType(type: Type): Type {
  const name = getSchemaPath(type).split('/').at(-1)!

  @ApiSchema({
    name: `${name}Page`,
    description: `A page of \`${name}\` objects.`,
  })
  class ListPage {
    @ApiProperty({ type, isArray: true, description: 'Items on this page.' })
    data!: object[]

    @ApiProperty({ description: 'Whether more items follow this page.', example: false })
    has_more!: boolean

    @ApiProperty({
      type: String,
      nullable: true,
      description: 'Cursor of the next page. Null if there is none.',
      example: null,
    })
    next_cursor!: string | null
  }
  return ListPage
}

export function ApiId<Prefix extends IdPrefix>(
  prefix: Prefix,
  thing: IdPrefixes[Prefix],
  name = 'id',
): MethodDecorator {
  return ApiParam({
    name,
    description: `ID of the ${thing}.`,
    schema: {
      type: 'string',
      pattern: idPattern(prefix),
      example: encodeId(prefix, '019aa43d-a7e4-7a23-b50f-a7a0985699ae'),
    },
  })
}

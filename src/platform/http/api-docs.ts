/** What the OpenAPI document says of answers, said once. */
import { applyDecorators } from '@nestjs/common'
import type { Type } from '@nestjs/common'
import {
  ApiCreatedResponse,
  ApiExtension,
  ApiExtraModels,
  ApiOkResponse,
  ApiParam,
  getSchemaPath,
} from '@nestjs/swagger'

import { encodeId } from '../database/ids.js'
import type { IdPrefix, IdPrefixes } from '../database/ids.js'
import type { ProblemCode } from './problems.js'

interface RouteNote {
  problems?: readonly ProblemCode[]
  sentence?: string
}

const notePrefix = 'x-route-note-'
const noteCounts = new WeakMap<object, number>()

/** Notes travel through the document, each as an extension of its operation; openapi.ts takes them out of it. */
function AddNote(note: RouteNote): MethodDecorator {
  return (target, key, descriptor) => {
    const handler = descriptor.value as object
    const count = noteCounts.get(handler) ?? 0
    noteCounts.set(handler, count + 1)
    ApiExtension(`${notePrefix}${count}`, note)(target, key, descriptor)
  }
}

/** The notes of an operation, in the order in which its decorators are written: they run from the last to the first. */
export function takeNotes(operation: Record<string, unknown>): RouteNote[] {
  const notes: RouteNote[] = []
  for (let count = 0; operation[`${notePrefix}${count}`]; count++) {
    notes.unshift(operation[`${notePrefix}${count}`] as RouteNote)
    Reflect.deleteProperty(operation, `${notePrefix}${count}`)
  }
  return notes
}

/** Problems of this route, beside those that follow from its parameters, its body and its headers. */
export function Answers(...problems: ProblemCode[]): MethodDecorator {
  return AddNote({ problems })
}

/** A sentence at the end of the description. */
export function DescribedBy(sentence: string): MethodDecorator {
  return AddNote({ sentence })
}

const etag = { ETag: { description: 'The version, for If-Match.', schema: { type: 'string' as const } } }

export function ApiOk(type: Type): MethodDecorator {
  return ApiOkResponse({ type, headers: etag, description: 'Found.' })
}

export function ApiCreated(type: Type): MethodDecorator {
  return ApiCreatedResponse({
    type,
    description: 'Made.',
    headers: {
      ...etag,
      Location: { description: 'Where it can be read.', schema: { type: 'string' } },
      'Idempotent-Replayed': {
        description: '`true` when this is the first answer to the key again.',
        schema: { type: 'string' },
      },
    },
  })
}

export function ApiPage(type: Type): MethodDecorator {
  return applyDecorators(
    ApiExtraModels(type),
    ApiOkResponse({
      description: 'One page.',
      headers: {
        Link: { description: 'The address of the next page, as rel="next".', schema: { type: 'string' } },
      },
      schema: {
        type: 'object',
        required: ['data', 'has_more', 'next_cursor'],
        properties: {
          data: { type: 'array', items: { $ref: getSchemaPath(type) } },
          has_more: { type: 'boolean', example: false },
          next_cursor: { type: 'string', nullable: true, example: null },
        },
      },
    }),
  )
}

export function ApiId<Prefix extends IdPrefix>(
  prefix: Prefix,
  thing: IdPrefixes[Prefix],
  name = 'id',
): MethodDecorator {
  return ApiParam({
    name,
    description: `The id of the ${thing}.`,
    example: encodeId(prefix, '019aa43d-a7e4-7a23-b50f-a7a0985699ae'),
  })
}

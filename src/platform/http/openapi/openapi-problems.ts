/** Errors in the OpenAPI document: their schema, an example of each, and which of them an operation answers with. */
import type { OpenAPIObject } from '@nestjs/swagger'

import { headersOf } from './openapi-headers.js'
import { Problem } from '../problems/problem.js'
import type { ProblemKind } from '../problems/problems.js'

type Components = NonNullable<OpenAPIObject['components']>

/** One answer for each status. It names the codes that it may have. */
export function problemResponses(kinds: readonly ProblemKind[], isAuthenticated: boolean) {
  const statuses = [...new Set(kinds.map(({ status }) => status))].sort()
  return Object.fromEntries(
    statuses.map((status) => {
      const these = [...new Map(kinds.map((kind) => [kind.code, kind])).values()].filter(
        (kind) => kind.status === status,
      )
      const response = {
        description: these.map(({ code, title }) => `\`${code}\`: ${title}.`).join(' '),
        headers: headersOf(status, isAuthenticated),
        content: {
          'application/problem+json': {
            schema: { $ref: '#/components/schemas/Problem' },
            examples: Object.fromEntries(
              these.map(({ code }) => [code, { $ref: `#/components/examples/${code}` }]),
            ),
          },
        },
      }
      return [String(status), response]
    }),
  )
}

/** An example of every problem, by its code. */
export function problemExamples(
  kinds: readonly ProblemKind[],
  publicUrl: string,
): NonNullable<Components['examples']> {
  return Object.fromEntries(
    kinds.map((kind) => [
      kind.code,
      { summary: kind.title, value: exampleProblem(kind).toBody(publicUrl, 'k3Jv0Qf2aLx91') },
    ]),
  )
}

/** An example with the members that this kind has besides the standard ones. */
export function exampleProblem(kind: ProblemKind): Problem {
  return new Problem(kind, { detail: `${kind.title}.`, more: { ...kind.members } })
}

/** What the document says of errors. */
export interface ProblemDescription {
  kinds: readonly ProblemKind[]
  /** The meaning of each code of a wrong field. */
  fieldErrors: Readonly<Record<string, string>>
  /** Schemas of the members that some kinds have beside the standard ones. */
  members: Record<string, object>
}

export function problemSchemas({ kinds, fieldErrors, members }: ProblemDescription) {
  const catalogue = Object.entries(fieldErrors)
    .map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
    .join('\n')
  return {
    Problem: {
      type: 'object',
      description: 'An error, after RFC 9457. `code` is stable; the texts are for people and may change.',
      required: ['type', 'title', 'status', 'detail', 'instance', 'code'],
      properties: {
        type: {
          type: 'string',
          format: 'uri',
          description: 'A page with cause and remedy.',
          example: 'http://localhost:3000/errors/validation_failed',
        },
        title: { type: 'string', description: 'What this code means.', example: 'The input is not valid' },
        status: { type: 'integer', description: 'The HTTP status.', example: 422 },
        detail: {
          type: 'string',
          description: 'What happened this time.',
          example: 'The input is not valid.',
        },
        instance: { type: 'string', description: 'The id of the request.', example: 'k3Jv0Qf2aLx91' },
        code: { $ref: '#/components/schemas/ProblemCode' },
        errors: {
          type: 'array',
          items: { $ref: '#/components/schemas/InputError' },
          description: 'Every wrong place in the input.',
        },
        ...members,
      },
      additionalProperties: true,
    },
    ProblemCode: {
      type: 'string',
      description: 'Which error it is, for programs. More may be added.',
      enum: kinds.map(({ code }) => code),
    },
    InputError: {
      type: 'object',
      description: 'One wrong place in the input: `pointer`, `parameter` or `header` says where.',
      required: ['code', 'detail'],
      properties: {
        pointer: {
          type: 'string',
          description: 'A field of the body, as a JSON pointer.',
          example: '/enabled',
        },
        parameter: { type: 'string', description: 'A query parameter.', example: 'limit' },
        header: { type: 'string', description: 'A request header.', example: 'Idempotency-Key' },
        code: { $ref: '#/components/schemas/FieldErrorCode' },
        detail: {
          type: 'string',
          description: 'What to write instead.',
          example: 'Write true or false, without quotes.',
        },
      },
    },
    FieldErrorCode: {
      type: 'string',
      description: `What is wrong with a field, for programs. More may be added.\n\n${catalogue}`,
      enum: Object.keys(fieldErrors),
      example: 'invalid_flag',
    },
  }
}

/** Errors in the OpenAPI document: their schema, an example of each, and which of them an operation answers with. */
import type { OpenAPIObject } from '@nestjs/swagger'

import type { RunningSettings } from '../../config/settings.js'
import { fieldErrors } from '../input/field-errors.js'
import { headersOf } from './openapi-headers.js'
import { Problem } from '../problems/problem.js'
import { problems } from '../problems/problems.js'
import type { ProblemCode } from '../problems/problems.js'

type Components = NonNullable<OpenAPIObject['components']>

/** One answer for each status. It names the codes that it may have. */
export function problemResponses(codes: readonly ProblemCode[], isAuthenticated: boolean) {
  const statuses = [...new Set(codes.map((code) => problems[code].status))].sort()
  return Object.fromEntries(
    statuses.map((status) => {
      const these = [...new Set(codes)].filter((code) => problems[code].status === status)
      const response = {
        description: these.map((code) => `\`${code}\`: ${problems[code].title}.`).join(' '),
        headers: headersOf(status, isAuthenticated),
        content: {
          'application/problem+json': {
            schema: { $ref: '#/components/schemas/Problem' },
            examples: Object.fromEntries(
              these.map((code) => [code, { $ref: `#/components/examples/${code}` }]),
            ),
          },
        },
      }
      return [String(status), response]
    }),
  )
}

/** An example of every problem, by its code. */
export function problemExamples({ publicUrl }: RunningSettings): NonNullable<Components['examples']> {
  return Object.fromEntries(
    (Object.keys(problems) as ProblemCode[]).map((code) => [
      code,
      { summary: problems[code].title, value: exampleProblem(code).toBody(publicUrl, 'k3Jv0Qf2aLx91') },
    ]),
  )
}

/** An example with the members that this code has besides the standard ones. */
export function exampleProblem(code: ProblemCode): Problem {
  const { title, members } = problems[code] as (typeof problems)[ProblemCode] & { members?: object }
  return new Problem(code, { detail: `${title}.`, more: { ...members } })
}

const texts = (description: string, example: string[]) => ({
  type: 'array',
  items: { type: 'string' },
  description,
  example,
})

const catalogue = Object.entries(fieldErrors)
  .map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
  .join('\n')

export const problemSchemas = {
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
      detail: { type: 'string', description: 'What happened this time.', example: 'The input is not valid.' },
      instance: { type: 'string', description: 'The id of the request.', example: 'k3Jv0Qf2aLx91' },
      code: { $ref: '#/components/schemas/ProblemCode' },
      errors: {
        type: 'array',
        items: { $ref: '#/components/schemas/InputError' },
        description: 'Every wrong place in the input.',
      },
      required: texts('The scopes that the operation needs and the token lacks.', ['links:write']),
      granted: texts('The scopes that the token has.', ['links:read']),
      excess: { $ref: '#/components/schemas/ScopeExcess' },
      field: { type: 'string', description: 'The field whose value is taken.', example: 'slug' },
    },
    additionalProperties: true,
  },
  ProblemCode: {
    type: 'string',
    description: 'Which error it is, for programs. More may be added.',
    enum: Object.keys(problems),
  },
  InputError: {
    type: 'object',
    description: 'One wrong place in the input: `pointer`, `parameter` or `header` says where.',
    required: ['code', 'detail'],
    properties: {
      pointer: { type: 'string', description: 'A field of the body, as a JSON pointer.', example: '/scopes' },
      parameter: { type: 'string', description: 'A query parameter.', example: 'limit' },
      header: { type: 'string', description: 'A request header.', example: 'Idempotency-Key' },
      code: { $ref: '#/components/schemas/FieldErrorCode' },
      detail: {
        type: 'string',
        description: 'What to write instead.',
        example: 'Write a list of at least one of these scopes: links:read, links:write.',
      },
    },
  },
  FieldErrorCode: {
    type: 'string',
    description: `What is wrong with a field, for programs. More may be added.\n\n${catalogue}`,
    enum: Object.keys(fieldErrors),
    example: 'invalid_scopes',
  },
  ScopeExcess: {
    type: 'object',
    description: 'What a token was to give and does not have: scopes, or a time.',
    properties: {
      scopes: texts('The scopes that the calling token lacks.', ['tokens:write']),
      expires_at: {
        type: ['string', 'null'],
        format: 'date-time',
        description: 'The end that was asked for; null for none.',
        example: null,
      },
      latest: {
        type: 'string',
        format: 'date-time',
        description: 'When the calling token ends: the latest time that it can give.',
        example: '2026-03-02T12:00:00.000Z',
      },
    },
  },
}

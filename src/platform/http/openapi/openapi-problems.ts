/** Describes errors in the OpenAPI document: their schemas, examples and responses. */
import type { OpenAPIObject } from '@nestjs/swagger'

import { createOpenEnum } from './api-docs.js'
import { getResponseHeaders } from './openapi-headers.js'
import { Problem } from '../problems/problem.js'
import { fieldErrors } from '../../../field-errors.js'
import type { FieldErrorCode } from '../../../field-errors.js'
import { problems } from '../../../problems.js'
import type { ProblemCode } from '../../../problems.js'
import type { ProblemMember } from '../../../request-problems.js'

type Components = NonNullable<OpenAPIObject['components']>

const allCodes = Object.keys(problems) as ProblemCode[]

/** Returns one response for each status. Its description lists the possible codes. */
export function problemResponses(codes: readonly ProblemCode[], isAuthenticated: boolean) {
  const statuses = [...new Set(codes.map((code) => problems[code].status))].sort()
  return Object.fromEntries(
    statuses.map((status) => {
      const these = [...new Set(codes)].filter((code) => problems[code].status === status)
      const response = {
        description: these.map((code) => `\`${code}\`: ${problems[code].title}.`).join(' '),
        headers: getResponseHeaders(status, isAuthenticated),
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

/** Returns an example of every problem, by its code. */
export function problemExamples(publicUrl: string): NonNullable<Components['examples']> {
  return Object.fromEntries(
    allCodes.map((code) => [
      code,
      { summary: problems[code].title, value: exampleProblem(code).toBody(publicUrl, 'k3Jv0Qf2aLx91') },
    ]),
  )
}

/** Returns an example that includes the additional members of this problem. */
export function exampleProblem(code: ProblemCode): Problem {
  const { title, errors, members = {} } = problems[code]
  const examples = Object.entries(members).map(([name, { example }]) => [name, example] as const)
  return new Problem(code, {
    detail: `${title}.`,
    more: { ...(errors ? { errors } : {}), ...Object.fromEntries(examples) },
  })
}

/** Returns the schemas of the additional members that some problems have. */
function memberSchemas(): Record<string, object> {
  const members = allCodes.flatMap((code) => Object.entries(problems[code].members ?? {}))
  return Object.fromEntries(members.map(([name, member]) => [name, toMemberSchema(member)]))
}

/** Returns a reference without siblings, because older generators ignore them. */
function toMemberSchema(member: ProblemMember): object {
  return '$ref' in member ? { $ref: member['$ref'] } : member
}

export function problemSchemas() {
  return {
    Problem: {
      type: 'object',
      description: 'An error in the format of RFC 9457. `code` is stable; the messages may change.',
      required: ['type', 'title', 'status', 'detail', 'instance', 'code'],
      properties: {
        type: {
          type: 'string',
          format: 'uri',
          description: 'URL of a page that explains the error and how to fix it.',
          example: 'http://localhost:3000/errors/validation_failed',
        },
        title: {
          type: 'string',
          description: 'Short summary of the error, the same for every error with this code.',
          example: 'The input is not valid',
        },
        status: { type: 'integer', description: 'HTTP status code.', example: 422 },
        detail: {
          type: 'string',
          description: 'Explanation of this occurrence of the error.',
          example: 'The input is not valid.',
        },
        instance: { type: 'string', description: 'ID of the request.', example: 'k3Jv0Qf2aLx91' },
        code: { $ref: '#/components/schemas/ProblemCode' },
        errors: {
          type: 'array',
          items: { $ref: '#/components/schemas/InputError' },
          description: 'Every invalid field, parameter or header.',
        },
        ...memberSchemas(),
      },
      additionalProperties: true,
    },
    ProblemCode: createOpenEnum('Machine-readable error code.', allCodes),
    InputError: {
      type: 'object',
      description: 'An invalid field, parameter or header of the request.',
      required: ['code', 'detail'],
      properties: {
        pointer: {
          type: 'string',
          description: 'JSON pointer to the field in the request body.',
          example: '/enabled',
        },
        parameter: { type: 'string', description: 'Name of the query parameter.', example: 'limit' },
        header: { type: 'string', description: 'Name of the request header.', example: 'Idempotency-Key' },
        code: { $ref: '#/components/schemas/FieldErrorCode' },
        detail: {
          type: 'string',
          description: 'How to fix the value.',
          example: 'Must be true or false, without quotes.',
        },
      },
    },
    FieldErrorCode: createOpenEnum(
      'Machine-readable error code of a field.',
      Object.keys(fieldErrors) as FieldErrorCode[],
      fieldErrors,
    ),
  }
}

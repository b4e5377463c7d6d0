/** The headers of answers, each described once, and which of them an answer has. */
import type { OpenAPIObject } from '@nestjs/swagger'

type Headers = NonNullable<NonNullable<OpenAPIObject['components']>['headers']>

const text = { type: 'string' as const }

const headerComponents = {
  'X-Request-Id': {
    description: 'The id of the request: your own where you sent one, and in the log of the service.',
    schema: text,
    example: 'k3Jv0Qf2aLx91',
  },
  'Cache-Control': {
    description: 'Whether the answer may be kept. Answers of the API may not.',
    schema: text,
    example: 'no-store',
  },
  RateLimit: {
    description:
      'How many requests are left (`r`) for how many seconds (`t`), for each limit that counts you.',
    schema: text,
  },
  'RateLimit-Policy': {
    description:
      'How many requests (`q`) may be made in how many seconds (`w`). Absent where there is no limit.',
    schema: text,
  },
  'Retry-After': {
    description: 'After how many seconds to try again.',
    schema: { type: 'integer' as const, minimum: 1 },
    example: 2,
  },
  'WWW-Authenticate': {
    description: 'What is wrong with the credentials, and what they lack.',
    schema: text,
  },
  Allow: { description: 'The methods that work here.', schema: text, example: 'GET, HEAD' },
  ETag: {
    description: 'The version of the resource, for If-Match.',
    schema: text,
    example: '"Wk2c0x1V9kJ3p7Qm8sT4yZ5uB6n"',
  },
  'X-Robots-Tag': {
    description: 'Search engines are not to list this address.',
    schema: { type: 'string' as const, enum: ['noindex'] },
    example: 'noindex',
  },
  'X-Accel-Buffering': {
    description: '`no`: nginx passes on each piece at once, in place of gathering them.',
    schema: { type: 'string' as const, enum: ['no'] },
    example: 'no',
  },
  Location: {
    description: 'Where what was made is found.',
    schema: { type: 'string' as const, format: 'uri-reference' },
  },
  'Content-Disposition': {
    description: 'That it is a file, and the name to save it under.',
    schema: text,
  },
  Link: {
    description: 'The address of the next page, as `rel="next"`. Absent on the last one.',
    schema: text,
  },
  'Idempotent-Replayed': {
    description: '`true` when this is the first answer to the Idempotency-Key again. Absent otherwise.',
    schema: { type: 'string' as const, enum: ['true'] },
    example: 'true',
  },
} satisfies Headers

export type HeaderName = keyof typeof headerComponents

/** All headers for the document, some with an example that the service gives. */
export function headersWith(examples: Partial<Record<HeaderName, string>>): Headers {
  return Object.fromEntries(
    Object.entries<Headers[string]>(headerComponents).map(([name, header]) => {
      const example = examples[name as HeaderName]
      return [name, example === undefined ? header : { ...header, example }]
    }),
  )
}

/** References to headers, for an answer's `headers`. */
export function headers(...names: HeaderName[]): Headers {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** The headers of an answer with this status, besides those that its route declares. */
export function headersOf(status: number, isAuthenticated: boolean): Headers {
  const names: HeaderName[] = ['X-Request-Id', 'Cache-Control']
  // Requests of unknown callers are not counted.
  if (isAuthenticated && status !== 401) names.push('RateLimit', 'RateLimit-Policy')
  // A 409 may mean that the first request with an Idempotency-Key is still running.
  if ([409, 429, 503].includes(status)) names.push('Retry-After')
  if (isAuthenticated && [400, 401, 403].includes(status)) names.push('WWW-Authenticate')
  if (status === 405) names.push('Allow')
  return headers(...names)
}

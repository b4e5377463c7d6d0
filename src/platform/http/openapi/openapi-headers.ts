/** The headers of answers, each described once, and which of them an answer has. */
import type { OpenAPIObject } from '@nestjs/swagger'

type Headers = NonNullable<NonNullable<OpenAPIObject['components']>['headers']>

const text = { type: 'string' as const }

export const headerComponents = {
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
      'How many requests are left (`r`) for how many seconds (`t`), of the token and of its workspace.',
    schema: text,
    example: '"default";r=599;t=42, "workspace";r=5999;t=42',
  },
  'RateLimit-Policy': {
    description:
      'How many requests (`q`) may be made in how many seconds (`w`). Absent where there is no limit.',
    schema: text,
    example: '"default";q=600;w=60, "workspace";q=6000;w=60',
  },
  'Retry-After': {
    description: 'After how many seconds to try again.',
    schema: { type: 'integer' as const, minimum: 1 },
    example: 2,
  },
  'WWW-Authenticate': {
    description: 'What is wrong with the credentials, and which scope is missing.',
    schema: text,
    example: 'Bearer realm="link-service", error="invalid_token"',
  },
  Allow: { description: 'The methods that work here.', schema: text, example: 'GET, HEAD' },
  ETag: {
    description: 'The version of the resource, for If-Match.',
    schema: text,
    example: '"Wk2c0x1V9kJ3p7Qm8sT4yZ5uB6n"',
  },
  'X-Robots-Tag': {
    description: 'Search engines are not to list the short link.',
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
    example: '/api/v1/links/lnk_01kaj3v9z4f8hva3x7m2c5d6ne',
  },
  'Content-Disposition': {
    description: 'That it is a file, and the name to save it under.',
    schema: text,
    example: 'attachment; filename="links-2026-01-31.csv"',
  },
  Link: {
    description: 'The address of the next page, as `rel="next"`. Absent on the last one.',
    schema: text,
    example: '<http://localhost:3000/api/v1/links?cursor=bG5r.c2ln>; rel="next"',
  },
  'Idempotent-Replayed': {
    description: '`true` when this is the first answer to the Idempotency-Key again. Absent otherwise.',
    schema: { type: 'string' as const, enum: ['true'] },
    example: 'true',
  },
} satisfies Headers

export type HeaderName = keyof typeof headerComponents

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

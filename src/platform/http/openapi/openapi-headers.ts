/** Describes response headers, and which of them a response has. */
import type { OpenAPIObject } from '@nestjs/swagger'

type Headers = NonNullable<NonNullable<OpenAPIObject['components']>['headers']>

const text = { type: 'string' as const }

const headerComponents = {
  'X-Request-Id': {
    description: 'ID of the request, also found in the service logs. A valid ID sent by the client is kept.',
    schema: text,
    example: 'k3Jv0Qf2aLx91',
  },
  'Cache-Control': {
    description: 'Caching policy. API responses are not cacheable.',
    schema: text,
    example: 'no-store',
  },
  RateLimit: {
    description:
      'Remaining requests (`r`) and seconds until the window resets (`t`) for each limit that applies.',
    schema: text,
  },
  'RateLimit-Policy': {
    description:
      'Maximum number of requests (`q`) per window in seconds (`w`). Absent when there is no limit.',
    schema: text,
  },
  'Retry-After': {
    description: 'Seconds to wait before retrying.',
    schema: { type: 'integer' as const, minimum: 1 },
    example: 2,
  },
  'WWW-Authenticate': {
    description: 'Authentication scheme, error code, and missing scope.',
    schema: text,
  },
  Allow: { description: 'Methods that the URL supports.', schema: text, example: 'GET, HEAD' },
  ETag: {
    description: 'Version of the resource, for `If-Match`.',
    schema: text,
    example: '"Wk2c0x1V9kJ3p7Qm8sT4yZ5uB6n"',
  },
  'X-Robots-Tag': {
    description: 'Tells search engines not to index this URL.',
    schema: { type: 'string' as const, enum: ['noindex'] },
    example: 'noindex',
  },
  'X-Accel-Buffering': {
    description: '`no` disables response buffering in nginx.',
    schema: { type: 'string' as const, enum: ['no'] },
    example: 'no',
  },
  Location: {
    description: 'URL of the created resource.',
    schema: { type: 'string' as const, format: 'uri-reference' },
  },
  'Content-Disposition': {
    description: 'Marks the response as a download and suggests a file name.',
    schema: text,
  },
  Link: {
    description: 'URL of the next page, as `rel="next"`. Absent on the last page.',
    schema: text,
  },
  'Idempotent-Replayed': {
    description: '`true` when the response is replayed for a repeated `Idempotency-Key`. Absent otherwise.',
    schema: { type: 'string' as const, enum: ['true'] },
    example: 'true',
  },
} satisfies Headers

export type HeaderName = keyof typeof headerComponents

/** Returns all headers for the document, with examples of the service. */
export function createHeaders(examples: Partial<Record<HeaderName, string>>): Headers {
  return Object.fromEntries(
    Object.entries<Headers[string]>(headerComponents).map(([name, header]) => {
      const example = examples[name as HeaderName]
      return [name, example === undefined ? header : { ...header, example }]
    }),
  )
}

/** Returns references to headers, for the `headers` of a response. */
export function headers(...names: HeaderName[]): Headers {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** Returns the headers of a response by its status, in addition to those that its route declares. */
export function getResponseHeaders(status: number, isAuthenticated: boolean): Headers {
  const names: HeaderName[] = ['X-Request-Id', 'Cache-Control']
  // Unauthenticated requests are not counted.
  if (isAuthenticated && status !== 401) names.push('RateLimit', 'RateLimit-Policy')
  // A 409 may mean that the first request with an Idempotency-Key is still running.
  if ([409, 429, 503].includes(status)) names.push('Retry-After')
  if (isAuthenticated && [400, 401, 403].includes(status)) names.push('WWW-Authenticate')
  if (status === 405) names.push('Allow')
  return headers(...names)
}

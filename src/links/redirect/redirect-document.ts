/** The short links in the OpenAPI document. The framework does not answer them, so no decorator can describe them. */
import type { OpenAPIObject } from '@nestjs/swagger'

import { headers } from '../../platform/http/openapi/openapi-headers.js'
import { problemResponses } from '../../platform/http/openapi/openapi-problems.js'
import { slugPattern } from '../addresses.js'

const statuses = {
  301: 'Moved for good.',
  302: 'Found: the usual one.',
  307: 'Found, and the method stays.',
  308: 'Moved for good, and the method stays.',
}

/** `base` is the address that short links begin with. */
export function redirectPaths(base: string): OpenAPIObject['paths'] {
  return {
    '/{slug}': {
      get: {
        operationId: 'followLink',
        summary: 'Follow a short link',
        description:
          'Leads to the address of the link, with the status that the link has, and counts a click. A link that is disabled, has expired or was deleted is gone. Browsers get a page in place of an error in JSON.\n\nNeeds no token.',
        tags: ['Links'],
        servers: [{ url: base, description: 'The short links' }],
        security: [],
        parameters: [
          {
            name: 'slug',
            in: 'path',
            required: true,
            description: 'The `slug` of the link; case matters.',
            schema: { type: 'string', pattern: slugPattern },
            example: 'spring',
          },
        ],
        responses: {
          ...Object.fromEntries(Object.entries(statuses).map(([status, text]) => [status, redirect(text)])),
          ...problemResponses(['method_not_allowed', 'headers_too_large'], false),
          ...withPages(problemResponses(['not_found', 'gone', 'unavailable'], false)),
        },
      },
    },
  }
}

function withPages(responses: ReturnType<typeof problemResponses>) {
  const page = { schema: { type: 'string' as const, description: 'A page for people.' } }
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      {
        ...response,
        headers: { ...response.headers, ...headers('X-Robots-Tag') },
        content: { ...response.content, 'text/html': page },
      },
    ]),
  )
}

function redirect(description: string) {
  return { description, headers: headers('Location', 'X-Request-Id', 'Cache-Control', 'X-Robots-Tag') }
}

/** Describes short links in the OpenAPI document. The framework does not serve them, so there are no decorators. */
import type { OpenAPIObject } from '@nestjs/swagger'

import { headers } from '../../platform/http/openapi/openapi-headers.js'
import { problemResponses } from '../../platform/http/openapi/openapi-problems.js'
import { slugPattern } from '../urls.js'

const statuses = {
  301: 'Permanent redirect.',
  302: 'Temporary redirect. This is the default.',
  307: 'Temporary redirect that keeps the method.',
  308: 'Permanent redirect that keeps the method.',
}

/** `base` is the URL before the slug. */
export function redirectPaths(base: string): OpenAPIObject['paths'] {
  return {
    '/{slug}': {
      get: {
        operationId: 'followLink',
        summary: 'Follow a short link',
        description:
          'Redirects to the destination with the `redirect_status` of the link, and counts a click. Returns 410 for a link that is disabled, expired or deleted. Browsers get error pages instead of JSON.\n\nRequires no token.',
        tags: ['Links'],
        servers: [{ url: base, description: 'Short links' }],
        security: [],
        parameters: [
          {
            name: 'slug',
            in: 'path',
            required: true,
            description: 'The `slug` of the link, case-sensitive.',
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
  const page = { schema: { type: 'string' as const, description: 'An error page.' } }
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

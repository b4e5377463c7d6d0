/** The headers that follow from an answer's body: ETag, Location, and the link to the next page. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { RunningSettings } from '../config/settings.js'
import { entityTag } from './entity-tag.js'
import { FeedPage, Page } from './page.js'

/** `basePathOf` says under which path a caller sees the API. */
export function addResourceHeaders(
  fastify: FastifyInstance,
  settings: RunningSettings,
  basePathOf: (request: FastifyRequest) => string,
): void {
  fastify.addHook('preSerialization', (request, reply, body, done) => {
    if (body instanceof Page) linkNext(body, request, reply, settings)
    else if (isResource(body)) {
      const tag = entityTag(body)
      if (tag) void reply.header('etag', tag)
      const { location } = request.routeOptions.config
      if (location && [201, 202].includes(reply.statusCode))
        void reply.header('location', basePathOf(request) + location.replace(':id', body.id))
    }
    done(null, body)
  })
}

function linkNext(
  page: Page<unknown>,
  request: FastifyRequest,
  reply: FastifyReply,
  settings: RunningSettings,
): void {
  if (page.next_cursor === null || !page.has_more) return
  // A request line may name a host, which is the caller's word and no place to send anyone.
  const url = new URL(settings.publicUrl + request.originalUrl.replace(/^https?:\/\/[^/]*/i, ''))
  url.searchParams.set(page instanceof FeedPage ? 'after' : 'cursor', page.next_cursor)
  void reply.header('link', `<${url.href}>; rel="next"`)
}

function isResource(body: unknown): body is { id: string } {
  return typeof body === 'object' && body !== null && 'id' in body && typeof body.id === 'string'
}

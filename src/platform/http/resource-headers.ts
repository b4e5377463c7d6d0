/**
 * Response headers that follow from the body: ETag, Location, and the Link to the next page. Also the request headers
 * that contain an ETag: If-Match and If-None-Match.
 */
import { hash } from 'node:crypto'

import { createParamDecorator } from '@nestjs/common'
import type { ExecutionContext } from '@nestjs/common'
import { ApiHeader } from '@nestjs/swagger'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import { currentMs } from '../util/clock.js'
import type { RunningSettings } from '../../settings.js'
import { FeedPage, Page } from './input/page.js'
import { Problem } from './problems/problem.js'
import { dashboardApiPath, isFromDashboard, isFromPortal, originForm, portalApiPath } from './request.js'

/**
 * A response class with the fields that its ETag depends on. Counters and last-used times are excluded: they must not
 * make a conditional change fail.
 */
interface Versioned {
  readonly versionedBy: readonly string[]
}

export function createEntityTag(resource: object): string | null {
  const { versionedBy } = resource.constructor as Partial<Versioned>
  if (!versionedBy) return null
  let version = ''
  for (const name of versionedBy) version += `${String((resource as Record<string, unknown>)[name])}\n`
  return hashToEntityTag(version)
}

/** Returns the entity tag for a string. */
export function hashToEntityTag(text: string): string {
  return `"${hash('sha256', text, 'base64url').slice(0, 27)}"`
}

/** Returns the time of a change. It always increases, because it distinguishes versions. */
export function getNextVersionTime(before: Date, now = currentMs()): Date {
  return new Date(Math.max(now, before.getTime() + 1))
}

/** Throws if If-Match does not name the current version. `current` is null if there is no resource. */
export function requireMatch(ifMatch: string | undefined, current: object | null): void {
  if (ifMatch === undefined) return
  const named = ifMatch.split(',').map((tag) => tag.trim())
  if (current === null || !named.some((tag) => tag === '*' || tag === createEntityTag(current)))
    throw createChangedProblem()
}

/** Throws if If-None-Match names the current version, or `*` and there is a resource. */
export function requireNoMatch(ifNoneMatch: string | undefined, current: object | null): void {
  const tag = current && createEntityTag(current)
  if (tag !== null && isKnownTag(ifNoneMatch, tag))
    throw new Problem('precondition_failed', {
      detail:
        'The resource exists, and If-None-Match excludes it. To change the resource, leave out the header, or send the ETag in If-Match.',
    })
}

/** Returns whether If-None-Match contains the tag. A proxy may have made it a weak tag (`W/`). */
export function isKnownTag(ifNoneMatch: string | undefined, tag: string): boolean {
  const named = ifNoneMatch?.split(',').map((each) => each.trim().replace(/^W\//, ''))
  return named?.some((each) => each === '*' || each === tag) ?? false
}

function createChangedProblem(): Problem {
  return new Problem('precondition_failed', {
    detail:
      'The resource has changed since you read it. Read it again, then repeat the change with the new ETag in If-Match.',
  })
}

export const IfMatch = createHeaderDecorator(
  'If-Match',
  'ETag of the expected version. Returns 412 if the resource has changed.',
)

export const IfNoneMatch = createHeaderDecorator(
  'If-None-Match',
  'With `*`, the request only creates a resource. Returns 412 if the resource exists.',
)

/** Returns a decorator for the value of a request header. It also adds the header to the OpenAPI document. */
function createHeaderDecorator(name: string, description: string): () => ParameterDecorator {
  return createParamDecorator(
    (_: unknown, context: ExecutionContext) =>
      context.switchToHttp().getRequest<FastifyRequest>().headers[name.toLowerCase()],
    [
      (target, key) => {
        const method = key && Object.getOwnPropertyDescriptor(target, key)
        if (method)
          ApiHeader({ name, required: false, description, schema: { type: 'string' } })(target, key, method)
      },
    ],
  )
}

export function addResourceHeaders(fastify: FastifyInstance, settings: RunningSettings): void {
  fastify.addHook('preSerialization', (request, reply, body, done) => {
    if (body instanceof Page) addNextLink(body, request, reply, settings)
    else if (isResource(body)) {
      const tag = createEntityTag(body)
      if (tag) void reply.header('etag', tag)
      const { location } = request.routeOptions.config
      if (location && [201, 202].includes(reply.statusCode)) {
        void reply.header('location', getApiPath(request, settings) + location.replace(':id', body.id))
      }
    }
    done(null, body)
  })
}

/** Returns the path at which the caller reaches the API. */
function getApiPath(request: FastifyRequest, { basePath }: RunningSettings): string {
  if (!isFromDashboard(request)) return basePath
  return isFromPortal(request) ? portalApiPath : dashboardApiPath
}

function addNextLink(
  page: Page<unknown>,
  request: FastifyRequest,
  reply: FastifyReply,
  settings: RunningSettings,
): void {
  if (page.next_cursor === null || !page.has_more) return
  // A request line may contain a host, which the caller chose, so links must not use it.
  const url = new URL(settings.publicUrl + originForm(request.originalUrl))
  url.searchParams.set(page instanceof FeedPage ? 'after' : 'cursor', page.next_cursor)
  void reply.header('link', `<${url.href}>; rel="next"`)
}

function isResource(body: unknown): body is { id: string } {
  return typeof body === 'object' && body !== null && 'id' in body && typeof body.id === 'string'
}

/**
 * The headers that follow from an answer's body: ETag, Location, and the link to the next page. Also the request
 * headers that name an ETag: If-Match and If-None-Match.
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
import { dashboardApiPath, isFromDashboard, originForm } from './request.js'

/**
 * A class of answers names the fields that tell its versions apart. Counters and times of use are not among them: what
 * is only counted must not make somebody's careful change fail.
 */
interface Versioned {
  readonly versionedBy: readonly string[]
}

export function entityTag(resource: object): string | null {
  const { versionedBy } = resource.constructor as Partial<Versioned>
  if (!versionedBy) return null
  let version = ''
  for (const name of versionedBy) version += `${String((resource as Record<string, unknown>)[name])}\n`
  return tagOf(version)
}

/** An entity tag that is the same as long as the text is. */
export function tagOf(text: string): string {
  return `"${hash('sha256', text, 'base64url').slice(0, 27)}"`
}

/** The time of a change. Versions are told apart by it, so it grows even if two changes share a millisecond. */
export function timeOfNextVersion(before: Date, now = currentMs()): Date {
  return new Date(Math.max(now, before.getTime() + 1))
}

/** Checks If-Match: the caller must have seen the present version. `present` is null if there is no resource. */
export function requireMatch(ifMatch: string | undefined, present: object | null): void {
  if (ifMatch === undefined) return
  const named = ifMatch.split(',').map((tag) => tag.trim())
  if (present === null || !named.some((tag) => tag === '*' || tag === entityTag(present)))
    throw changedSince()
}

/** Whether If-None-Match names the tag of the answer. A proxy may have made it a weak tag (`W/`). */
export function isKnownTag(ifNoneMatch: string | undefined, tag: string): boolean {
  const named = ifNoneMatch?.split(',').map((each) => each.trim().replace(/^W\//, ''))
  return named?.some((each) => each === '*' || each === tag) ?? false
}

function changedSince(): Problem {
  return new Problem('precondition_failed', {
    detail:
      'The resource has changed since you read it. Read it again, then repeat the change with the new ETag in If-Match.',
  })
}

export const IfMatch = createParamDecorator(
  (_: unknown, context: ExecutionContext) =>
    context.switchToHttp().getRequest<FastifyRequest>().headers['if-match'],
  [
    (target, key) => {
      const method = key && Object.getOwnPropertyDescriptor(target, key)
      if (method)
        ApiHeader({
          name: 'If-Match',
          required: false,
          description: 'ETag of the expected version. Returns 412 if the resource has changed.',
          schema: { type: 'string' },
        })(target, key, method)
    },
  ],
)

export function addResourceHeaders(fastify: FastifyInstance, settings: RunningSettings): void {
  fastify.addHook('preSerialization', (request, reply, body, done) => {
    if (body instanceof Page) linkNext(body, request, reply, settings)
    else if (isResource(body)) {
      const tag = entityTag(body)
      if (tag) void reply.header('etag', tag)
      const { location } = request.routeOptions.config
      if (location && [201, 202].includes(reply.statusCode)) {
        const basePath = isFromDashboard(request) ? dashboardApiPath : settings.basePath
        void reply.header('location', basePath + location.replace(':id', body.id))
      }
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
  // A request line may name a host. The caller chose it, so no answer may send anyone there.
  const url = new URL(settings.publicUrl + originForm(request.originalUrl))
  url.searchParams.set(page instanceof FeedPage ? 'after' : 'cursor', page.next_cursor)
  void reply.header('link', `<${url.href}>; rel="next"`)
}

function isResource(body: unknown): body is { id: string } {
  return typeof body === 'object' && body !== null && 'id' in body && typeof body.id === 'string'
}

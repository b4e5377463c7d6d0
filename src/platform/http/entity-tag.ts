/** Versions of a resource: the ETag that an answer carries, and the If-Match that a change may ask for. */
import { hash } from 'node:crypto'

import { createParamDecorator } from '@nestjs/common'
import type { ExecutionContext } from '@nestjs/common'
import { ApiHeader } from '@nestjs/swagger'
import type { FastifyRequest } from 'fastify'

import { Problem } from './problem.js'

/**
 * A class of answers names the fields that tell its versions apart. Counters and times of use are not among them: a
 * click must not make somebody's careful change fail.
 */
interface Versioned {
  readonly versionedBy: readonly string[]
}

export function entityTag(resource: object): string | null {
  const { versionedBy } = resource.constructor as Partial<Versioned>
  if (!versionedBy) return null
  let version = ''
  for (const name of versionedBy) version += `${String((resource as Record<string, unknown>)[name])}\n`
  return `"${hash('sha256', version, 'base64url').slice(0, 27)}"`
}

/** Honours If-Match: the change goes on only when the caller has seen the present version. */
export function requireMatch(ifMatch: string | undefined, present: object): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  const named = ifMatch.split(',').map((tag) => tag.trim())
  if (!named.some((tag) => tag === entityTag(present))) throw new Problem('precondition_failed')
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
          description:
            'The ETag of the version that was read; the call is refused (412) when there is a newer one.',
          schema: { type: 'string' },
        })(target, key, method)
    },
  ],
)

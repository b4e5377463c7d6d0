/** Decorators that declare who may call a route. The service does not start if a route declares no access. */
import { applyDecorators } from '@nestjs/common'
import { ApiBearerAuth, ApiExtension } from '@nestjs/swagger'

import type { AuditService } from '../audit/audit.service.js'
import { ApiProblems, DescribedBy } from '../platform/http/openapi/api-docs.js'
import { Problem } from '../platform/http/problems/problem.js'
import { AddRouteConfig } from '../platform/http/route-config.js'
import { type Caller, challenge } from './caller.js'
import { createRestrictedProblem, recordRestricted } from './restricted-attempts.js'
import type { Scope } from './scopes.js'

export type Access = { kind: 'public' } | { kind: 'token' } | { kind: 'scope'; scopes: readonly Scope[] }

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Read by the authentication hook and the guard. */
    access?: Access
    narrowsToTags?: true
  }
}

/**
 * Declares that a route shows and changes only what belongs to links with one of `caller.tags`. Every other route
 * rejects tokens that are restricted to tags.
 */
export function NarrowsToTags(): MethodDecorator {
  return AddRouteConfig({ narrowsToTags: true })
}

function declareAccess(access: Access, ...decorators: MethodDecorator[]): MethodDecorator {
  return applyDecorators(
    AddRouteConfig({ access }),
    ApiExtension('x-required-scope', access.kind === 'scope' ? access.scopes.join(' ') : null),
    ...decorators,
  )
}

export function Public(): MethodDecorator {
  return declareAccess({ kind: 'public' }, DescribedBy('Requires no token.'))
}

export function AnyToken(): MethodDecorator {
  return declareAccess({ kind: 'token' }, NeedsToken(), DescribedBy('Accepts any valid token.'))
}

/** Requires all of these scopes. */
export function RequireScope(...scopes: [Scope, ...Scope[]]): MethodDecorator {
  const scopeList = `scope${scopes.length > 1 ? 's' : ''} \`${scopes.join('` and `')}\``
  return declareAccess(
    { kind: 'scope', scopes },
    ApiProblems('insufficient_scope'),
    NeedsToken(),
    DescribedBy(`Requires the ${scopeList}.`),
  )
}

function NeedsToken(): MethodDecorator {
  return applyDecorators(
    ApiBearerAuth(),
    ApiProblems(
      'unauthorized',
      'invalid_token',
      'token_expired',
      'token_revoked',
      'restricted',
      'rate_limited',
    ),
  )
}

/** Records the refusal in the audit log and throws `insufficient_scope`. An empty list rejects every caller. */
export async function refuseScopes(
  audit: AuditService,
  caller: Caller,
  missing: readonly Scope[],
): Promise<never> {
  const scope = missing.join(' ')
  await audit.recordWithoutTransaction(
    caller,
    'token.refused',
    { type: 'token', id: caller.tokenId },
    { required: scope || null, ...caller.operation() },
  )
  throw new Problem('insufficient_scope', {
    detail: createScopeDetail(missing),
    headers: {
      'www-authenticate': `${challenge}, error="insufficient_scope"${scope ? `, scope="${scope}"` : ''}`,
    },
    more: { required: missing, granted: caller.scopes },
  })
}

/** Records the refusal in the audit log and throws `restricted`, for a token that is restricted to tags. */
export async function refuseTags(audit: AuditService, caller: Caller, detail: string): Promise<never> {
  await recordRestricted(audit, caller, caller.tokenId, 'tags', caller.operation())
  throw createRestrictedProblem('tags', detail)
}

/** Runs the work, and records it in the audit log if it throws `restricted`. Use it outside transactions. */
export async function auditRefusal<T>(
  audit: AuditService,
  caller: Caller,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Problem && error.code === 'restricted')
      await recordRestricted(audit, caller, caller.tokenId, 'tags', caller.operation())
    throw error
  }
}

function createScopeDetail(missing: readonly Scope[]): string {
  if (missing.length === 0) return 'No token may call this operation.'
  return `This operation requires the scope${missing.length > 1 ? 's' : ''} ${missing.join(' and ')}.`
}

/**
 * What a route demands of its caller, and the refusal of callers that lack it. The start fails if a route declares no
 * access.
 */
import { applyDecorators } from '@nestjs/common'
import { ApiBearerAuth, ApiExtension } from '@nestjs/swagger'

import type { AuditService } from '../audit/audit.service.js'
import { Answers, DescribedBy } from '../platform/http/openapi/api-docs.js'
import { Problem } from '../platform/http/problems/problem.js'
import { AddRouteConfig } from '../platform/http/request.js'
import { type Caller, challenge } from './caller.js'
import type { Scope } from './scopes.js'

export type Access = { kind: 'public' } | { kind: 'token' } | { kind: 'scope'; scopes: readonly Scope[] }

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The hook that admits callers and the guards read this. */
    access?: Access
  }
}

function declare(needed: Access, ...more: MethodDecorator[]): MethodDecorator {
  return applyDecorators(
    AddRouteConfig({ access: needed }),
    ApiExtension('x-required-scope', needed.kind === 'scope' ? needed.scopes.join(' ') : null),
    ...more,
  )
}

export function Public(): MethodDecorator {
  return declare({ kind: 'public' }, DescribedBy('Needs no token.'))
}

export function AnyToken(): MethodDecorator {
  return declare({ kind: 'token' }, NeedsToken(), DescribedBy('Accepts any valid token.'))
}

/** The caller needs all of these scopes. */
export function RequireScope(...scopes: [Scope, ...Scope[]]): MethodDecorator {
  const inWords = `scope${scopes.length > 1 ? 's' : ''} \`${scopes.join('` and `')}\``
  return declare(
    { kind: 'scope', scopes },
    Answers('insufficient_scope'),
    NeedsToken(),
    DescribedBy(`Needs the ${inWords}.`),
  )
}

function NeedsToken(): MethodDecorator {
  return applyDecorators(
    ApiBearerAuth(),
    Answers('unauthorized', 'invalid_token', 'token_expired', 'token_revoked', 'rate_limited'),
  )
}

/** Refuses a call whose token lacks these scopes, and records the refusal. An empty list means that nobody may call. */
export async function refuseScopes(
  audit: AuditService,
  caller: Caller,
  missing: readonly Scope[],
): Promise<never> {
  const scope = missing.join(' ')
  await audit.note(
    caller,
    'token.refused',
    { type: 'token', id: caller.tokenId },
    { required: scope || null, ...caller.operation() },
  )
  throw new Problem('insufficient_scope', {
    detail: detailOf(missing),
    headers: {
      'www-authenticate': `${challenge}, error="insufficient_scope"${scope ? `, scope="${scope}"` : ''}`,
    },
    more: { required: missing, granted: caller.scopes },
  })
}

function detailOf(missing: readonly Scope[]): string {
  if (missing.length === 0) return 'This operation is open to nobody.'
  return `This operation needs the scope${missing.length > 1 ? 's' : ''} ${missing.join(' and ')}.`
}

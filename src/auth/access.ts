/**
 * What a route asks of its caller, and the answer to those who do not have it. Every route must say one of these; the
 * start fails otherwise.
 */
import { applyDecorators } from '@nestjs/common'
import { Reflector } from '@nestjs/core'
import { ApiBearerAuth, ApiExtension } from '@nestjs/swagger'

import type { AuditService } from '../audit/audit.service.js'
import { Problem } from '../http/problem.js'
import type { Caller } from './caller.js'
import { challenge } from './refusal.js'
import type { Scope } from './scopes.js'

export type Access = { kind: 'public' } | { kind: 'token' } | { kind: 'scope'; scopes: readonly Scope[] }

export const access = Reflector.createDecorator<Access>()

export function Public(): MethodDecorator {
  return applyDecorators(access({ kind: 'public' }), ApiExtension('x-required-scope', null))
}

/** Any valid token will do. */
export function AnyToken(): MethodDecorator {
  return applyDecorators(access({ kind: 'token' }), ApiBearerAuth(), ApiExtension('x-required-scope', null))
}

/** All of them, where there are several. */
export function RequireScope(...scopes: [Scope, ...Scope[]]): MethodDecorator {
  return applyDecorators(
    access({ kind: 'scope', scopes }),
    ApiBearerAuth(),
    ApiExtension('x-required-scope', scopes.join(' ')),
  )
}

/** Refuses a call whose token lacks these scopes; none of them: nobody may make it. The refusal is in the audit log. */
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

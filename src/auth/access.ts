/** What a route asks of its caller. Every route must say one of these; the start fails otherwise. */
import { applyDecorators } from '@nestjs/common'
import { Reflector } from '@nestjs/core'
import { ApiBearerAuth, ApiExtension } from '@nestjs/swagger'

import type { Scope } from './scopes.js'

export type Access = { kind: 'public' } | { kind: 'token' } | { kind: 'scope'; scope: Scope }

export const access = Reflector.createDecorator<Access>()

export function Public(): MethodDecorator {
  return applyDecorators(access({ kind: 'public' }), ApiExtension('x-required-scope', null))
}

/** Any valid token will do. */
export function AnyToken(): MethodDecorator {
  return applyDecorators(access({ kind: 'token' }), ApiBearerAuth(), ApiExtension('x-required-scope', null))
}

export function RequireScope(scope: Scope): MethodDecorator {
  return applyDecorators(
    access({ kind: 'scope', scope }),
    ApiBearerAuth(),
    ApiExtension('x-required-scope', scope),
  )
}

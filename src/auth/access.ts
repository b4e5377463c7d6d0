/** What a route asks of its caller. Every route must say one of these; the start fails otherwise. */
import { applyDecorators } from '@nestjs/common'
import { Reflector } from '@nestjs/core'
import { ApiBearerAuth, ApiExtension } from '@nestjs/swagger'

import { AddRouteConfig } from '../http/route-config.js'
import type { Scope } from './scopes.js'

export type Access = { kind: 'public' } | { kind: 'token' } | { kind: 'scope'; scope: Scope }

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
  }
}

/** For the guard. The hook that admits callers reads the same from the route's config. */
export const access = Reflector.createDecorator<Access>()

function declare(needed: Access, ...more: MethodDecorator[]): MethodDecorator {
  return applyDecorators(
    access(needed),
    AddRouteConfig({ access: needed }),
    ApiExtension('x-required-scope', needed.kind === 'scope' ? needed.scope : null),
    ...more,
  )
}

export function Public(): MethodDecorator {
  return declare({ kind: 'public' })
}

/** Any valid token will do. */
export function AnyToken(): MethodDecorator {
  return declare({ kind: 'token' }, ApiBearerAuth())
}

export function RequireScope(scope: Scope): MethodDecorator {
  return declare({ kind: 'scope', scope }, ApiBearerAuth())
}

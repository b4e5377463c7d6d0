import { applyDecorators, HttpCode, UseInterceptors } from '@nestjs/common'
import { ApiHeader } from '@nestjs/swagger'

import { IdempotencyInterceptor } from './idempotency.interceptor.js'
import { AddRouteConfig } from './route-config.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Where what the route makes is found afterwards, with `:id` in it. */
    location?: string
  }
}

/** A call that makes something: 201 with a Location, and safe to repeat with an Idempotency-Key. */
export function Creates(location: string): MethodDecorator {
  return applyDecorators(HttpCode(201), AddRouteConfig({ location }), Repeatable())
}

/** Safe to repeat with an Idempotency-Key: the handler does its work in `Idempotency.once`. */
export function Repeatable(): MethodDecorator {
  return applyDecorators(
    UseInterceptors(IdempotencyInterceptor),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        'Makes a repetition safe: for 24 hours the same key, such as a UUID, and the same body get the first answer again. A refusal does not use up the key.',
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
    }),
  )
}

import { RouteConfig } from '@nestjs/platform-fastify'
import type { FastifyContextConfig } from 'fastify'

const configs = new WeakMap<object, FastifyContextConfig>()

/**
 * Adds to the Fastify `config` of a route, which hooks can read. Nest's own `@RouteConfig` would replace what other
 * decorators have added.
 */
export function AddRouteConfig(more: FastifyContextConfig): MethodDecorator {
  return (target, key, descriptor) => {
    const handler = descriptor.value as object
    const config = { ...configs.get(handler), ...more }
    configs.set(handler, config)
    RouteConfig(config)(target, key, descriptor)
  }
}

import { RouteConfig } from '@nestjs/platform-fastify'
import type { FastifyContextConfig } from 'fastify'

const configs = new WeakMap<object, FastifyContextConfig>()

/**
 * Adds to the `config` that Fastify keeps of a route and shows to hooks. Nest's own `@RouteConfig` replaces what another
 * decorator has said.
 */
export function AddRouteConfig(more: FastifyContextConfig): MethodDecorator {
  return (target, key, descriptor) => {
    const handler = descriptor.value as object
    const config = { ...configs.get(handler), ...more }
    configs.set(handler, config)
    RouteConfig(config)(target, key, descriptor)
  }
}

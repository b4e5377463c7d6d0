/** Stops the start when a route says nothing about who may call it: forgetting must not open a door. */
import { RequestMethod } from '@nestjs/common'
import type { INestApplicationContext, Type } from '@nestjs/common'
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js'
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core'

import { access } from './access.js'
import type { Access } from './access.js'

export function requireDeclaredAccess(app: INestApplicationContext): void {
  const [discovery, scanner, reflector] = [
    app.get(DiscoveryService),
    app.get(MetadataScanner),
    app.get(Reflector),
  ]
  const silent: string[] = []
  for (const { metatype } of discovery.getControllers()) {
    const prototype = (metatype as Type).prototype as Record<string, (() => unknown) | undefined>
    for (const name of scanner.getAllMethodNames(prototype)) {
      const handler = prototype[name]
      if (
        !handler ||
        !Reflect.hasMetadata(PATH_METADATA, handler) ||
        reflector.get<Access | undefined>(access, handler)
      )
        continue
      const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as number]
      silent.push(`${(metatype as Type).name}.${name} (${method})`)
    }
  }
  if (silent.length > 0)
    throw new Error(
      `These routes do not say who may call them, with @RequireScope, @AnyToken or @Public: ${silent.join(', ')}.`,
    )
}

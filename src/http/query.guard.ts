import { Injectable } from '@nestjs/common'
import type { CanActivate, ExecutionContext } from '@nestjs/common'
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js'
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js'
import type { FastifyRequest } from 'fastify'

import { Problem } from './problem.js'

/** Refuses a query on calls that take none; where one is taken, the input pipe knows its parameters. */
@Injectable()
export class QueryGuard implements CanActivate {
  private readonly takesQuery = new WeakMap<object, boolean>()

  canActivate(context: ExecutionContext): boolean {
    const { url, query } = context.switchToHttp().getRequest<FastifyRequest>()
    if (!url.includes('?') || this.hasQuery(context)) return true
    const [name] = Object.keys(query as object)
    if (name === undefined) return true
    const parameter = name.slice(0, 64)
    throw new Problem('invalid_query', {
      detail: `This call takes no query parameters, but came with ${parameter}.`,
      errors: [{ parameter, code: 'unknown_field', detail: 'This call takes no query parameters.' }],
    })
  }

  private hasQuery(context: ExecutionContext): boolean {
    const handler = context.getHandler()
    let takes = this.takesQuery.get(handler)
    if (takes === undefined) {
      const parameters: unknown = Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), handler.name)
      takes = Object.keys(parameters ?? {}).some((key) => key.startsWith(`${RouteParamtypes.QUERY}:`))
      this.takesQuery.set(handler, takes)
    }
    return takes
  }
}

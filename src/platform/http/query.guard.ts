import { Injectable } from '@nestjs/common'
import type { CanActivate, ExecutionContext } from '@nestjs/common'
import type { FastifyRequest } from 'fastify'

import { takesQuery } from './input.pipe.js'
import { Problem } from './problem.js'

/** Refuses a query on calls that take none; where one is taken, the input pipe knows its parameters. */
@Injectable()
export class QueryGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { url, query } = context.switchToHttp().getRequest<FastifyRequest>()
    if (!url.includes('?') || takesQuery(context.getHandler())) return true
    const [name] = Object.keys(query as object)
    if (name === undefined) return true
    const parameter = name.slice(0, 64)
    throw new Problem('invalid_query', {
      errors: [{ parameter, code: 'unknown_field', detail: 'This call takes no query parameters.' }],
    })
  }
}

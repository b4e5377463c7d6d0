/** Brings the input in once the guard has passed: the body is read here, and a query that nobody asked for is refused. */
import { Injectable } from '@nestjs/common'
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common'
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js'
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js'
import type { FastifyRequest } from 'fastify'
import type { Observable } from 'rxjs'

import { readBody, requireJson } from './body.js'
import { Problem } from './problem.js'
import { parseStrictJson } from './strict-json.js'

interface Takes {
  body: boolean
  query: boolean
}

@Injectable()
export class InputInterceptor implements NestInterceptor {
  private readonly known = new WeakMap<object, Takes>()

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<FastifyRequest>()
    const takes = this.takes(context)
    if (!takes.query) refuseQuery(request)
    if (takes.body) await this.takeBody(request)
    return next.handle()
  }

  /** An empty body stands for an empty object, so that calls whose fields are all optional need none. */
  private async takeBody(request: FastifyRequest): Promise<void> {
    if (request.bodyType !== null) requireJson(request)
    const bytes = await readBody(request)
    if (bytes.length > 0) requireJson(request)
    request.rawBody = bytes
    request.body = bytes.length === 0 && request.bodyType === null ? {} : parseStrictJson(bytes)
  }

  private takes(context: ExecutionContext): Takes {
    const handler = context.getHandler()
    let takes = this.known.get(handler)
    if (!takes) {
      const parameters = Object.keys(
        (Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), handler.name) as object | undefined) ?? {},
      )
      const has = (kind: RouteParamtypes) => parameters.some((key) => key.startsWith(`${kind}:`))
      takes = { body: has(RouteParamtypes.BODY), query: has(RouteParamtypes.QUERY) }
      this.known.set(handler, takes)
    }
    return takes
  }
}

function refuseQuery(request: FastifyRequest): void {
  const [name] = Object.keys(request.query as object)
  if (name === undefined) return
  const parameter = name.slice(0, 64)
  throw new Problem('invalid_query', {
    detail: `This call takes no query parameters, but came with ${parameter}.`,
    errors: [{ parameter, code: 'unknown_field', detail: 'This call takes no query parameters.' }],
  })
}

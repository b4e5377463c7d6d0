/** A request's body. Fastify reads it after the caller was admitted; it is parsed only where a handler wants it. */
import { applyDecorators, createParamDecorator } from '@nestjs/common'
import type { ExecutionContext, Type } from '@nestjs/common'
import { ApiBody, ApiExtraModels, getSchemaPath } from '@nestjs/swagger'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import { examplesOf } from './api-docs.js'
import { BodyPipe } from './input.pipe.js'
import { refusalOfType, requireType } from './media-type.js'
import { Problem } from './problem.js'
import { AddRouteConfig } from './route-table.js'
import { passStreamedBodies } from './streamed-body.js'
import { parseStrictJson } from './strict-json.js'

const MiB = 1024 * 1024
const mostBodyBytes = 256 * 1024

export const json = 'application/json'
export const mergePatch = 'application/merge-patch+json'

/** Stands for a body that is not JSON, which is not read. */
const unreadBody = Symbol('a body of another type')

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The most bytes that a body of this route may have, where that is not the usual number. */
    mostBodyBytes?: number
  }
}

/** For a route whose bodies are larger than those of others. */
export function MayBeLarge(bytes: number): MethodDecorator {
  return AddRouteConfig({ mostBodyBytes: bytes })
}

/** JSON is read as bytes, for an idempotency key to be bound to them. Bodies of other types are not read at all. */
export function readJsonBodies(fastify: FastifyInstance): void {
  fastify.addHook('onRoute', (route) => {
    const bytes = route.config?.mostBodyBytes
    if (bytes !== undefined) route.bodyLimit = bytes
  })
  fastify.removeAllContentTypeParsers()
  fastify.addContentTypeParser(
    [json, mergePatch],
    { parseAs: 'buffer', bodyLimit: mostBodyBytes },
    (_request, body, done) => {
      done(null, body)
    },
  )
  passStreamedBodies(fastify)
  fastify.addContentTypeParser('*', (_request, _payload, done) => {
    done(null, unreadBody)
  })
}

function typesTaken({ method, routeOptions }: FastifyRequest): readonly string[] {
  return routeOptions.config.streamedTypes ?? (method === 'PATCH' ? [json, mergePatch] : [json])
}

/** The problem for a body whose type Fastify cannot even read. */
export function wrongType(request: FastifyRequest): Problem {
  return refusalOfType(request, typesTaken(request)) ?? new Problem('unsupported_media_type')
}

/** The problem for a body that is too large. Where JSON is not accepted at all, a smaller one would not help. */
export function tooLarge(request: FastifyRequest): Problem {
  const refusal = refusalOfType(request, typesTaken(request))
  if (refusal) return refusal
  const { mostBodyBytes: bytes = mostBodyBytes } = request.routeOptions.config
  const most = bytes < MiB ? `${bytes / 1024} KiB` : `${bytes / MiB} MiB`
  return new Problem('payload_too_large', {
    detail: `The JSON of this call may have at most ${most}, and this body has more. Send less in one request.`,
  })
}

/** Replaces Nest's `@Body()`, which would accept any JSON and any type. */
export function JsonBody(pipe: Type<BodyPipe> = BodyPipe): ParameterDecorator {
  return jsonBody(pipe)
}

const jsonBody = createParamDecorator(
  (_: unknown, context: ExecutionContext) => bodyOf(context.switchToHttp().getRequest<FastifyRequest>()),
  [
    (target, key, index) => {
      const method = key && Object.getOwnPropertyDescriptor(target, key)
      const types = key
        ? (Reflect.getMetadata('design:paramtypes', target, key) as Type[] | undefined)
        : undefined
      if (method && types?.[index]) describeBody(types[index])(target, key, method)
    },
  ],
)

function describeBody(type: Type): MethodDecorator {
  const examples = examplesOf(type)
  return applyDecorators(
    ApiExtraModels(type),
    ApiBody({ schema: { $ref: getSchemaPath(type) }, ...(examples ? { examples } : {}) }),
  )
}

/** A request without a body and without a type stands for an empty object: calls whose fields are all optional need none. */
function bodyOf(request: FastifyRequest): Record<string, unknown> {
  if (request.body === undefined && request.headers['content-type'] === undefined) return {}
  return parseStrictJson(jsonBytesOf(request))
}

/** The bytes as they came; none where there is no body. */
export function jsonBytesOf(request: FastifyRequest): Buffer {
  if (request.body === undefined && request.headers['content-type'] === undefined) return Buffer.alloc(0)
  requireType(request, typesTaken(request))
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
}

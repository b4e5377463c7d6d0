/** Bodies that are read while they come, because they are too large to be held in memory. */
import { Readable } from 'node:stream'

import { createParamDecorator } from '@nestjs/common'
import type { ExecutionContext } from '@nestjs/common'
import { ApiBody, ApiConsumes } from '@nestjs/swagger'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import { requireType } from './media-type.js'
import { AddRouteConfig } from './route-table.js'

const streamedTypes = ['text/csv', 'application/x-ndjson'] as const
type StreamedType = (typeof streamedTypes)[number]

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a route takes that reads its body while it comes, in place of JSON. */
    streamedTypes?: readonly string[]
  }
}

export interface StreamedBody {
  type: StreamedType
  /** Ends with an error where the client breaks off. */
  bytes: Readable
  /** The length that the client announces. */
  length: number | null
}

/** The handler is the first to read these bodies. */
export function passStreamedBodies(fastify: FastifyInstance): void {
  fastify.addContentTypeParser([...streamedTypes], (_request, payload, done) => {
    done(null, payload)
  })
}

export function isStreamed(body: unknown): body is Readable {
  return body instanceof Readable
}

export const BodyStream = createParamDecorator(
  (_: unknown, context: ExecutionContext) => streamOf(context.switchToHttp().getRequest<FastifyRequest>()),
  [
    (target, key) => {
      const method = key && Object.getOwnPropertyDescriptor(target, key)
      if (!method) return
      AddRouteConfig({ streamedTypes })(target, key, method)
      ApiConsumes(...streamedTypes)(target, key, method)
      ApiBody({ schema: { type: 'string', example: 'url,slug\nhttps://example.com/spring,spring\n' } })(
        target,
        key,
        method,
      )
    },
  ],
)

function streamOf(request: FastifyRequest): StreamedBody {
  const { headers, body } = request
  const type = requireType(request, streamedTypes)
  // Without any body there is nothing to read.
  const bytes = isStreamed(body) ? body : Readable.from([])
  const length = Number(headers['content-length'] ?? Number.NaN)
  return { type, bytes, length: Number.isNaN(length) ? null : length }
}

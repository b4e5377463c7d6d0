/** Bodies that are read while they come: what has them is too large to be held in memory. */
import { Readable } from 'node:stream'

import { createParamDecorator } from '@nestjs/common'
import type { ExecutionContext } from '@nestjs/common'
import { ApiBody, ApiConsumes } from '@nestjs/swagger'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import { Problem } from './problem.js'

const streamedTypes = ['text/csv', 'application/x-ndjson'] as const
type StreamedType = (typeof streamedTypes)[number]

export interface StreamedBody {
  type: StreamedType
  /** Ends with an error where the client breaks off. */
  bytes: Readable
  /** As the client announces it. */
  length: number | null
}

/** Nobody reads them before a handler does. */
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
      ApiConsumes(...streamedTypes)(target, key, method)
      ApiBody({ schema: { type: 'string', example: 'url,slug\nhttps://example.com/spring,spring\n' } })(
        target,
        key,
        method,
      )
    },
  ],
)

function streamOf({ headers, body }: FastifyRequest): StreamedBody {
  const [given = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';')
  const type = streamedTypes.find((name) => name === given.trim())
  const charset = parameters.map((each) => each.trim()).find((each) => each.startsWith('charset='))
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset)
  const isPlain = (headers['content-encoding'] ?? 'identity') === 'identity'
  if (!type || !isStreamed(body) || !isUtf8 || !isPlain)
    throw new Problem('unsupported_media_type', {
      detail: `Send ${streamedTypes.join(' or ')} in UTF-8, and not compressed.`,
    })
  const length = Number(headers['content-length'] ?? Number.NaN)
  return { type, bytes: body, length: Number.isNaN(length) ? null : length }
}

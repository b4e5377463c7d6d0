/** A request's body: read only when the guard has let the caller through and a handler wants it. */
import { createParamDecorator } from '@nestjs/common'
import type { ExecutionContext, Type } from '@nestjs/common'
import { ApiBody } from '@nestjs/swagger'
import type { FastifyRequest } from 'fastify'

import { BodyPipe } from './input.pipe.js'
import { Problem } from './problem.js'
import { parseStrictJson } from './strict-json.js'

const mostBodyBytes = 256 * 1024

const jsonTypes = new Set(['application/json'])
const patchTypes = new Set(['application/json', 'application/merge-patch+json'])

/** In the place of Nest's `@Body()`, which would want the body to be there before the guard runs. */
export function JsonBody(pipe: Type<BodyPipe> = BodyPipe): ParameterDecorator {
  return jsonBody(pipe)
}

const jsonBody = createParamDecorator(
  (_: unknown, context: ExecutionContext) => bodyOf(context.switchToHttp().getRequest<FastifyRequest>()),
  [
    (target, key, index) => {
      const method = key && Object.getOwnPropertyDescriptor(target, key)
      const types = key && (Reflect.getMetadata('design:paramtypes', target, key) as Type[] | undefined)
      if (method && types?.[index]) ApiBody({ type: types[index] })(target, key, method)
    },
  ],
)

/** An empty body without a type stands for an empty object, so that calls whose fields are all optional need none. */
async function bodyOf(request: FastifyRequest): Promise<Record<string, unknown>> {
  const bytes = await rawBodyOf(request)
  return bytes.length === 0 && request.bodyType === null ? {} : parseStrictJson(bytes)
}

/** The bytes as they came; they can be asked for more than once. */
export function rawBodyOf(request: FastifyRequest): Promise<Buffer> {
  request.rawBody ??= readBody(request)
  return request.rawBody
}

async function readBody(request: FastifyRequest): Promise<Buffer> {
  if (request.bodyType !== null) requireJson(request)
  if (Number(request.headers['content-length'] ?? 0) > mostBodyBytes) throw tooLarge()
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of request.raw) {
      size += (chunk as Buffer).length
      if (size > mostBodyBytes) break
      chunks.push(chunk as Buffer)
    }
  } catch (error) {
    throw new Problem('bad_request', { detail: 'The body ended before it was complete.', cause: error })
  }
  if (size > mostBodyBytes) throw tooLarge()
  if (size > 0) requireJson(request)
  return Buffer.concat(chunks, size)
}

function requireJson(request: FastifyRequest): void {
  const [type = '', ...parameters] = (request.bodyType ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  const accepted = request.method === 'PATCH' ? patchTypes : jsonTypes
  const charset = parameters
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice(8)
    .replaceAll('"', '')
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (
    !accepted.has(type) ||
    (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') ||
    encoding !== 'identity'
  )
    throw new Problem('unsupported_media_type')
}

function tooLarge(): Problem {
  return new Problem('payload_too_large', { headers: { connection: 'close' } })
}

/** Reads request bodies, after authentication. Bodies must be in UTF-8 and not compressed. */
import { Readable } from 'node:stream'

import { createParamDecorator } from '@nestjs/common'
import type { ExecutionContext } from '@nestjs/common'
import { ApiConsumes } from '@nestjs/swagger'
import type { FastifyInstance, FastifyRequest } from 'fastify'

import { Problem } from '../problems/problem.js'
import { AddRouteConfig } from '../route-config.js'
import { readBody } from './read-body.js'
import { parseStrictJson } from './strict-json.js'

const KiB = 1024
const MiB = 1024 * KiB
const maxBodyBytes = 256 * KiB

export const json = 'application/json'
export const mergePatch = 'application/merge-patch+json'

/** An invalid body. Handlers with a body respond with the problem, all others ignore it. */
export class RefusedBody {
  /** An empty body and `null` count as no body. Handlers with an optional body then use the defaults. */
  constructor(
    readonly problem: Problem,
    readonly isAbsent: boolean,
  ) {}
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The bytes of a JSON body. An idempotency key is bound to them. */
    jsonBytes: Buffer | null
  }
  interface FastifyContextConfig {
    /** Maximum size of a body, if it differs from the default. */
    maxBodyBytes?: number
    /** Time within which a body must arrive. Absent: the body must arrive at the minimum rate. */
    bodyWithinMs?: number
    /** The types that the route accepts instead of JSON, if it reads its body as a stream. */
    streamedTypes?: readonly string[]
  }
}

/** Allows larger bodies than the default. */
export function MaxBodySize(bytes: number): MethodDecorator {
  return AddRouteConfig({ maxBodyBytes: bytes })
}

/** For callers without a token: allows only a small body, which must arrive quickly. */
export function SmallBody(): MethodDecorator {
  return AddRouteConfig({ maxBodyBytes: 2 * KiB, bodyWithinMs: 10_000 })
}

/** Registers the strict JSON parser. Other types are streamed or not read. */
export function readJsonBodies(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers()
  fastify.decorateRequest('jsonBytes', null)
  fastify.addContentTypeParser([json, mergePatch], async (request: FastifyRequest, payload: Readable) => {
    const refusal = findTypeProblem(request, acceptedTypes(request))
    if (refusal) return new RefusedBody(refusal, isAnnouncedEmpty(request))
    const { maxBodyBytes: maxBytes = maxBodyBytes, bodyWithinMs: withinMs } = request.routeOptions.config
    if (Number(request.headers['content-length']) > maxBytes) throw createTooLargeProblem(request)
    const bytes = await readBody(payload, { maxBytes, withinMs }, () => createTooLargeProblem(request))
    const body = parseBody(request, bytes)
    // Retries with an idempotency key may send no body, an empty one or null.
    request.jsonBytes = body instanceof RefusedBody && body.isAbsent ? Buffer.alloc(0) : bytes
    return body
  })
  passStreamedBodies(fastify)
  fastify.addContentTypeParser('*', (request, _payload, done) => {
    done(null, createWrongTypeBody(request))
  })
}

function parseBody(request: FastifyRequest, bytes: Buffer): Record<string, unknown> | RefusedBody {
  try {
    return parseStrictJson(bytes)
  } catch (error) {
    if (error instanceof Problem) return new RefusedBody(error, canOmitBody(request) && isEmptyOrNull(bytes))
    throw error
  }
}

function isEmptyOrNull(bytes: Buffer): boolean {
  return bytes.length === 0 || bytes.toString().trim() === 'null'
}

function isAnnouncedEmpty(request: FastifyRequest): boolean {
  return canOmitBody(request) && request.headers['content-length'] === '0'
}

/** A patch without fields changes nothing, so an empty one is a mistake of the client. */
function canOmitBody({ method }: FastifyRequest): boolean {
  return method !== 'PATCH'
}

function createWrongTypeBody(request: FastifyRequest): RefusedBody {
  return new RefusedBody(createWrongTypeProblem(request), isAnnouncedEmpty(request))
}

function acceptedTypes({ method, routeOptions }: FastifyRequest): readonly string[] {
  return routeOptions.config.streamedTypes ?? (method === 'PATCH' ? [json, mergePatch] : [json])
}

/** Returns the error for a body whose type Fastify cannot parse. */
export function createWrongTypeProblem(request: FastifyRequest): Problem {
  return findTypeProblem(request, acceptedTypes(request)) ?? new Problem('unsupported_media_type')
}

export function createTooLargeProblem({ routeOptions }: FastifyRequest): Problem {
  const { maxBodyBytes: bytes = maxBodyBytes } = routeOptions.config
  const limit = bytes < MiB ? `${bytes / KiB} KiB` : `${bytes / MiB} MiB`
  return new Problem('payload_too_large', {
    detail: `The request body must be at most ${limit}. Split the data into several requests.`,
  })
}

/** Returns the bytes to which an idempotency key is bound. Empty if there is no body. */
export function getJsonBytes({ body, jsonBytes }: FastifyRequest): Buffer {
  if (jsonBytes) return jsonBytes
  if (body instanceof RefusedBody && !body.isAbsent) throw body.problem
  return Buffer.alloc(0)
}

/** Returns which of these types the body has. Throws if it has none of them. */
function requireType<Type extends string>(request: FastifyRequest, types: readonly Type[]): Type {
  const refusal = findTypeProblem(request, types)
  if (refusal) throw refusal
  return types.find((type) => type === parseContentType(request).type)!
}

/** Returns the error for a type that is not accepted, or null. */
function findTypeProblem(request: FastifyRequest, types: readonly string[]): Problem | null {
  const { type, charset, encoding } = parseContentType(request)
  const isUtf8 = charset === undefined || charset === 'utf-8' || charset === 'utf8'
  if (types.includes(type) && isUtf8 && encoding === 'identity') return null
  const sent = [type || 'no Content-Type', charset ?? '', encoding === 'identity' ? '' : encoding]
  return new Problem('unsupported_media_type', {
    detail: `The request body must be ${types.join(' or ')}, in UTF-8 and not compressed. It was sent as ${printable(sent)}.`,
  })
}

function parseContentType({ headers }: FastifyRequest): {
  type: string
  charset: string | undefined
  encoding: string
} {
  const [type = '', ...parameters] = (headers['content-type'] ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  const charset = parameters
    .find((parameter) => parameter.startsWith('charset='))
    ?.slice(8)
    .replaceAll('"', '')
  return { type, charset, encoding: headers['content-encoding'] ?? 'identity' }
}

/** Joins parts of headers, without characters that must not appear in a message. */
function printable(words: readonly string[]): string {
  return words
    .filter(Boolean)
    .map((word) => word.slice(0, 64).replace(/[^\w ./+-]/g, '?'))
    .join(', ')
}

const streamedTypes = ['text/csv', 'application/x-ndjson'] as const
type StreamedType = (typeof streamedTypes)[number]

/** A body that is read as a stream, because it is too large to be held in memory. */
export interface StreamedBody {
  type: StreamedType
  /** The stream ends with an error if the client disconnects. */
  bytes: Readable
  /** The Content-Length, if any. */
  length: number | null
}

/** Passes streamed bodies unread to the routes that accept them. */
function passStreamedBodies(fastify: FastifyInstance): void {
  fastify.addContentTypeParser([...streamedTypes], (request, payload, done) => {
    const isAccepted = request.routeOptions.config.streamedTypes !== undefined
    done(null, isAccepted ? payload : createWrongTypeBody(request))
  })
}

export function isStreamed(body: unknown): body is Readable {
  return body instanceof Readable
}

export const BodyStream = createParamDecorator(
  (_: unknown, context: ExecutionContext) =>
    toStreamedBody(context.switchToHttp().getRequest<FastifyRequest>()),
  [
    (target, key) => {
      const method = key && Object.getOwnPropertyDescriptor(target, key)
      if (!method) return
      AddRouteConfig({ streamedTypes })(target, key, method)
      ApiConsumes(...streamedTypes)(target, key, method)
    },
  ],
)

function toStreamedBody(request: FastifyRequest): StreamedBody {
  const { headers, body } = request
  const type = requireType(request, streamedTypes)
  // A request without a body has an empty stream.
  const bytes = isStreamed(body) ? body : Readable.from([])
  const length = Number(headers['content-length'] ?? Number.NaN)
  return { type, bytes, length: Number.isNaN(length) ? null : length }
}

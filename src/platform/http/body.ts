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

const MiB = 1024 * 1024
const mostBodyBytes = 256 * 1024
const utf8 = new TextDecoder('utf-8', { fatal: true })

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

/** JSON as callers of an API mean it: UTF-8, an object at the top, and no key twice in one object. */
export function parseStrictJson(bytes: Buffer): Record<string, unknown> {
  if (bytes.length === 0)
    throw new Problem('invalid_json', { detail: 'The body is empty. Send a JSON object.' })
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw new Problem('invalid_json', { detail: 'The body is not valid UTF-8. Encode the JSON in UTF-8.' })
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Problem('invalid_json', {
      detail: 'The body breaks the grammar of JSON. Check quotes, commas and brackets.',
    })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Problem('validation_failed', {
      errors: [
        {
          pointer: '',
          code: 'not_an_object',
          detail: 'The body is JSON, but not an object. Send {…} with the fields of the operation.',
        },
      ],
    })
  const repeated = firstRepeatedKey(text)
  if (repeated !== null)
    throw new Problem('invalid_json', {
      detail: `The key ${JSON.stringify(repeated.slice(0, 64))} stands twice in one object. Send each key once.`,
    })
  return value as Record<string, unknown>
}

const quote = 0x22
const backslash = 0x5c
const colon = 0x3a
const openBrace = 0x7b
const closeBrace = 0x7d

/**
 * Works on text that JSON.parse has accepted, so it only has to tell keys from other strings. It reads character by
 * character: a pattern for strings runs out of stack on a string of some million escapes.
 */
function firstRepeatedKey(text: string): string | null {
  const open: Set<string>[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === openBrace) open.push(new Set())
    else if (character === closeBrace) open.pop()
    else if (character === quote) {
      const end = endOfString(text, at)
      if (nextThatIsNoSpace(text, end) === colon) {
        const name = JSON.parse(text.slice(at, end)) as string
        const seen = open.at(-1)
        if (seen?.has(name)) return name
        seen?.add(name)
      }
      at = end - 1
    }
  }
  return null
}

/** The place behind the quote that ends the string. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  for (let character; (character = text.charCodeAt(at)) !== quote;) at += character === backslash ? 2 : 1
  return at + 1
}

function nextThatIsNoSpace(text: string, start: number): number {
  let at = start
  while (/\s/.test(text.charAt(at))) at++
  return text.charCodeAt(at)
}

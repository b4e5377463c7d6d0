/** Decorators for routes that accept an Idempotency-Key, and the interceptor that replays stored responses. */
import { createHash } from 'node:crypto'

import { applyDecorators, HttpCode, Injectable, UseInterceptors } from '@nestjs/common'
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common'
import { ApiHeader } from '@nestjs/swagger'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { catchError } from 'rxjs'
import type { Observable } from 'rxjs'

import { getJsonBytes, isStreamed } from './input/body.js'
import { Idempotency, ResponseAlreadyStored } from './idempotency.js'
import type { StoredResponse } from './idempotency.js'
import { Problem } from './problems/problem.js'
import { AddRouteConfig } from './route-config.js'
import { type KeyedRequest, singleHeader } from './request.js'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Path of the created resource, with `:id`. */
    location?: string
  }
}

/** Errors of the key itself, after which there is no stored response to look for. */
const keyErrors = new Set<string>([
  'idempotency_in_progress',
  'idempotency_mismatch',
  'idempotency_unreadable',
])

@Injectable()
class IdempotencyInterceptor implements NestInterceptor {
  constructor(private readonly idempotency: Idempotency) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>()
    const keyed = toKeyedRequest(request)
    if (!keyed) return next.handle()

    const reply = context.switchToHttp().getResponse<FastifyReply>()
    request.keyed = keyed
    return next.handle().pipe(
      catchError(async (error: unknown) => {
        const stored = await this.findStored(error, keyed)
        if (stored) return replayResponse(stored, reply)
        throw error
      }),
    )
  }

  /** Finds the stored response even if the retry is now rejected, for example because `expires_at` has passed. */
  private findStored(
    error: unknown,
    keyed: KeyedRequest,
  ): StoredResponse | null | Promise<StoredResponse | null> {
    if (error instanceof ResponseAlreadyStored) return error.response
    const isRefusal = error instanceof Problem && error.status < 500 && !keyErrors.has(error.code)
    return isRefusal ? this.idempotency.findStoredResponse(keyed) : null
  }
}

function replayResponse({ body, etag }: StoredResponse, reply: FastifyReply): object {
  void reply.header('idempotent-replayed', 'true')
  if (etag) void reply.header('etag', etag)
  return body
}

function toKeyedRequest(request: FastifyRequest): KeyedRequest | null {
  const key = singleHeader(request, 'idempotency-key')
  if (key === undefined || !request.token) return null
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    const detail = 'Must be 1 to 255 visible ASCII characters, such as a UUID.'
    throw new Problem('invalid_header', {
      errors: [{ header: 'Idempotency-Key', code: 'invalid_key', detail }],
    })
  }
  const fingerprint = createHash('sha256')
    .update(`${request.method} ${request.url}\n`)
    // A streamed body has not been read yet. Its reader adds the hash later (Idempotency.addBody).
    .update(isStreamed(request.body) ? '' : getJsonBytes(request))
    .digest()
  // A visitor of the portal must not get the responses of the token that created the link.
  return { tokenId: request.portal?.sessionId ?? request.token.id, key, fingerprint }
}

/** A route that creates a resource: responds 201 with a Location, and accepts an Idempotency-Key. */
export function Creates(location: string): MethodDecorator {
  return applyDecorators(HttpCode(201), AddRouteConfig({ location }), Repeatable())
}

/** A route that accepts an Idempotency-Key. Its handler must do its work in `Idempotency.runOnce`. */
export function Repeatable(): MethodDecorator {
  return applyDecorators(
    UseInterceptors(IdempotencyInterceptor),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        'Unique key, such as a UUID, that makes the request safe to retry. For 24 hours, requests with the same key and body return the first response. Failed requests do not use up the key.',
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
    }),
  )
}

import { createHash } from 'node:crypto'

import { Injectable } from '@nestjs/common'
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { catchError } from 'rxjs'
import type { Observable } from 'rxjs'

import { jsonBytesOf } from './body.js'
import { AnsweredBefore, Idempotency } from './idempotency.js'
import type { StoredAnswer } from './idempotency.js'
import { Problem } from './problem.js'
import type { IdempotencyClaim } from './request.js'
import { singleHeader } from './request.js'
import { isStreamed } from './streamed-body.js'

/** Refusals that come from looking for the first answer. */
const ofTheKey = new Set<string>([
  'idempotency_in_progress',
  'idempotency_mismatch',
  'idempotency_unreadable',
])

@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(private readonly idempotency: Idempotency) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<FastifyRequest>()
    const claim = claimOf(request)
    if (!claim) return next.handle()

    const reply = context.switchToHttp().getResponse<FastifyReply>()
    request.claim = claim
    return next.handle().pipe(
      catchError(async (error: unknown) => {
        const answer = await this.answerBefore(error, claim)
        if (answer) return repeat(answer, reply)
        throw error
      }),
    )
  }

  /** What was accepted once may be refused by now, such as a time that has passed; its first answer holds all the same. */
  private answerBefore(
    error: unknown,
    claim: IdempotencyClaim,
  ): StoredAnswer | null | Promise<StoredAnswer | null> {
    if (error instanceof AnsweredBefore) return error.answer
    const isRefusal = error instanceof Problem && error.status < 500 && !ofTheKey.has(error.code)
    return isRefusal ? this.idempotency.answerTo(claim) : null
  }
}

function repeat(answer: StoredAnswer, reply: FastifyReply): object {
  void reply.header('idempotent-replayed', 'true')
  if (answer.etag) void reply.header('etag', answer.etag)
  return answer.body
}

function claimOf(request: FastifyRequest): IdempotencyClaim | null {
  const key = singleHeader(request, 'idempotency-key')
  const { keyOwner: owner } = request
  if (key === undefined || owner === null) return null
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    const detail = 'Write 1 to 255 visible ASCII characters, such as a UUID.'
    throw new Problem('invalid_header', {
      errors: [{ header: 'Idempotency-Key', code: 'invalid_key', detail }],
    })
  }
  const fingerprint = createHash('sha256')
    .update(`${request.method} ${request.url}\n`)
    // A body that is still to come is added by whoever reads it (see Idempotency.addBody).
    .update(isStreamed(request.body) ? '' : jsonBytesOf(request))
    .digest()
  return { owner, key, fingerprint }
}

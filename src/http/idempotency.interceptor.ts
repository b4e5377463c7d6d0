import { createHash } from 'node:crypto'

import { Injectable } from '@nestjs/common'
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { catchError, of } from 'rxjs'
import type { Observable } from 'rxjs'

import { jsonBytesOf } from './body.js'
import { AnsweredBefore, Idempotency } from './idempotency.js'
import type { StoredAnswer } from './idempotency.js'
import { Problem } from './problem.js'
import type { IdempotencyClaim } from './request.js'
import { singleHeader } from './request.js'

const notAnAnswer = new Set<string>([
  'idempotency_in_progress',
  'idempotency_mismatch',
  'idempotency_unreadable',
])

@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(private readonly idempotency: Idempotency) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<FastifyRequest>()
    const claim = claimOf(request)
    if (!claim) return next.handle()

    const reply = context.switchToHttp().getResponse<FastifyReply>()
    const before = await this.idempotency.answerTo(claim)
    if (before) return of(repeat(before, reply))
    request.claim = claim
    return next.handle().pipe(
      catchError(async (error: unknown) => {
        if (error instanceof AnsweredBefore) return repeat(error.answer, reply)
        if (error instanceof Problem && error.status < 500 && !notAnAnswer.has(error.code))
          await this.idempotency.keepRefusal(claim, error)
        throw error
      }),
    )
  }
}

function repeat(answer: StoredAnswer, reply: FastifyReply): object {
  void reply.header('idempotent-replayed', 'true')
  if ('problem' in answer) throw new Problem(answer.problem.code, answer.problem.options)
  if (answer.etag) void reply.header('etag', answer.etag)
  return answer.body
}

function claimOf(request: FastifyRequest): IdempotencyClaim | null {
  const key = singleHeader(request, 'idempotency-key')
  if (key === undefined || !request.token) return null
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    const detail = 'Write 1 to 255 visible ASCII characters, such as a UUID.'
    throw new Problem('invalid_header', {
      detail,
      errors: [{ header: 'Idempotency-Key', code: 'invalid_key', detail }],
    })
  }
  const fingerprint = createHash('sha256')
    .update(`${request.method} ${request.url}\n`)
    .update(jsonBytesOf(request))
    .digest()
  return { tokenId: request.token.id, key, fingerprint }
}

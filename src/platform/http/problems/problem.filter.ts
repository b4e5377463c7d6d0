/** Writes every failure as problem+json: our own problems, the framework's refusals, and what nobody expected. */
import { Catch, HttpException, Inject, Logger } from '@nestjs/common'
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common'
import type { FastifyReply, FastifyRequest } from 'fastify'
import pg from 'pg'

import { SETTINGS } from '../../../settings.js'
import type { RunningSettings } from '../../../settings.js'
import { isUnavailable } from '../../database/unavailable.js'
import { tooLarge, wrongType } from '../input/body.js'
import { awaySeconds, Problem } from './problem.js'
import type { ProblemCode } from '../../../problems.js'
import { RouteTable } from '../request.js'

@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger(ProblemFilter.name)

  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    private readonly routes: RouteTable,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp()
    const request = http.getRequest<FastifyRequest>()
    const reply = http.getResponse<FastifyReply>()
    const problem = this.problemOf(error, request)
    const failure = { code: problem.code, stack: stackOf(problem.options.cause) }
    if (problem.status >= 500) request.failure = failure
    // Nobody gets a response, so the log has no line about one.
    if (isOfCallerWhoLeft(error, request))
      this.logger.debug({ msg: 'The caller left in the middle of the body', request_id: request.id })
    else if (problem.status >= 500 && (reply.sent || reply.raw.destroyed))
      this.logger.error({ msg: 'request', request_id: request.id, ...failure })
    if (reply.sent) return
    void reply
      .code(problem.status)
      .headers({ ...problem.options.headers, 'content-type': 'application/problem+json; charset=utf-8' })
      .send(JSON.stringify(problem.toBody(this.settings.publicUrl, request.id)))
  }

  private problemOf(error: unknown, request: FastifyRequest): Problem {
    if (error instanceof Problem) return error
    if (isOfCallerWhoLeft(error, request)) return new Problem('bad_request')
    if (isUnavailable(error))
      return new Problem('unavailable', { headers: { 'retry-after': awaySeconds }, cause: error })
    const status = statusOf(error)
    if (status === 404) return this.routes.refusal(request) ?? new Problem('not_found')
    if (status === 413) return tooLarge(request)
    if (status === 415) return wrongType(request)
    const code = codeByStatus.get(status)
    if (code) return new Problem(code)
    return new Problem('internal_error', { cause: error })
  }
}

/** Such an error has the code of a lost connection, but is not one of the database and no fault of the service. */
function isOfCallerWhoLeft(error: unknown, request: FastifyRequest): boolean {
  return error !== null && error === request.raw.errored
}

const codeByStatus = new Map<number, ProblemCode>([
  [400, 'bad_request'],
  [408, 'request_timeout'],
  [431, 'headers_too_large'],
])

function statusOf(error: unknown): number {
  if (error instanceof HttpException) return error.getStatus()
  const { statusCode } = error as { statusCode?: unknown }
  return typeof statusCode === 'number' ? statusCode : 500
}

/** A failed statement's own message may quote parameters, so only its place in the code and its code are logged. */
function stackOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code } = error as { code?: unknown }
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  const message =
    'driverError' in error || error instanceof pg.DatabaseError
      ? `database error ${String(code)}`
      : `${error.name}: ${error.message}`
  return [message, ...frames].join('\n')
}

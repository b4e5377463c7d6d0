/** Writes every error as problem+json: problems, errors of the framework, and unexpected errors. */
import { Catch, HttpException, Inject, Logger } from '@nestjs/common'
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common'
import type { FastifyReply, FastifyRequest } from 'fastify'
import pg from 'pg'

import { SETTINGS } from '../../../settings.js'
import type { RunningSettings } from '../../../settings.js'
import { isUnavailable } from '../../database/unavailable.js'
import { createTooLargeProblem, createWrongTypeProblem } from '../input/body.js'
import { unavailableRetryAfter, Problem } from './problem.js'
import type { ProblemCode } from '../../../problems.js'
import { RouteTable } from '../route-table.js'

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
    const problem = this.toProblem(error, request)
    const failure = { code: problem.code, stack: getStack(problem.options.cause) }
    if (problem.status >= 500) request.failure = failure
    // If no response can be sent, the request log has no line, so the failure is logged here.
    if (isClientDisconnect(error, request))
      this.logger.debug({ msg: 'The client disconnected before the end of the body', request_id: request.id })
    else if (problem.status >= 500 && (reply.sent || reply.raw.destroyed))
      this.logger.error({ msg: 'request', request_id: request.id, ...failure })
    if (reply.sent) return
    // Without this, Fastify would close the connection, and a client that is still sending would get a reset instead of
    // this response.
    if (problem.code === 'payload_too_large') void reply.removeHeader('connection')
    void reply
      .code(problem.status)
      .headers({ ...problem.options.headers, 'content-type': 'application/problem+json; charset=utf-8' })
      .send(JSON.stringify(problem.toBody(this.settings.publicUrl, request.id)))
  }

  private toProblem(error: unknown, request: FastifyRequest): Problem {
    if (error instanceof Problem) return error
    if (isClientDisconnect(error, request)) return new Problem('bad_request')
    if (isUnavailable(error))
      return new Problem('unavailable', { headers: { 'retry-after': unavailableRetryAfter }, cause: error })
    const status = getStatus(error)
    if (status === 404) return this.routes.findProblem(request) ?? new Problem('not_found')
    if (status === 413) return createTooLargeProblem(request)
    if (status === 415) return createWrongTypeProblem(request)
    const code = codeByStatus.get(status)
    if (code) return new Problem(code)
    return new Problem('internal_error', { cause: error })
  }
}

/** The error has the code of a lost connection, but comes from the client, not from the database. */
function isClientDisconnect(error: unknown, request: FastifyRequest): boolean {
  return error !== null && error === request.raw.errored
}

const codeByStatus = new Map<number, ProblemCode>([
  [400, 'bad_request'],
  [408, 'request_timeout'],
  [431, 'headers_too_large'],
])

function getStatus(error: unknown): number {
  if (error instanceof HttpException) return error.getStatus()
  const { statusCode } = error as { statusCode?: unknown }
  return typeof statusCode === 'number' ? statusCode : 500
}

/** Returns the stack for the log. The message of a failed statement is omitted, because it may quote parameters. */
function getStack(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code } = error as { code?: unknown }
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  const message =
    'driverError' in error || error instanceof pg.DatabaseError
      ? `database error ${String(code)}`
      : `${error.name}: ${error.message}`
  return [message, ...frames].join('\n')
}

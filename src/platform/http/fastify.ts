/** Fastify as the API wants it: the service's own answers also where the framework would refuse by itself. */
import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

import { FastifyAdapter } from '@nestjs/platform-fastify'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'

import type { RunningSettings } from '../config/settings.js'
import { readJsonBodies } from './input/body.js'
import { policyOfData, Problem } from './problems/problem.js'
import type { ProblemCode } from './problems/problems.js'
import { type RouteTable, isGivenTwice, originForm, requestIdFor } from './request.js'

const headersTimeoutMs = 60_000
/** The largest body, 256 MiB, may come over a slow line: this takes 1.2 Mbit a second. */
const requestTimeoutMs = 30 * 60_000
/** What is left of a body when its request is answered already. */
const restMayTakeMs = 60_000
const keepAliveMs = 72_000
// Longer than any id: a long one must reach its handler and be answered like an unknown one.
const longestParameter = 16_384

/** What stands in front of the framework. It is set when the application is ready: before, what it needs does not exist. */
export interface Front {
  /** Answers reads before the framework sees them, and says of each whether it did. */
  answer: ((request: IncomingMessage, response: ServerResponse) => boolean) | null
}

/** Another path under which callers find what the router knows under the usual one. See `cameBySecondPath`. */
export interface SecondPath {
  path: string
  usual: string
}

export function createAdapter(
  settings: RunningSettings,
  front: Front = { answer: null },
  second: SecondPath | null = null,
): FastifyAdapter {
  return new FastifyAdapter({
    ...(second ? { rewriteUrl: ({ url }: IncomingMessage) => routedAs(url ?? '/', second) } : {}),
    serverFactory: (framework: RequestListener): Server =>
      createServer(
        // Node would refuse a missing Host by itself, without a body; the hook below does it instead.
        {
          requireHostHeader: false,
          headersTimeout: headersTimeoutMs,
          requestTimeout: requestTimeoutMs,
          keepAliveTimeout: keepAliveMs,
        },
        (request, response) => {
          // What others may read differently is refused by the hook below, also where it asks for a short link.
          const mayBeInFront = isRead(request) && !faultOfMessage(request)
          if (!mayBeInFront || !front.answer?.(request, response)) framework(request, response)
        },
      ),
    genReqId: (request: IncomingMessage) => requestIdFor(request.headers['x-request-id']),
    trustProxy: settings.trustProxy ?? false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    skipMiddie: true,
    routerOptions: { maxParamLength: longestParameter },
    // The router could not decode the address, so there is no such thing.
    frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply) => {
      const { headers, body } = rawProblem(new Problem('not_found'), settings.publicUrl, request.id)
      void reply.code(404).headers(headers).send(body)
    },
    clientErrorHandler: (error, socket) => {
      refuseMalformed(error, socket, settings.publicUrl)
    },
  })
}

function isRead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD'
}

function routedAs(url: string, { path, usual }: SecondPath): string {
  const address = originForm(url)
  return address.startsWith(`${path}/`) ? usual + address.slice(path.length) : url
}

/** Everything that must hold before Nest sees a request. */
export function prepareFastify(fastify: FastifyInstance, routes: RouteTable): void {
  routes.watch(fastify)
  for (const name of ['keyed', 'keyOwner']) fastify.decorateRequest(name, null)
  readJsonBodies(fastify)
  boundUnreadBodies(fastify)
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.headers(safeHeaders)
    void reply.header('x-request-id', request.id)
    const fault = faultOfMessage(request.raw)
    const problem = fault
      ? new Problem('bad_request', { detail: fault, headers: { connection: 'close' } })
      : routes.refusal(request)
    done(problem ?? undefined)
  })
}

/** Callers whom nobody knows are answered before their bodies are read. They may not keep connections busy with them. */
function boundUnreadBodies(fastify: FastifyInstance): void {
  fastify.addHook('onResponse', ({ raw }, _reply, done) => {
    if (!raw.complete) {
      const patience = setTimeout(() => raw.socket.destroy(), restMayTakeMs).unref()
      raw.once('close', () => clearTimeout(patience))
    }
    done()
  })
}

const safeHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': policyOfData,
  'x-content-type-options': 'nosniff',
}

/** Whoever is in front of this service may have read such a message in another way, so the connection is closed. */
function faultOfMessage(request: IncomingMessage): string | null {
  const { headers, httpVersion } = request
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'Use HTTP/1.1.'
  if (headers.host === undefined && httpVersion === '1.1') return 'HTTP/1.1 needs a Host header.'
  if (isGivenTwice(request, 'host')) return 'Send one Host header.'
  const coding = headers['transfer-encoding']
  return coding === undefined || coding.trim().toLowerCase() === 'chunked'
    ? null
    : 'Send a body chunked or with its length, and in no other transfer coding.'
}

function rawProblem(
  problem: Problem,
  publicUrl: string,
  requestId: string,
): { headers: Record<string, string>; body: string } {
  return {
    headers: {
      ...safeHeaders,
      'x-request-id': requestId,
      'content-type': 'application/problem+json; charset=utf-8',
    },
    body: JSON.stringify(problem.toBody(publicUrl, requestId)),
  }
}

const codes = new Map<string | undefined, ProblemCode>([
  ['ERR_HTTP_REQUEST_TIMEOUT', 'request_timeout'],
  ['HPE_HEADER_OVERFLOW', 'headers_too_large'],
])

/** What is not HTTP at all has no request to answer to: the answer is written on the socket, which is then closed. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Socket, publicUrl: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const problem = new Problem(codes.get(error.code) ?? 'bad_request')
  const { headers, body } = rawProblem(problem, publicUrl, requestIdFor(undefined))
  const lines = Object.entries({
    ...headers,
    connection: 'close',
    'content-length': String(Buffer.byteLength(body)),
  })
  socket.end(
    `HTTP/1.1 ${problem.status} Refused\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  )
}

/** One line for each request that was not served as asked; successes are a matter of metrics and of LOG_LEVEL=debug. */
export function logRequests(
  fastify: FastifyInstance,
  logger: Logger,
  moreOf: (request: FastifyRequest) => Record<string, unknown>,
): void {
  fastify.addHook('onResponse', (request, reply, done) => {
    const level = reply.statusCode >= 500 ? 'error' : reply.statusCode >= 400 ? 'info' : 'debug'
    if (logger.isLevelEnabled(level))
      logger[level](
        {
          request_id: request.id,
          method: request.method,
          // The pattern, not the address as it came: that may hold what a caller mistook for a parameter.
          route: request.routeOptions.url ?? null,
          status: reply.statusCode,
          ms: Math.round(reply.elapsedTime * 10) / 10,
          ...moreOf(request),
        },
        'request',
      )
    done()
  })
}

/** Sets up Fastify, so that requests rejected by the framework get the service's own error responses. */
import { createServer, STATUS_CODES } from 'node:http'
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'

import { FastifyAdapter } from '@nestjs/platform-fastify'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { RunningSettings } from '../../settings.js'
import { readJsonBodies } from './input/body.js'
import { dataContentPolicy, Problem } from './problems/problem.js'
import type { ProblemCode } from '../../problems.js'
import type { RouteTable } from './route-table.js'
import { dashboardApiPath, isRepeatedHeader, originForm, portalApiPath, requestIdFor } from './request.js'
import { UnreadResponses } from './unread-responses.js'

const headersTimeoutMs = 60_000
/** Long enough for the largest body, 256 MiB, at 1.2 Mbit/s. */
const requestTimeoutMs = 30 * 60_000
/** How long the rest of a body may take to arrive after the response. */
const unreadBodyTimeoutMs = 60_000
const keepAliveMs = 72_000
// Longer than any ID, so that long texts also reach the handler and get the response for an unknown ID.
const maxParameterLength = 16_384

/** A handler in front of the framework. It is set when the application is ready, because it needs its providers. */
export interface Front {
  /** Handles GET and HEAD requests before the framework. Returns whether it sent a response. */
  handle: ((request: IncomingMessage, response: ServerResponse) => boolean) | null
}

export function createAdapter(settings: RunningSettings, front: Front = { handle: null }): FastifyAdapter {
  const unread = new UnreadResponses()
  return new FastifyAdapter({
    ...(settings.dashboard === 'on'
      ? { rewriteUrl: ({ url = '/' }: IncomingMessage) => apiUrl(url, settings.basePath) }
      : {}),
    serverFactory: (framework: RequestListener): Server =>
      createServer(
        // Node would reject a missing Host header with an empty response. The hook below rejects it instead.
        {
          requireHostHeader: false,
          headersTimeout: headersTimeoutMs,
          requestTimeout: requestTimeoutMs,
          keepAliveTimeout: keepAliveMs,
        },
        (request, response) => {
          latestResponses.set(request.socket, response)
          if (!unread.admit(request, response)) return
          if (settings.trustProxy) removeForwardedPorts(request)
          // The hook below rejects messages that a proxy may read differently, so they must not be handled here.
          const mayUseFront = isGetOrHead(request) && !findMessageFault(request)
          if (!mayUseFront || !front.handle?.(request, response)) framework(request, response)
        },
      ),
    genReqId: (request: IncomingMessage) => requestIdFor(request.headers['x-request-id']),
    trustProxy: settings.trustProxy ?? false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    skipMiddie: true,
    routerOptions: { maxParamLength: maxParameterLength },
    // The router could not decode the URL, so no route can match it.
    frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply) => {
      const { headers, body } = createRawProblem(new Problem('not_found'), settings.publicUrl, request.id)
      void reply.code(404).headers(headers).send(body)
    },
    clientErrorHandler: (error, socket) => {
      rejectMalformed(error, socket, settings.publicUrl)
    },
  })
}

const addressWithPort = /^(?:(\d+(?:\.\d+){3}):\d+|\[([\da-f:.]+)\](?::\d+)?)$/i

/** Some proxies add the client's port to its address in X-Forwarded-For. */
function removeForwardedPorts({ headers }: IncomingMessage): void {
  const forwarded = headers['x-forwarded-for']
  if (typeof forwarded !== 'string' || !forwarded.includes(':')) return
  headers['x-forwarded-for'] = forwarded
    .split(',')
    .map((entry) => entry.trim().replace(addressWithPort, '$1$2'))
    .join(',')
}

function isGetOrHead({ method }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** Returns the API URL of a request from the dashboard. Other URLs are unchanged. */
function apiUrl(url: string, basePath: string): string {
  const path = originForm(url)
  const prefix = [dashboardApiPath, portalApiPath].find((each) => path.startsWith(`${each}/v1/`))
  return prefix === undefined ? url : basePath + path.slice(prefix.length)
}

/** Sets up everything that runs before Nest handles a request. */
export function prepareFastify(fastify: FastifyInstance, routes: RouteTable): void {
  routes.registerHooks(fastify)
  fastify.decorateRequest('keyed', null)
  readJsonBodies(fastify)
  limitUnreadBodies(fastify)
  trackStreams(fastify)
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.headers(safeHeaders)
    void reply.header('x-request-id', request.id)
    // Generated clients can send an empty type without a body.
    if (request.headers['content-type'] === '') delete request.headers['content-type']
    const fault = findMessageFault(request.raw)
    const problem = fault
      ? new Problem('bad_request', { detail: fault, headers: { connection: 'close' } })
      : routes.findProblem(request)
    done(problem ?? undefined)
  })
}

/** After an early response, closes the connection if the rest of the request body does not arrive in time. */
function limitUnreadBodies(fastify: FastifyInstance): void {
  fastify.addHook('onResponse', ({ raw }, _reply, done) => {
    if (!raw.complete) {
      const timer = setTimeout(() => raw.socket.destroy(), unreadBodyTimeoutMs).unref()
      raw.once('close', () => clearTimeout(timer))
    }
    done()
  })
}

/**
 * Node, Fastify and Nest add up to eleven listeners to a streamed response of a pipelined request. Node would warn about
 * more than ten.
 */
const streamListeners = 20

/** The streamed responses of each connection that are not complete. */
const streams = new WeakMap<Socket, Set<ServerResponse>>()

function trackStreams(fastify: FastifyInstance): void {
  fastify.addHook('onSend', ({ raw: { socket } }, { raw: response }, payload, done) => {
    if (payload instanceof Readable) {
      const responses = streams.get(socket) ?? new Set()
      streams.set(socket, responses.add(response))
      response.once('close', () => responses.delete(response))
      response.setMaxListeners(streamListeners)
    }
    done(null, payload)
  })
}

const safeHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': dataContentPolicy,
  'x-content-type-options': 'nosniff',
}

/** Returns the error of a message that a proxy may have read differently. The connection is then closed. */
function findMessageFault(request: IncomingMessage): string | null {
  const { headers, httpVersion } = request
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'Use HTTP/1.1.'
  if (headers.host === undefined && httpVersion === '1.1') return 'HTTP/1.1 needs a Host header.'
  if (isRepeatedHeader(request, 'host')) return 'Send one Host header.'
  const coding = headers['transfer-encoding']
  return coding === undefined || coding.trim().toLowerCase() === 'chunked'
    ? null
    : 'Send the body chunked or with a Content-Length. Other transfer codings are not supported.'
}

function createRawProblem(
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

const malformed = new Map<string | undefined, ProblemCode>([
  ['ERR_HTTP_REQUEST_TIMEOUT', 'request_timeout'],
  ['HPE_HEADER_OVERFLOW', 'headers_too_large'],
])

/** The response to the latest request of each connection. */
const latestResponses = new WeakMap<Socket, ServerResponse>()

/** Connections that are closed when their pending responses are sent. */
const closing = new WeakSet<Socket>()

function closeAfter(response: ServerResponse, socket: Socket): void {
  // Each further part of the malformed bytes is another error.
  if (!closing.has(socket)) response.once('finish', () => socket.end())
  closing.add(socket)
}

/**
 * Responds to bytes that are not HTTP. There is no request, so the response is written to the socket, then closed. During
 * a streamed response, another response would become part of its body.
 */
function rejectMalformed(error: NodeJS.ErrnoException, socket: Socket, publicUrl: string): void {
  const isStreaming = (streams.get(socket)?.size ?? 0) > 0
  if (error.code === 'ECONNRESET' || !socket.writable || isStreaming) return void socket.destroy()
  const latest = latestResponses.get(socket)
  if (latest && !latest.writableFinished) {
    // The client would take this error for the response to an earlier request, which may have changed something.
    if (latest.req.complete) return closeAfter(latest, socket)
    if (latest.socket === null) return void socket.destroy()
  }
  if (latest?.req.complete === false && latest.headersSent) return void socket.end()
  const problem = new Problem(malformed.get(error.code) ?? 'bad_request')
  const { headers, body } = createRawProblem(problem, publicUrl, requestIdFor(undefined))
  const lines = Object.entries({
    ...headers,
    connection: 'close',
    'content-length': String(Buffer.byteLength(body)),
  })
  const status = `${problem.status} ${STATUS_CODES[problem.status]}`
  socket.end(
    `HTTP/1.1 ${status}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
  )
}

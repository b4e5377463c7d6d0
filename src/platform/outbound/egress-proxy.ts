/** Opens tunnels to receivers through the egress proxy (CONNECT), and separates its faults from those of receivers. */
import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { SecureContext } from 'node:tls'

import { Client } from 'undici'

import { formatHost } from '../config/egress-settings.js'
import type { ProxyAddress, SourceAddresses } from '../config/egress-settings.js'
import { version } from '../util/program.js'
import { parseLiteralAddresses } from './destination.js'
import type { Origin } from './destination.js'
import type { LookUp } from './name-lookup.js'
import { Failure } from './outcome.js'
import { ProxyHealth } from './proxy-health.js'
import { createProxyFailure, explainRefusal } from './proxy-response.js'
import { connectToFirst, startTls } from './sockets.js'

/** Time limit of a connection to the proxy, which is usually nearby. */
const connectLimitMs = 5_000
/** A tunnel fails this long before the deadline of its attempt, so that the cause is known. */
const marginMs = 50
/** Time limit of the check whether the proxy responds at all. */
const checkLimitMs = 2_000

interface ProxyRoute {
  source: SourceAddresses | null
  trust: SecureContext
  lookUp: LookUp
}

export class EgressProxy {
  readonly health = new ProxyHealth()
  /** `performance.now()` of the last response of any kind. */
  private lastResponseAt = -Infinity
  private runningCheck: Promise<boolean> | null = null

  constructor(
    private readonly address: ProxyAddress,
    private readonly route: ProxyRoute,
  ) {}

  /** `deadlineAt` is the `performance.now()` at which the attempt times out. */
  async openTunnel(origin: Origin, deadlineAt: number, signal: AbortSignal): Promise<Socket> {
    const startedAt = performance.now()
    const socket = await this.connect(startedAt, deadlineAt, signal)
    try {
      const tunnel = await this.requestTunnel(socket, origin, deadlineAt, signal)
      this.health.recordSuccess()
      return tunnel
    } catch (error) {
      socket.destroy()
      signal.throwIfAborted()
      throw error
    }
  }

  /** The host and port, for messages. */
  get name(): string {
    return `${formatHost(this.address.host)}:${this.address.port}`
  }

  /**
   * Returns whether the proxy responds to a request that concerns no receiver. Any response counts. Concurrent callers
   * share a check.
   */
  checkResponse(): Promise<boolean> {
    this.runningCheck ??= this.sendCheck().finally(() => (this.runningCheck = null))
    return this.runningCheck
  }

  /** Reports a connection that broke while the proxy did not respond, and returns the failure. */
  recordBreak(startedAt: number): Failure {
    return this.fail('The egress proxy of this service closed the connection.', true, startedAt)
  }

  private async connect(startedAt: number, deadlineAt: number, signal: AbortSignal): Promise<Socket> {
    const limitMs = Math.ceil(Math.max(1, Math.min(connectLimitMs, (deadlineAt - startedAt) / 2)))
    const late = AbortSignal.timeout(limitMs)
    try {
      return await this.connectWithin(AbortSignal.any([signal, late]))
    } catch (error) {
      signal.throwIfAborted()
      const reason = late.aborted ? 'did not accept the connection in time' : explainConnectError(error)
      throw this.fail(`The egress proxy of this service ${reason}.`, true, startedAt)
    }
  }

  private async connectWithin(signal: AbortSignal): Promise<Socket> {
    const { host, port, secure } = this.address
    const addresses = parseLiteralAddresses(host) ?? (await raceAbort(this.route.lookUp(host), signal))
    signal.throwIfAborted()
    const socket = await connectToFirst({ addresses, port, source: this.route.source }, signal)
    return secure ? startTls(socket, { hostname: host, port }, this.route.trust, signal) : socket
  }

  /** A silent proxy may be waiting for the receiver. If it responds to another request, the receiver is charged. */
  private async requestTunnel(
    socket: Socket,
    origin: Origin,
    deadlineAt: number,
    signal: AbortSignal,
  ): Promise<Socket> {
    const sentAt = performance.now()
    const leftMs = Math.ceil(Math.max(1, deadlineAt - marginMs - sentAt))
    const late = AbortSignal.timeout(leftMs)
    const check = setTimeout(() => void this.checkResponse(), leftMs / 2)
    const authority = `${origin.hostname}:${origin.port}`
    const client = this.createClient(socket)
    try {
      const { authorization } = this.address
      const response = await client.connect({
        path: authority,
        headers: {
          host: authority,
          'user-agent': `link-service/${version}`,
          ...(authorization === null ? {} : { 'proxy-authorization': authorization }),
        },
        signal: AbortSignal.any([signal, late]),
      })
      this.lastResponseAt = performance.now()
      const { statusCode, headers } = response
      if (statusCode >= 200 && statusCode < 300) return response.socket as Socket
      response.socket.on('error', () => undefined).destroy()
      const { failure, isTotal } = explainRefusal(statusCode, headers, origin)
      if (failure.kind === 'proxy') throw this.fail(failure.message, isTotal, sentAt)
      this.health.recordSuccess()
      throw failure
    } catch (error) {
      if (error instanceof Failure || signal.aborted) throw error
      if (!late.aborted)
        throw this.fail('The egress proxy of this service did not send a valid HTTP response.', false, sentAt)
      if (this.lastResponseAt >= sentAt)
        throw new Failure(
          'timeout',
          `The egress proxy of this service could not connect to ${authority} in time.`,
        )
      throw this.fail('The egress proxy of this service did not respond in time.', true, sentAt)
    } finally {
      clearTimeout(check)
      void client.destroy()
    }
  }

  private async sendCheck(): Promise<boolean> {
    const signal = AbortSignal.timeout(checkLimitMs)
    const socket = await this.connectWithin(signal).catch(() => null)
    if (!socket) return false
    const client = this.createClient(socket)
    try {
      const { body } = await client.request({
        method: 'GET',
        path: '/',
        headers: { host: this.name },
        signal,
      })
      body.on('error', () => undefined).destroy()
      this.lastResponseAt = performance.now()
      return true
    } catch {
      return false
    } finally {
      void client.destroy()
      socket.destroy()
    }
  }

  /** A client for one request on an open connection. Undici limits the size of the response headers. */
  private createClient(socket: Socket): Client {
    let isUsed = false
    const { secure } = this.address
    return new Client(`${secure ? 'https' : 'http'}://${this.name}`, {
      maxHeaderSize: 16 * 1024,
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (_options, done) => {
        // Undici sends nothing if this calls back synchronously.
        const error = isUsed ? new Error('The connection was closed.') : null
        isUsed = true
        queueMicrotask(() => (error ? done(error, null) : done(null, socket)))
      },
    })
  }

  private fail(message: string, isTotal: boolean, startedAt: number): Failure {
    this.health.recordFault({ message, isTotal, startedAt })
    return createProxyFailure(message)
  }
}

function explainConnectError(error: unknown): string {
  if (error instanceof Failure && error.kind === 'tls')
    return `has no valid certificate: ${error.message.replace(/\.$/, '')}`
  const { code, message } = error as NodeJS.ErrnoException
  if (error instanceof Failure) return `cannot be reached: ${message.replace(/\.$/, '')}`
  return `cannot be reached (${code ?? 'unknown error'})`
}

/** Rejects when the signal is aborted. The work continues, and its result is ignored. */
async function raceAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const ended = new AbortController()
  const aborted = once(signal, 'abort', { signal: ended.signal }).then(() => {
    throw signal.reason as Error
  })
  aborted.catch(() => undefined)
  try {
    return await Promise.race([work, aborted])
  } finally {
    ended.abort()
  }
}

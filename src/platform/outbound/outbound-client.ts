/** The only code that sends requests to user-supplied URLs. */
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common'
import type { Dispatcher } from 'undici'

import { currentTime } from '../util/clock.js'
import type { Network } from '../config/rules.js'
import { type Connection, Connections } from './connections.js'
import { type Origin, parseOrigin, Resolver } from './destination.js'
import type { LookUp } from './name-lookup.js'
import { Dialer } from './dialer.js'
import { EgressProxy } from './egress-proxy.js'
import { explainError, explainStatus } from './explain-error.js'
import { ConnectProgress, Failure, type Outcome, ResponseBody } from './outcome.js'
import { parseHeaders, parseRetryAfter } from './outcome.js'
import { createTrustContext } from './sockets.js'
import type { ProxyAddress, SourceAddresses } from '../config/egress-settings.js'
import { parseUrl } from '../util/parse-url.js'

export interface OutboundRequest {
  url: string
  /** The client adds `host`, `connection`, `accept-encoding` and `content-length`. */
  headers: Record<string, string>
  body: string | Buffer
}

/** Injection token for `OutboundRules`. */
export const OUTBOUND_RULES = Symbol('outbound rules')

export interface OutboundRules {
  allowHttp: boolean
  /** Private networks that are allowed. */
  allowedNetworks: readonly Network[]
  /** Certificates of trusted authorities, in addition to the well-known ones. */
  authorities: readonly string[]
  timeoutMs: number
  lookUp: LookUp
  /** Null to connect to receivers directly. */
  proxy?: ProxyAddress | null
  /** Null if the system chooses the local address. */
  source?: SourceAddresses | null
}

@Injectable()
export class OutboundClient implements OnModuleDestroy {
  /** Null if receivers are reached directly. */
  readonly proxy: EgressProxy | null
  private readonly connections: Connections

  constructor(@Inject(OUTBOUND_RULES) private readonly rules: OutboundRules) {
    const { allowedNetworks, authorities, lookUp, proxy = null, source = null } = rules
    const resolver = new Resolver(allowedNetworks, lookUp)
    const trust = createTrustContext(authorities)
    this.proxy = proxy && new EgressProxy(proxy, { source, trust, lookUp })
    this.connections = new Connections(new Dialer(resolver, trust, { source, proxy: this.proxy }))
  }

  /** Sends one POST request. Never rejects: errors are part of the outcome. */
  send(request: OutboundRequest): Promise<Outcome> {
    return new Promise((done) => {
      try {
        this.startExchange(request, done)
      } catch (error) {
        done(createUnsentOutcome(error))
      }
    })
  }

  /** Closes idle connections. Running requests continue until their response or their deadline. */
  onModuleDestroy(): void {
    this.connections.closeIdle()
  }

  private startExchange({ url, headers, body }: OutboundRequest, done: (outcome: Outcome) => void): void {
    const parsed = parseUrl(url)
    if (!parsed) throw new Failure('other', 'The URL is not valid.')
    const origin = parseOrigin(parsed, this.rules.allowHttp)
    const options = {
      path: parsed.pathname + parsed.search,
      method: 'POST',
      // A compressed response can expand to a thousand times its size.
      headers: { ...headers, 'accept-encoding': 'identity' },
      body,
    }
    const route = { connections: this.connections, proxy: this.proxy }
    new Exchange(options, origin, route, this.rules.timeoutMs, done).sendRequest()
  }
}

function createUnsentOutcome(error: unknown): Outcome {
  const failure = error instanceof Failure ? error : new Failure('other', 'The request could not be sent.')
  return {
    startedAt: currentTime(),
    durationMs: 0,
    statusCode: null,
    error: failure.toOutcomeError(null),
    remoteAddress: null,
    responseHeaders: null,
    responseBody: null,
    responseTruncated: false,
    timings: { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null, totalMs: 0 },
    retryAfter: null,
  }
}

/** Maximum number of interim responses (100, 102, 103) before the response. */
const maxInterimResponses = 10

/**
 * A request and its response, from the connection to the outcome. Implements undici's older handler interface, which
 * passes headers as bytes, reports the first byte, and costs less.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  progress: ConnectProgress
  private readonly startedAt = currentTime()
  private readonly start = performance.now()
  private readonly timer: NodeJS.Timeout
  private readonly body = new ResponseBody()
  private connection!: Connection
  private statusCode: number | null = null
  private rawHeaders: Buffer[] = []
  private interim = 0
  private complete = false
  private retried = false
  private settled = false

  constructor(
    readonly request: Dispatcher.DispatchOptions,
    private readonly origin: Origin,
    private readonly route: { connections: Connections; proxy: EgressProxy | null },
    private readonly timeoutMs: number,
    private readonly done: (outcome: Outcome) => void,
  ) {
    this.progress = new ConnectProgress(this.start + timeoutMs)
    this.timer = setTimeout(() => this.onTimeout(), timeoutMs)
  }

  sendRequest(connection = this.route.connections.acquire(this.origin)): void {
    this.connection = connection
    connection.dispatch(this)
  }

  onTimeout(): void {
    this.abort(new Failure('timeout', createTimeoutMessage(this.progress.step, this.origin, this.timeoutMs)))
  }

  rejectOversized(): void {
    const message =
      this.progress.step === 'first_byte'
        ? 'The response headers are too large or too many.'
        : 'The response is too large.'
    this.abort(new Failure('too_large', message))
  }

  onConnect(): void {
    this.progress.step = 'first_byte'
    this.progress.sentAt = performance.now()
  }

  onResponseStarted(): void {
    this.progress.firstByteMs ??= performance.now() - this.progress.sentAt!
  }

  onHeaders(statusCode: number, headers: Buffer[]): boolean {
    this.connection.markProgress()
    if (statusCode < 200) {
      if (++this.interim > maxInterimResponses)
        this.abort(new Failure('other', `The receiver sent too many interim responses (${statusCode}).`))
      return true
    }
    this.progress.step = 'body'
    this.statusCode = statusCode
    this.rawHeaders = headers
    return true
  }

  onData(chunk: Buffer): boolean {
    this.connection.markProgress()
    if (!this.settled && !this.body.appendChunk(chunk)) this.abort(null)
    return true
  }

  onComplete(): void {
    if (this.settled) return
    this.complete = true
    this.route.connections.release(this.connection)
    this.settle(null)
  }

  onError(error: Error): void {
    if (this.settled) return
    const failure = explainError(error, this.origin, this.connection.isEndedByPeer)
    const { proxy } = this.route
    if (this.mayRetry(failure)) this.retryRequest()
    else if (proxy && failure.kind === 'reset') void this.explainBreak(proxy, failure)
    else this.abort(failure)
  }

  /** A broken connection is a fault of the proxy if the proxy does not respond either. */
  private async explainBreak(proxy: EgressProxy, failure: Failure): Promise<void> {
    const isWorking = await proxy.checkResponse()
    if (!this.settled) this.abort(isWorking ? failure : proxy.recordBreak(performance.now()))
  }

  /**
   * Returns whether to resend the request on a new connection, without charging an attempt. A receiver may close an
   * idle connection just when a request is written to it. The receiver may still have read the request, which
   * at-least-once delivery allows.
   */
  private mayRetry(failure: Failure): boolean {
    const { isNew, firstByteMs } = this.progress
    return failure.kind === 'reset' && !isNew && firstByteMs === null && !this.retried
  }

  private retryRequest(): void {
    this.retried = true
    this.connection.destroy()
    this.progress = new ConnectProgress(this.progress.deadlineAt)
    this.sendRequest(this.route.connections.openConnection(this.origin))
  }

  /** Ends the request and closes its connection. The outcome contains the response received so far. */
  private abort(failure: Failure | null): void {
    if (this.settled) return
    this.settle(failure)
    this.connection.destroy()
  }

  private settle(failure: Failure | null): void {
    this.settled = true
    clearTimeout(this.timer)
    this.done(this.createOutcome(failure))
  }

  private createOutcome(failure: Failure | null): Outcome {
    const { progress, statusCode, startedAt } = this
    const headers = statusCode === null ? null : parseHeaders(this.rawHeaders)
    const refusal = headers && explainStatus(statusCode!, headers)
    const error = failure ? failure.toOutcomeError(progress.step) : (refusal?.toOutcomeError(null) ?? null)
    const totalMs = performance.now() - this.start
    const mayAskToWait = statusCode === 429 || statusCode === 503
    return {
      startedAt,
      durationMs: Math.round(totalMs),
      statusCode,
      error,
      remoteAddress: progress.remoteAddress,
      responseHeaders: headers,
      responseBody: statusCode === null ? null : this.body.toText(),
      responseTruncated: statusCode !== null && !this.complete,
      timings: {
        dnsMs: progress.dnsMs,
        connectMs: progress.connectMs,
        tlsMs: progress.tlsMs,
        firstByteMs: progress.firstByteMs,
        totalMs,
      },
      retryAfter: mayAskToWait ? parseRetryAfter(headers?.['retry-after'], currentTime()) : null,
    }
  }
}

function createTimeoutMessage(
  step: ConnectProgress['step'],
  { hostname }: Origin,
  timeoutMs: number,
): string {
  const within = `within ${timeoutMs / 1000} s`
  if (step === 'dns') return `The name ${hostname} could not be looked up ${within}.`
  if (step === 'connect') return `${hostname} did not accept the connection ${within}.`
  if (step === 'tls') return `The TLS handshake did not finish ${within}.`
  if (step === 'first_byte') return `The receiver did not respond ${within}.`
  return `The response was not complete ${within}.`
}

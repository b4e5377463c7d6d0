/**
 * One request and its answer, from the first step to the outcome. It is undici's handler in the older of its two forms:
 * that one gives the headers as bytes and tells of the first byte, and costs less.
 */
import type { Dispatcher } from 'undici'

import type { Connection, Connections } from './connections.js'
import { explainError, explainStatus } from './explain-error.js'
import { Failure, type Outcome, ResponseBody, keptHeaders, retryAfter } from './outcome.js'
import type { Origin } from './destination.js'
import { ConnectProgress } from './dialer.js'

/** 100, 102 and 103 may come before the answer; a receiver that sends many of them is not going to answer. */
const mostInterim = 10

interface Terms {
  timeoutMs: number
  signal: AbortSignal | undefined
}

export class Exchange implements Dispatcher.DispatchHandler {
  progress = new ConnectProgress()
  private readonly startedAt = new Date()
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
    private readonly connections: Connections,
    private readonly terms: Terms,
    private readonly done: (outcome: Outcome) => void,
  ) {
    this.timer = setTimeout(timeIsUp, terms.timeoutMs, this)
    if (terms.signal) cancelWith(terms.signal, this)
  }

  run(connection = this.connections.take(this.origin)): void {
    this.connection = connection
    connection.carry(this)
  }

  cancel(): void {
    this.giveUp(new Failure('canceled', 'The attempt was canceled before it was complete.'))
  }

  timeIsUp(): void {
    this.giveUp(new Failure('timeout', lateness(this.progress.step, this.origin, this.terms.timeoutMs)))
  }

  flooded(): void {
    const what =
      this.progress.step === 'answer'
        ? 'The headers of the answer are too large or too many.'
        : 'The receiver sent far more than an answer may have.'
    this.giveUp(new Failure('too_large', what))
  }

  onConnect(): void {
    this.progress.step = 'answer'
    this.progress.sentAt = performance.now()
  }

  onResponseStarted(): void {
    this.progress.firstByteMs ??= performance.now() - this.progress.sentAt!
  }

  onHeaders(statusCode: number, headers: Buffer[]): boolean {
    this.connection.progress()
    if (statusCode < 200) {
      if (++this.interim > mostInterim)
        this.giveUp(new Failure('other', `The receiver sent interim answers (${statusCode}) without an end.`))
      return true
    }
    this.progress.step = 'body'
    this.statusCode = statusCode
    this.rawHeaders = headers
    return true
  }

  onData(chunk: Buffer): boolean {
    this.connection.progress()
    if (!this.settled && !this.body.add(chunk)) this.giveUp(null)
    return true
  }

  onComplete(): void {
    if (this.settled) return
    this.complete = true
    this.connections.release(this.connection)
    this.settle(null)
  }

  onError(error: Error): void {
    if (this.settled) return
    const failure = explainError(error, this.origin, this.connection.endedByPeer)
    if (this.mayRetry(failure)) this.retry()
    else this.giveUp(failure)
  }

  /**
   * A receiver may close a kept connection at the moment when a request is written to it. That says nothing about the
   * receiver, so it must not cost an attempt: the request goes out once more, on a new connection. Only where not a byte
   * of an answer came. The receiver may have read the request all the same; deliveries are at-least-once, and it would
   * get this one again at the next attempt too.
   */
  private mayRetry(failure: Failure): boolean {
    const { fresh, firstByteMs } = this.progress
    return failure.kind === 'reset' && !fresh && firstByteMs === null && !this.retried
  }

  private retry(): void {
    this.retried = true
    this.connection.destroy()
    this.progress = new ConnectProgress()
    this.run(this.connections.open(this.origin))
  }

  /** Ends the request and its connection with the bytes that have come. The rest of the answer is not needed. */
  private giveUp(failure: Failure | null): void {
    if (this.settled) return
    this.settle(failure)
    this.connection.destroy()
  }

  private settle(failure: Failure | null): void {
    this.settled = true
    clearTimeout(this.timer)
    if (this.terms.signal) cancelNoMore(this.terms.signal, this)
    this.done(this.outcome(failure))
  }

  private outcome(failure: Failure | null): Outcome {
    const { progress, statusCode, startedAt } = this
    const headers = statusCode === null ? null : keptHeaders(this.rawHeaders)
    const error = failure ?? (headers && explainStatus(statusCode!, headers))
    const totalMs = performance.now() - this.start
    const mayAskToWait = statusCode === 429 || statusCode === 503
    return {
      startedAt,
      durationMs: Math.round(totalMs),
      statusCode,
      error: error?.asOutcome() ?? null,
      remoteAddress: progress.remoteAddress,
      responseHeaders: headers,
      responseBody: statusCode === null ? null : this.body.text(),
      responseTruncated: statusCode !== null && !this.complete,
      timings: {
        dnsMs: progress.dnsMs,
        connectMs: progress.connectMs,
        tlsMs: progress.tlsMs,
        firstByteMs: progress.firstByteMs,
        totalMs,
      },
      retryAfter: mayAskToWait ? retryAfter(headers?.['retry-after'], new Date()) : null,
    }
  }
}

function timeIsUp(exchange: Exchange): void {
  exchange.timeIsUp()
}

function lateness(step: ConnectProgress['step'], { hostname }: Origin, timeoutMs: number): string {
  const within = `within ${timeoutMs / 1000} s`
  if (step === 'name') return `The name ${hostname} could not be looked up ${within}.`
  if (step === 'connection') return `${hostname} did not accept the connection ${within}.`
  if (step === 'handshake') return `The secure connection (TLS) was not made ${within}.`
  if (step === 'answer') return `The receiver did not answer ${within}.`
  return `The answer was not complete ${within}.`
}

interface Cancelable {
  cancel(): void
}

/**
 * Which requests end with which signal. A worker's requests share one signal, and a listener for each of them would make
 * adding and removing one as slow as there are requests.
 */
const waiting = new WeakMap<AbortSignal, Set<Cancelable>>()

function cancelWith(signal: AbortSignal, request: Cancelable): void {
  const others = waiting.get(signal)
  if (others) return void others.add(request)
  const all = new Set([request])
  waiting.set(signal, all)
  signal.addEventListener('abort', () => all.forEach((one) => one.cancel()), { once: true })
}

function cancelNoMore(signal: AbortSignal, request: Cancelable): void {
  waiting.get(signal)?.delete(request)
}

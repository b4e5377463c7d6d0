/**
 * One connection, which carries one request at a time. It is undici's `Client` and not its `Pool` or `Agent`, because only
 * so is it certain which request a connection is opened for: whose deadline bounds it and whose timings it makes.
 */
import type { Socket } from 'node:net'

import { Client } from 'undici'
import type { Dispatcher } from 'undici'

import type { Dialer } from './dialer.js'
import { Failure } from './outcome.js'
import type { Origin } from './origin.js'
import type { Progress } from './progress.js'
import { ResponseGuard } from './response-guard.js'

const clientOptions = {
  pipelining: 1,
  maxHeaderSize: 16 * 1024,
  // A receiver that says how long it keeps connections (`Keep-Alive: timeout=5`) shortens this.
  keepAliveTimeout: 30_000,
  keepAliveMaxTimeout: 30_000,
  // The deadline of the request is above these.
  headersTimeout: 0,
  bodyTimeout: 0,
}

/** What a connection needs to know of the exchange that it carries. */
interface CarriedExchange extends Dispatcher.DispatchHandler {
  readonly request: Dispatcher.DispatchOptions
  readonly progress: Progress
  flooded(): void
}

export class Connection {
  private readonly client: Client
  private readonly ending = new AbortController()
  private exchange: CarriedExchange | null = null
  private socket: Socket | null = null
  private guard: ResponseGuard | null = null

  constructor(
    readonly origin: Origin,
    private readonly dialer: Dialer,
    onGone: (connection: Connection) => void,
  ) {
    this.client = new Client(origin.text, {
      ...clientOptions,
      connect: (_options, done) => {
        this.open().then(
          (socket) => done(null, socket),
          (error: Error) => done(error, null),
        )
      },
    })
    this.client.on('connect', () => {
      this.guard = new ResponseGuard(this.socket!, () => this.flooded())
    })
    this.client.on('disconnect', () => onGone(this))
  }

  carry(exchange: CarriedExchange): void {
    this.exchange = exchange
    this.guard?.startAnswer()
    exchange.progress.remoteAddress = this.socket?.remoteAddress ?? null
    this.client.dispatch(exchange.request, exchange)
  }

  /** Lets go of the request and its body while the connection waits for the next. */
  rest(): void {
    this.exchange = null
  }

  /** An answer may come before the request is sent; the rest of that request must not delay the next. */
  get reusable(): boolean {
    return this.socket?.destroyed === false && this.socket.writableLength === 0
  }

  get endedByPeer(): boolean {
    const { code } = (this.socket?.errored ?? {}) as NodeJS.ErrnoException
    return this.socket?.readableEnded === true || code === 'ECONNRESET' || code === 'EPIPE'
  }

  destroy(): void {
    if (!this.socket) this.ending.abort(new Failure('canceled', 'The connection was given up.'))
    void this.client.destroy()
  }

  /** Something came of what was read. */
  progress(): void {
    this.guard?.progress()
  }

  /** Undici calls this again when a kept connection was closed before the next request was written to it. */
  private async open(): Promise<Socket> {
    this.socket = null
    this.socket = await this.dialer.dial(this.origin, this.exchange!.progress, this.ending.signal)
    return this.socket
  }

  private flooded(): void {
    this.exchange?.flooded()
    this.destroy()
  }
}

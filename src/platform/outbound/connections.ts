/** The connections that are kept open for the next request to the same origin. */
import type { Socket } from 'node:net'

import { Client } from 'undici'
import type { Dispatcher } from 'undici'

import type { Dialer, Progress } from './dialer.js'
import type { Origin } from './origin.js'
import { Failure } from './outcome.js'
import { ResponseGuard } from './response-guard.js'

const clientOptions = {
  pipelining: 1,
  maxHeaderSize: 16 * 1024,
  // A receiver that says how long it keeps connections (`Keep-Alive: timeout=5`) shortens this.
  keepAliveTimeout: 30_000,
  keepAliveMaxTimeout: 30_000,
  // The request's own deadline ends it sooner than these.
  headersTimeout: 0,
  bodyTimeout: 0,
}

/** What a connection needs to know of the exchange that it carries. */
interface CarriedExchange extends Dispatcher.DispatchHandler {
  readonly request: Dispatcher.DispatchOptions
  readonly progress: Progress
  flooded(): void
}

/**
 * One connection, which carries one request at a time. It is undici's `Client` and not its `Pool` or `Agent`, because only
 * so is it certain which request a connection is opened for: whose deadline bounds it and whose timings it makes.
 */
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

  /** The parser made headers or body data of what was read. */
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

export class Connections {
  /** By origin, the latest used at the end: the others grow old and close when there is less to do. */
  private readonly idle = new Map<string, Connection[]>()
  /** All of them, the longest unused first. */
  private readonly byAge = new Set<Connection>()

  /** The limit is over all origins: with 100,000 webhooks the files that a process may open would not last. */
  constructor(
    private readonly dialer: Dialer,
    private readonly mostIdle = 2000,
  ) {}

  take(origin: Origin): Connection {
    const connection = this.idle.get(origin.text)?.at(-1)
    if (!connection) return this.open(origin)
    this.forget(connection)
    return connection
  }

  open(origin: Origin): Connection {
    return new Connection(origin, this.dialer, this.forget)
  }

  release(connection: Connection): void {
    if (!connection.reusable) return connection.destroy()
    connection.rest()
    const { text } = connection.origin
    const others = this.idle.get(text)
    if (others) others.push(connection)
    else this.idle.set(text, [connection])
    this.byAge.add(connection)
    if (this.byAge.size > this.mostIdle) this.end(this.byAge.values().next().value!)
  }

  endAll(): void {
    for (const connection of this.byAge) this.end(connection)
  }

  private end(connection: Connection): void {
    this.forget(connection)
    connection.destroy()
  }

  private readonly forget = (connection: Connection): void => {
    if (!this.byAge.delete(connection)) return
    const { text } = connection.origin
    const others = this.idle.get(text)!
    if (others.at(-1) === connection) others.pop()
    else others.splice(others.indexOf(connection), 1)
    if (others.length === 0) this.idle.delete(text)
  }
}

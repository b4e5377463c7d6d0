/** The connections that are kept open for the next request to the same origin, and what guards each of them. */
import type { Socket } from 'node:net'

import { Client } from 'undici'
import type { Dispatcher } from 'undici'

import type { Dialer } from './dialer.js'
import type { Origin } from './destination.js'
import { type ConnectProgress, Failure } from './outcome.js'

/** Undici parses everything that one read returns, also after a limit is reached. So a read returns at most this much. */
const maxReadBytes = 1024
/** The most bytes and lines in a row without a header block or body data. */
const maxQuietBytes = 16 * 1024
const maxQuietLines = 256
/** The most bytes of one response. The headers and the body that are kept need far less. */
const maxResponseBytes = 256 * 1024

/**
 * Limits what undici reads of a response. Undici limits the bytes of header names and values, but keeps an object of two
 * hundred bytes for each header, however short. It limits neither status lines nor blank lines and chunk extensions.
 */
export class ResponseGuard {
  private total = 0
  private quiet = 0
  private quietLines = 0

  constructor(socket: Socket, onFlood: () => void) {
    const read = socket.read.bind(socket)
    socket.read = (size = Math.min(maxReadBytes, socket.readableLength)) => {
      if (this.isFlooded()) onFlood()
      if (socket.destroyed) return null
      const bytes = read(size) as Buffer | null
      if (!bytes) return null
      if (this.total === 0) acceptContinue(bytes)
      this.count(bytes)
      return bytes
    }
  }

  startResponse(): void {
    this.total = 0
    this.progress()
  }

  progress(): void {
    this.quiet = 0
    this.quietLines = 0
  }

  private isFlooded(): boolean {
    return this.quiet > maxQuietBytes || this.quietLines > maxQuietLines || this.total > maxResponseBytes
  }

  private count(bytes: Buffer): void {
    // The first read is almost always the whole response, so its lines are not worth counting.
    if (this.quiet > 0) for (const byte of bytes) if (byte === 0x0a) this.quietLines += 1
    this.quiet += bytes.length
    this.total += bytes.length
  }
}

/**
 * Undici fails when a receiver sends `100 Continue` unasked, although a client may discard it (RFC 9110, 15.2.1). Undici
 * passes every other interim status on, so 100 becomes 102 here.
 */
function acceptContinue(bytes: Buffer): void {
  if (/^HTTP\/1\.[01] 100 /.test(bytes.toString('latin1', 0, 13))) bytes.write('2', 11, 'latin1')
}

const clientOptions = {
  pipelining: 1,
  maxHeaderSize: 16 * 1024,
  // A receiver that says how long it keeps connections (`Keep-Alive: timeout=5`) shortens this.
  keepAliveTimeout: 30_000,
  keepAliveMaxTimeout: 30_000,
  // These timeouts are off, because each request has its own deadline.
  headersTimeout: 0,
  bodyTimeout: 0,
}

/** What a connection needs to know of the exchange that it carries. */
interface CarriedExchange extends Dispatcher.DispatchHandler {
  readonly request: Dispatcher.DispatchOptions
  readonly progress: ConnectProgress
  flooded(): void
}

/**
 * One connection, which carries one request at a time. It uses undici's `Client` and not its `Pool` or `Agent`, because
 * only then is it certain which request a connection is opened for. The deadline of that request bounds the opening,
 * and its timings include it.
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
    this.guard?.startResponse()
    exchange.progress.remoteAddress = this.socket?.remoteAddress ?? null
    this.client.dispatch(exchange.request, exchange)
  }

  /** Lets go of the request and its body while the connection waits for the next. */
  rest(): void {
    this.exchange = null
  }

  /** An answer may come before its request is fully sent. The rest of that request must not delay the next one. */
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

  /** Called when the parser has found headers or body data in what was read. */
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
  /** By origin. The last one was used last and is taken first, so that the others can grow old and close. */
  private readonly idle = new Map<string, Connection[]>()
  /** All idle connections, the longest unused first. */
  private readonly byAge = new Set<Connection>()

  /** The limit is over all origins. With 100,000 receivers, a process would otherwise open more files than it may. */
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

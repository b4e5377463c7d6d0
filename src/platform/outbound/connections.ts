/** The connections that are kept open for the next request to the same origin, and what guards each of them. */
import type { Socket } from 'node:net'

import { Client } from 'undici'
import type { Dispatcher } from 'undici'

import type { Dialer } from './dialer.js'
import type { Origin } from './destination.js'
import { type ConnectProgress, Failure } from './outcome.js'

/** How much undici parses at once. Its parser goes through all it gets, also when the first byte was one too many. */
const sliceBytes = 1024
/** Bytes that may be read in a row without a header block or body data. */
const mostQuietBytes = 16 * 1024
const mostQuietLines = 256
/** In all: far beyond what the headers and the body that are kept can take. */
const mostBytes = 256 * 1024

/**
 * Watches what is read of an answer. Undici limits the bytes of names and values, and keeps an object for each of them: a
 * header of one byte costs it two hundred, so that a receiver with 16,000 of those would take some megabytes. And it sets no
 * limit for status lines, chunk extensions and blank lines.
 *
 * It does so as one more listener of the socket. Node tells `data` of every read, before the reader has the bytes: there
 * each slice is counted, and the next one is put back for the read that follows.
 */
export class ResponseGuard {
  private total = 0
  private quiet = 0
  private quietLines = 0
  /** Read from the socket and not yet put back. */
  private rest: Buffer = Buffer.alloc(0)
  private isTaking = false

  /** Must be made after undici listens, because a listener for `data` alone would set the socket flowing. */
  constructor(
    private readonly socket: Socket,
    private readonly onFlood: () => void,
  ) {
    socket.prependListener('readable', () => this.cut())
    socket.on('data', (slice: Buffer) => this.pass(slice))
  }

  startAnswer(): void {
    this.total = 0
    this.progress()
  }

  progress(): void {
    this.quiet = 0
    this.quietLines = 0
  }

  /** Comes before undici's own listener, which then reads until there is nothing left. */
  private cut(): void {
    if (this.socket.readableLength <= sliceBytes) return
    this.isTaking = true
    this.rest = this.socket.read() as Buffer
    this.isTaking = false
    this.putBack()
  }

  private pass(slice: Buffer): void {
    if (this.isTaking) return
    if (this.isFlooded()) this.onFlood()
    this.count(slice)
    this.putBack()
  }

  private putBack(): void {
    if (this.rest.length === 0) return
    const slice = this.rest.subarray(0, sliceBytes)
    this.rest = this.rest.subarray(sliceBytes)
    // Once the connection is given up, this drops what is left of it.
    if (!this.socket.destroyed) this.socket.unshift(slice)
  }

  private isFlooded(): boolean {
    return this.quiet > mostQuietBytes || this.quietLines > mostQuietLines || this.total > mostBytes
  }

  private count(slice: Buffer): void {
    // Almost always the first slice is the whole answer, and not worth counting.
    if (this.quiet > 0) for (const byte of slice) if (byte === 0x0a) this.quietLines += 1
    this.quiet += slice.length
    this.total += slice.length
  }
}

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
  readonly progress: ConnectProgress
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

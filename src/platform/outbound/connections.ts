/** Connections that stay open for the next request to the same origin, and the limits on what they read. */
import type { Socket } from 'node:net'

import { Client } from 'undici'
import type { Dispatcher } from 'undici'

import type { Dialer } from './dialer.js'
import type { Origin } from './destination.js'
import { type ConnectProgress, Failure } from './outcome.js'

/** Maximum bytes of a read. Undici parses everything that a read returns, even after a limit is reached. */
const maxReadBytes = 1024
/** Maximum consecutive bytes and lines without a header block or body data. */
const maxQuietBytes = 16 * 1024
const maxQuietLines = 256
/** Maximum bytes of a response. The stored headers and body are far smaller. */
const maxResponseBytes = 256 * 1024

/**
 * Limits what undici reads of a response. Undici limits the bytes of header names and values, but stores an object of
 * 200 bytes for each header, and does not limit status lines, blank lines and chunk extensions.
 */
export class ResponseGuard {
  private total = 0
  private quiet = 0
  private quietLines = 0

  constructor(socket: Socket, onOversized: () => void) {
    const read = socket.read.bind(socket)
    socket.read = (size = Math.min(maxReadBytes, socket.readableLength)) => {
      if (this.isOversized()) onOversized()
      if (socket.destroyed) return null
      const bytes = read(size) as Buffer | null
      if (!bytes) return null
      if (this.total === 0) replaceContinue(bytes)
      this.countBytes(bytes)
      return bytes
    }
  }

  startResponse(): void {
    this.total = 0
    this.markProgress()
  }

  markProgress(): void {
    this.quiet = 0
    this.quietLines = 0
  }

  private isOversized(): boolean {
    return this.quiet > maxQuietBytes || this.quietLines > maxQuietLines || this.total > maxResponseBytes
  }

  private countBytes(bytes: Buffer): void {
    // The first read usually contains the whole response, so its lines are not counted.
    if (this.quiet > 0) for (const byte of bytes) if (byte === 0x0a) this.quietLines += 1
    this.quiet += bytes.length
    this.total += bytes.length
  }
}

/**
 * Replaces status 100 with 102. Undici fails on an unexpected `100 Continue`, which a client may discard (RFC 9110,
 * 15.2.1), but accepts every other interim status.
 */
function replaceContinue(bytes: Buffer): void {
  if (/^HTTP\/1\.[01] 100 /.test(bytes.toString('latin1', 0, 13))) bytes.write('2', 11, 'latin1')
}

const clientOptions = {
  pipelining: 1,
  maxHeaderSize: 16 * 1024,
  // A receiver can shorten this (`Keep-Alive: timeout=5`).
  keepAliveTimeout: 30_000,
  keepAliveMaxTimeout: 30_000,
  // Off, because each request has its own deadline.
  headersTimeout: 0,
  bodyTimeout: 0,
}

/** The exchange on a connection. */
interface ActiveExchange extends Dispatcher.DispatchHandler {
  readonly request: Dispatcher.DispatchOptions
  readonly progress: ConnectProgress
  rejectOversized(): void
}

/**
 * A connection, which carries one request at a time. Uses undici's `Client` instead of its `Pool` or `Agent`, so that
 * it is known for which request a connection is opened: the deadline and the timings of this request include the
 * opening.
 */
export class Connection {
  private readonly client: Client
  private readonly ending = new AbortController()
  private exchange: ActiveExchange | null = null
  private socket: Socket | null = null
  /** Null behind a proxy, whose address says nothing about the receiver. */
  private remoteAddress: string | null = null
  private guard: ResponseGuard | null = null

  constructor(
    readonly origin: Origin,
    private readonly dialer: Dialer,
    onGone: (connection: Connection) => void,
  ) {
    this.client = new Client(origin.text, {
      ...clientOptions,
      connect: (_options, done) => {
        this.openSocket().then(
          (socket) => done(null, socket),
          (error: Error) => done(error, null),
        )
      },
    })
    this.client.on('connect', () => {
      this.guard = new ResponseGuard(this.socket!, () => this.rejectOversized())
    })
    this.client.on('disconnect', () => onGone(this))
  }

  dispatch(exchange: ActiveExchange): void {
    this.exchange = exchange
    this.guard?.startResponse()
    exchange.progress.remoteAddress = this.remoteAddress
    this.client.dispatch(exchange.request, exchange)
  }

  /** Releases the request and its body while the connection is idle. */
  clearExchange(): void {
    this.exchange = null
  }

  /** False if the response arrived before the request was fully sent: the rest would delay the next request. */
  get isReusable(): boolean {
    return this.socket?.destroyed === false && this.socket.writableLength === 0
  }

  get isEndedByPeer(): boolean {
    const { code } = (this.socket?.errored ?? {}) as NodeJS.ErrnoException
    return this.socket?.readableEnded === true || code === 'ECONNRESET' || code === 'EPIPE'
  }

  destroy(): void {
    if (!this.socket) this.ending.abort(new Failure('canceled', 'The connection was closed.'))
    void this.client.destroy()
  }

  /** Called when the parser has found headers or body data. */
  markProgress(): void {
    this.guard?.markProgress()
  }

  /** Undici calls this again if an idle connection was closed before the next request was written to it. */
  private async openSocket(): Promise<Socket> {
    this.socket = null
    const { progress } = this.exchange!
    this.socket = await this.dialer.dial(this.origin, progress, this.ending.signal)
    this.remoteAddress = progress.remoteAddress
    return this.socket
  }

  private rejectOversized(): void {
    this.exchange?.rejectOversized()
    this.destroy()
  }
}

export class Connections {
  /** By origin, the most recently used last. It is reused first, so that the others time out. */
  private readonly idle = new Map<string, Connection[]>()
  /** All idle connections, least recently used first. */
  private readonly byAge = new Set<Connection>()

  /** `maxIdle` applies to all origins together, because the number of open files is limited. */
  constructor(
    private readonly dialer: Dialer,
    private readonly maxIdle = 2000,
  ) {}

  acquire(origin: Origin): Connection {
    const connection = this.idle.get(origin.text)?.at(-1)
    if (!connection) return this.openConnection(origin)
    this.removeIdle(connection)
    return connection
  }

  openConnection(origin: Origin): Connection {
    return new Connection(origin, this.dialer, this.removeIdle)
  }

  release(connection: Connection): void {
    if (!connection.isReusable) return connection.destroy()
    connection.clearExchange()
    const { text } = connection.origin
    const others = this.idle.get(text)
    if (others) others.push(connection)
    else this.idle.set(text, [connection])
    this.byAge.add(connection)
    if (this.byAge.size > this.maxIdle) this.close(this.byAge.values().next().value!)
  }

  closeIdle(): void {
    for (const connection of this.byAge) this.close(connection)
  }

  private close(connection: Connection): void {
    this.removeIdle(connection)
    connection.destroy()
  }

  private readonly removeIdle = (connection: Connection): void => {
    if (!this.byAge.delete(connection)) return
    const { text } = connection.origin
    const others = this.idle.get(text)!
    if (others.at(-1) === connection) others.pop()
    else others.splice(others.indexOf(connection), 1)
    if (others.length === 0) this.idle.delete(text)
  }
}

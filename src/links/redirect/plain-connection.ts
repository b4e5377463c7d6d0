/**
 * A connection on which short links are answered without node's HTTP: its request and response objects cost more than
 * all the rest of a redirect. It stays here while nothing but plain requests for short links come, one after the other.
 * With the first one that is anything else the connection, and those bytes, go to node for good.
 */
import { STATUS_CODES } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'

import type { CompiledLink } from './compiled-link.js'
import type { Exchange } from './exchange.js'
import type { PlainRequest, PlainRequestReader } from './plain-request.js'
import { redirectHead } from './redirect-head.js'
import type { HeadEnds } from './redirect-head.js'

export interface PlainConnectionOptions {
  reader: PlainRequestReader
  /** True when it took the request. */
  handle(exchange: Exchange): boolean
  onClosed(connection: PlainConnection): void
  heads: HeadEnds
  /** How long it may be open with nothing happening on it. */
  keepAliveMs: number
}

export class PlainConnection implements Exchange {
  readonly method = 'GET'
  private request: PlainRequest | null = null
  private head = ''
  private isBusy = false
  private hasEnded = false
  private isLast = false
  /** What came while a request was being answered. */
  private ahead: Buffer | null = null

  constructor(
    readonly socket: Socket,
    /** Gives it to node, which reads from it as if it were new. */
    private readonly handOn: (socket: Socket) => void,
    private readonly options: PlainConnectionOptions,
  ) {
    socket.setTimeout(options.keepAliveMs)
    socket.on('data', this.read).on('end', this.end).on('timeout', this.abort)
    socket.on('error', this.abort).on('close', this.forget)
  }

  get url(): string | undefined {
    return this.request?.url
  }

  get headers(): IncomingHttpHeaders {
    return this.request?.headers ?? {}
  }

  redirect(link: CompiledLink, location: string, requestId: string): void {
    const start = location === link.location ? link.head : redirectHead(link.status, location)
    this.head = start + requestId
  }

  readonly leave = (): void => {
    this.write(this.head, null)
  }

  answer(status: number, headers: string[], body: Buffer): void {
    let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}`
    for (let i = 0; i < headers.length; i += 2) head += `\r\n${headers[i]}: ${headers[i + 1]}`
    this.write(head, body)
  }

  readonly abort = (): void => {
    this.socket.destroy()
  }

  /** Closes it now, or after the answer that is being made. */
  closeWhenIdle(): void {
    this.isLast = true
    if (!this.isBusy) this.socket.destroy()
  }

  private readonly read = (bytes: Buffer): void => {
    if (this.isBusy) {
      this.socket.pause()
      this.ahead = this.ahead === null ? bytes : Buffer.concat([this.ahead, bytes])
      return
    }
    // Answers that nobody fetches: node knows how to make such a client wait.
    const canRead = this.socket.writableLength === 0
    this.request = canRead ? this.options.reader.read(bytes, this.request) : null
    if (this.request === null) return this.giveAway(bytes)
    this.isBusy = true
    if (!this.options.handle(this)) this.giveAway(bytes)
  }

  private write(head: string, body: Buffer | null): void {
    const { socket } = this
    this.isBusy = false
    if (socket.destroyed) return
    const isLast = this.isLast || this.hasEnded
    const text = head + this.options.heads.at(Date.now(), !isLast)
    if (body === null) socket.write(text, 'latin1')
    else socket.write(Buffer.concat([Buffer.from(text, 'latin1'), body]))
    if (isLast) socket.end()
    else if (this.ahead !== null) this.giveAway(this.ahead)
  }

  /** The visitor sends no more, and may still be waiting for the answer. */
  private readonly end = (): void => {
    this.hasEnded = true
    if (!this.isBusy) this.socket.end()
  }

  private giveAway(unread: Buffer): void {
    const { socket } = this
    socket.setTimeout(0)
    socket.off('data', this.read).off('end', this.end).off('timeout', this.abort)
    socket.off('error', this.abort).off('close', this.forget)
    this.forget()
    socket.pause()
    socket.unshift(unread)
    this.handOn(socket)
    socket.resume()
  }

  private readonly forget = (): void => {
    this.options.onClosed(this)
  }
}

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

import type { CompiledLink } from './compiled-link.js'
import { redirectHeaders } from './redirect-head.js'

/** A request that may be for a short link, and the ways to answer it. */
export interface Exchange {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly socket: Socket
  /** Makes the redirect, which waits for `leave`. */
  redirect(link: CompiledLink, location: string, requestId: string): void
  leave(): void
  /** Answers with a body, at once. */
  answer(status: number, headers: string[], body: Buffer): void
  /** No answer can be made: the connection is closed. */
  abort(): void
}

/** A request that node has read. */
export class NodeExchange implements Exchange {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly socket: Socket

  constructor(
    request: IncomingMessage,
    private readonly response: ServerResponse,
  ) {
    this.method = request.method
    this.url = request.url
    this.headers = request.headers
    this.socket = request.socket
  }

  redirect(link: CompiledLink, location: string, requestId: string): void {
    this.response.writeHead(link.status, redirectHeaders(location, requestId))
  }

  leave(): void {
    this.response.end()
  }

  answer(status: number, headers: string[], body: Buffer): void {
    this.response.writeHead(status, headers)
    this.response.end(this.method === 'HEAD' ? undefined : body)
  }

  abort(): void {
    this.response.destroy()
  }
}

/** What stands between the port and the framework: short links are answered here, the rest goes to node and on. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

import type { DoorKeeper } from '../../http/front-door.js'
import { NodeExchange } from './exchange.js'
import { PlainConnection } from './plain-connection.js'
import type { PlainConnectionOptions } from './plain-connection.js'
import { PlainRequestReader } from './plain-request.js'
import { prefetchHeaders } from './prefetch.js'
import { HeadEnds } from './redirect-head.js'
import { createRedirectHandler } from './redirect-handler.js'
import type { RedirectHandler, RedirectOptions } from './redirect-handler.js'

const headersOfVisits = ['user-agent', 'referer', 'accept-language', 'accept', 'x-request-id']

export class ShortLinkDoor implements DoorKeeper {
  private readonly handle: RedirectHandler
  private readonly options: PlainConnectionOptions
  private readonly open = new Set<PlainConnection>()
  private isClosing = false

  constructor(options: RedirectOptions, keepAliveMs: number) {
    this.handle = createRedirectHandler(options)
    const { countryHeader, clientAddress } = options
    this.options = {
      reader: new PlainRequestReader([
        ...headersOfVisits,
        ...prefetchHeaders,
        ...(clientAddress ? ['x-forwarded-for'] : []),
        ...(countryHeader ? [countryHeader.toLowerCase()] : []),
      ]),
      handle: this.handle,
      onClosed: (connection) => this.open.delete(connection),
      heads: new HeadEnds(keepAliveMs),
      keepAliveMs,
    }
  }

  meet(socket: Socket, handOn: (socket: Socket) => void): void {
    if (this.isClosing) handOn(socket)
    else this.open.add(new PlainConnection(socket, handOn, this.options))
  }

  take(request: IncomingMessage, response: ServerResponse): boolean {
    return this.handle(new NodeExchange(request, response))
  }

  closeWhenIdle(): void {
    this.isClosing = true
    for (const connection of this.open) connection.closeWhenIdle()
  }

  closeAll(): void {
    for (const connection of this.open) connection.abort()
  }
}

/** A place in front of node's HTTP and the framework behind it, for whoever can answer there. */
import { Server } from 'node:http'
import type { IncomingMessage, RequestListener, ServerOptions, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface DoorKeeper {
  /** Keeps a new connection, or gives it to node at once or later. */
  meet(socket: Socket, handOn: (socket: Socket) => void): void
  /** Answers a request that node has read and returns true, or leaves it to the framework. */
  take(request: IncomingMessage, response: ServerResponse): boolean
  /** Closes what it has kept: each connection when nothing is being answered on it, or all at once. */
  closeWhenIdle(): void
  closeAll(): void
}

/** Nobody keeps it until there is something behind it. */
export interface FrontDoor {
  keeper: DoorKeeper | null
}

export class FrontServer extends Server {
  constructor(
    private readonly door: FrontDoor,
    options: ServerOptions,
    handOn: RequestListener,
  ) {
    super(options, (request, response) => {
      if (!door.keeper?.take(request, response)) handOn(request, response)
    })
    const [serve] = this.listeners('connection') as ((socket: Socket) => void)[]
    const toNode = (socket: Socket) => serve!.call(this, socket)
    this.removeAllListeners('connection')
    this.on('connection', (socket) => {
      if (door.keeper) door.keeper.meet(socket, toNode)
      else toNode(socket)
    })
  }

  /** Node calls it when the server is closed. */
  override closeIdleConnections(): void {
    super.closeIdleConnections()
    this.door.keeper?.closeWhenIdle()
  }

  override closeAllConnections(): void {
    super.closeAllConnections()
    this.door.keeper?.closeAll()
  }
}

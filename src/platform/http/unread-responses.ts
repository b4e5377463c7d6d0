/**
 * Backpressure on clients that pipeline requests and do not read the responses. Node reads on until the bytes of the
 * responses pile up, and keeps several objects for each request until then. The fastest sender would be served most.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** A connection with this many waiting responses is read again only when all of them have left. */
const manyWaiting = 32
/** A connection with more waiting responses is closed, because no client needs so many. */
const mostWaiting = 128
const readWithinMs = 10_000

interface WaitingResponses {
  count: number
  /** Runs while the connection is not read, and closes it in the end. */
  patience: NodeJS.Timeout | null
}

export class UnreadResponses {
  private readonly connections = new WeakMap<Socket, WaitingResponses>()

  /** False when the request needs no response, because the connection is closed or this was one request too many. */
  admit({ socket }: IncomingMessage, response: ServerResponse): boolean {
    // A response has its socket at once when no earlier one waits. So this costs nearly all requests nothing.
    if (response.socket !== null) return true
    if (socket.destroyed) return false
    const waiting = this.waitingOn(socket)
    waiting.count += 1
    if (waiting.count > mostWaiting) {
      socket.destroy()
      return false
    }
    if (waiting.count >= manyWaiting) {
      // Reading the body of an earlier request resumes the connection, so each further request pauses it again.
      socket.pause()
      waiting.patience ??= setTimeout(() => socket.destroy(), readWithinMs).unref()
    }
    response.on('close', () => {
      waiting.count -= 1
      if (waiting.count > 0 || !waiting.patience) return
      clearTimeout(waiting.patience)
      waiting.patience = null
      socket.resume()
    })
    return true
  }

  private waitingOn(socket: Socket): WaitingResponses {
    let waiting = this.connections.get(socket)
    if (!waiting) this.connections.set(socket, (waiting = { count: 0, patience: null }))
    return waiting
  }
}

/**
 * Backpressure on clients that pipeline requests without reading the responses. Node itself stops reading only when the
 * bytes of the responses pile up, and keeps several objects for each request.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** A connection with this many waiting responses is paused until all of them are sent. */
const manyWaiting = 32
/** A connection with more waiting responses is closed. */
const maxWaiting = 128
const pauseTimeoutMs = 10_000

interface WaitingResponses {
  count: number
  /** Closes the connection if it stays paused for too long. */
  timeout: NodeJS.Timeout | null
}

export class UnreadResponses {
  private readonly connections = new WeakMap<Socket, WaitingResponses>()

  /**
   * Returns false if the request needs no response, because the connection is closed or was closed for this request.
   */
  admit({ socket }: IncomingMessage, response: ServerResponse): boolean {
    // Without waiting responses, a response has its socket immediately, so nearly all requests return here.
    if (response.socket !== null) return true
    if (socket.destroyed) return false
    const waiting = this.getWaitingResponses(socket)
    waiting.count += 1
    if (waiting.count > maxWaiting) {
      socket.destroy()
      return false
    }
    if (waiting.count >= manyWaiting) {
      // Reading the body of an earlier request resumes the connection, so each further request pauses it again.
      socket.pause()
      waiting.timeout ??= setTimeout(() => socket.destroy(), pauseTimeoutMs).unref()
    }
    response.on('close', () => {
      waiting.count -= 1
      if (waiting.count > 0 || !waiting.timeout) return
      clearTimeout(waiting.timeout)
      waiting.timeout = null
      socket.resume()
    })
    return true
  }

  private getWaitingResponses(socket: Socket): WaitingResponses {
    let waiting = this.connections.get(socket)
    if (!waiting) this.connections.set(socket, (waiting = { count: 0, timeout: null }))
    return waiting
  }
}

/**
 * Holds back clients that send request after request and do not fetch the answers. Node would read on until the bytes of
 * the answers pile up: it keeps several objects of each request until then, and who sends fastest is read most.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** With so many answers behind another one, a connection is read again only when all of them have left. */
const manyWaiting = 32
/** More than that came in one piece: no client needs it, and the connection is closed. */
const mostWaiting = 128
const fetchWithinMs = 10_000

interface WaitingAnswers {
  count: number
  /** Runs while the connection is not read. */
  patience: NodeJS.Timeout | null
}

export class UnreadAnswers {
  private readonly connections = new WeakMap<Socket, WaitingAnswers>()

  /** False for what need not be answered: the connection is closed, or it was one too many. */
  admit({ socket }: IncomingMessage, response: ServerResponse): boolean {
    // The answer has its socket at once when none is before it. So this costs nearly all requests nothing.
    if (response.socket !== null) return true
    if (socket.destroyed) return false
    const waiting = this.waitingOn(socket)
    waiting.count += 1
    if (waiting.count > mostWaiting) {
      socket.destroy()
      return false
    }
    if (waiting.count === manyWaiting && !waiting.patience) {
      socket.pause()
      waiting.patience = setTimeout(() => socket.destroy(), fetchWithinMs).unref()
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

  private waitingOn(socket: Socket): WaitingAnswers {
    let waiting = this.connections.get(socket)
    if (!waiting) this.connections.set(socket, (waiting = { count: 0, patience: null }))
    return waiting
  }
}

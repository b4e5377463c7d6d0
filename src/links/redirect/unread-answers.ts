/**
 * Cuts off clients that send request after request and never read the answers. Node stops reading from such a client
 * only when the bytes of its answers pile up, and until then it keeps several objects of each request.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** How many answers may wait behind another one of their connection. Clients that pipeline send a few dozen ahead. */
const mostWaiting = 256

export class UnreadAnswers {
  private readonly waiting = new WeakMap<Socket, number>()

  /** False for what need not be answered: the connection is closed, or it was one too many. */
  admit({ socket }: IncomingMessage, response: ServerResponse): boolean {
    // The answer has its socket at once when none is before it. So this costs nearly all requests nothing.
    if (response.socket !== null) return true
    if (socket.destroyed) return false
    const count = (this.waiting.get(socket) ?? 0) + 1
    if (count > mostWaiting) {
      socket.destroy()
      return false
    }
    this.waiting.set(socket, count)
    response.on('close', () => this.waiting.set(socket, (this.waiting.get(socket) ?? 1) - 1))
    return true
  }
}

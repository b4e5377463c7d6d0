import { connect } from 'node:net'
import type { Socket } from 'node:net'

/** After this the next address is tried beside the one that has not answered yet (RFC 8305, "happy eyeballs"). */
const headStartMs = 300
/** A name may have thousands of addresses. */
const mostAddresses = 8
/** Small: the flood of a hostile receiver must not pile up before it is noticed. */
const bufferBytes = 16 * 1024

/** A connection to the first of the addresses that answers. Only these are connected to; no name is asked for. */
export function connectFirst(
  addresses: readonly string[],
  port: number,
  signal: AbortSignal,
): Promise<Socket> {
  const left = addresses.slice(0, mostAddresses)
  const trying = new Set<Socket>()
  let headStart: NodeJS.Timeout | undefined

  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(headStart)
      signal.removeEventListener('abort', giveUp)
      left.length = 0
      for (const socket of trying) socket.destroy()
    }
    const giveUp = () => {
      end()
      reject(signal.reason as Error)
    }
    const tryNext = () => {
      clearTimeout(headStart)
      const options = { host: left.shift()!, port, noDelay: true, highWaterMark: bufferBytes }
      const socket = connect(options)
      trying.add(socket)
      if (left.length > 0) headStart = setTimeout(tryNext, headStartMs)
      socket.once('connect', () => {
        trying.delete(socket)
        end()
        resolve(socket)
      })
      socket.on('error', (error) => {
        trying.delete(socket)
        if (left.length > 0) return tryNext()
        if (trying.size > 0) return
        end()
        reject(error)
      })
    }
    signal.addEventListener('abort', giveUp)
    tryNext()
  })
}

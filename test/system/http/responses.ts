/** Splits the bytes of one connection into responses. */

const continueResponse = 'HTTP/1.1 100 Continue\r\n\r\n'

/**
 * Returns the status of each final response. Whether a response has a body follows from the bytes and not from the
 * request, because Node.js refuses a malformed request before it responds to earlier ones.
 */
export function statusesIn(received: Buffer): number[] {
  const statuses: number[] = []
  for (let at = 0; at < received.length;) {
    const headEnd = received.indexOf('\r\n\r\n', at)
    const head = received.toString('latin1', at, headEnd < 0 ? undefined : headEnd)
    const status = Number(head.slice(9, 12))
    if (received.length - at > 12 && !head.startsWith('HTTP/1.1 '))
      throw new Error(`Not a response: ${received.toString('latin1', at).slice(0, 200)}`)
    // A reset connection may leave a partial response.
    if (headEnd < 0) break
    at = headEnd + 4
    if (status < 200) continue
    statuses.push(status)
    // After a slow response, Node.js sends the head first and then the 100 that should precede it.
    while (received.toString('latin1', at, at + continueResponse.length) === continueResponse)
      at += continueResponse.length
    const hasBody = at < received.length && received.toString('latin1', at, at + 5) !== 'HTTP/'
    if (hasBody) at = findBodyEnd(received, at, head)
  }
  return statuses
}

function findBodyEnd(received: Buffer, start: number, head: string): number {
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length !== undefined) return start + Number(length)
  if (!/\r\ntransfer-encoding: *chunked/i.test(head)) return received.length
  for (let at = start; ;) {
    const lineEnd = received.indexOf('\r\n', at)
    const size = parseInt(received.toString('latin1', at, lineEnd), 16)
    if (lineEnd < 0) return received.length
    if (Number.isNaN(size)) throw new Error('A chunk has no valid size.')
    at = lineEnd + 2 + size + 2
    if (size === 0) return at
  }
}

/** Reads all that came over one connection, answer by answer. */

const announcement = 'HTTP/1.1 100 Continue\r\n\r\n'

/**
 * The statuses, without those that only announce another. Whether there is a body follows from the bytes and not from
 * the request: node refuses a broken request at once, before those in front of it are answered.
 */
export function answersIn(received: Buffer): number[] {
  const statuses: number[] = []
  for (let at = 0; at < received.length;) {
    const headEnd = received.indexOf('\r\n\r\n', at)
    const head = received.toString('latin1', at, headEnd < 0 ? undefined : headEnd)
    const status = Number(head.slice(9, 12))
    if (received.length - at > 12 && !head.startsWith('HTTP/1.1 '))
      throw new Error(`this is no answer: ${received.toString('latin1', at).slice(0, 200)}`)
    // A connection that was broken off leaves a part of an answer.
    if (headEnd < 0) break
    at = headEnd + 4
    if (status < 200) continue
    statuses.push(status)
    // Behind a slower answer node sends the head first and then the announcement that was meant to precede it.
    while (received.toString('latin1', at, at + announcement.length) === announcement)
      at += announcement.length
    const hasBody = at < received.length && received.toString('latin1', at, at + 5) !== 'HTTP/'
    if (hasBody) at = endOfBody(received, at, head)
  }
  return statuses
}

function endOfBody(received: Buffer, start: number, head: string): number {
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length !== undefined) return start + Number(length)
  if (!/\r\ntransfer-encoding: *chunked/i.test(head)) return received.length
  for (let at = start; ;) {
    const lineEnd = received.indexOf('\r\n', at)
    const size = parseInt(received.toString('latin1', at, lineEnd), 16)
    if (lineEnd < 0) return received.length
    if (Number.isNaN(size)) throw new Error('a chunk is broken')
    at = lineEnd + 2 + size + 2
    if (size === 0) return at
  }
}

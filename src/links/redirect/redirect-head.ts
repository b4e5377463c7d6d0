/**
 * The head of a redirect: its status line and headers. Node would check and join them anew for each answer, though all
 * but the request's id is the same for each visitor of a link, and what node adds by itself (Date, Connection,
 * Keep-Alive) is the same for a second. So node makes the first head of a second, and the others repeat its end.
 *
 * The head is handed over in the field where node keeps the one it made, `_header`. Should a later node keep it
 * elsewhere, there is nothing to repeat, and node makes every head.
 */
import { STATUS_CODES, validateHeaderValue } from 'node:http'
import type { ServerResponse } from 'node:http'

type Response = ServerResponse & { _header?: unknown }

/** Everything before the request's id. Throws on what no header may hold: nothing checks it later. */
export function redirectHead(status: number, location: string): string {
  validateHeaderValue('Location', location)
  const head =
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nLocation: ${location}\r\nCache-Control: private, no-store` +
    '\r\nX-Robots-Tag: noindex\r\nContent-Length: 0\r\nX-Request-Id: '
  // One piece of memory: what was joined stays in parts, which each answer would have to gather again.
  return Buffer.from(head, 'latin1').toString('latin1')
}

export class RedirectHeads {
  private second = NaN
  private end = ''

  /** For a connection that stays open; only there the end is always the same. */
  write(
    res: Response,
    link: { head: string; status: number; location: string },
    id: string,
    time: number,
  ): void {
    if (!res.shouldKeepAlive) return writeRedirect(res, link.status, link.location, id)
    const second = Math.floor(time / 1000)
    if (second === this.second) {
      res.statusCode = link.status
      res._header = link.head + id + this.end
      return
    }
    writeRedirect(res, link.status, link.location, id)
    const made = res._header
    const start = link.head + id
    if (typeof made !== 'string' || !made.startsWith(start)) return
    this.end = made.slice(start.length)
    this.second = second
  }
}

/** The same head, made by node. The id comes last, so that all before it is the link's. */
export function writeRedirect(res: ServerResponse, status: number, location: string, id: string): void {
  res.writeHead(status, [
    'Location',
    location,
    'Cache-Control',
    'private, no-store',
    'X-Robots-Tag',
    'noindex',
    'Content-Length',
    '0',
    'X-Request-Id',
    id,
  ])
}

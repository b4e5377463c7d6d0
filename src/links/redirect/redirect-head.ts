import { STATUS_CODES, validateHeaderValue } from 'node:http'

/** The names and values that every redirect has; the request's id comes last, so that all before it is the link's. */
export function redirectHeaders(location: string, requestId: string): string[] {
  return [
    'Location',
    location,
    'Cache-Control',
    'private, no-store',
    'X-Robots-Tag',
    'noindex',
    'Content-Length',
    '0',
    'X-Request-Id',
    requestId,
  ]
}

/** The same as text, from the status line to before the request's id. Throws on what no header may hold. */
export function redirectHead(status: number, location: string): string {
  validateHeaderValue('Location', location)
  const headers = redirectHeaders(location, '')
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`
  for (let i = 0; i < headers.length; i += 2)
    head += `${headers[i]}: ${headers[i + 1]}${i + 2 < headers.length ? '\r\n' : ''}`
  // One piece of memory: what was joined stays in parts, which each answer would have to gather again.
  return Buffer.from(head, 'latin1').toString('latin1')
}

/** What node would add behind them: the same for a second. */
export class HeadEnds {
  private second = NaN
  private open = ''
  private closed = ''

  constructor(private readonly keepAliveMs: number) {}

  at(time: number, staysOpen: boolean): string {
    const second = Math.floor(time / 1000)
    if (second !== this.second) {
      this.second = second
      const date = `\r\nDate: ${new Date(time).toUTCString()}\r\nConnection: `
      this.open = `${date}keep-alive\r\nKeep-Alive: timeout=${Math.floor(this.keepAliveMs / 1000)}\r\n\r\n`
      this.closed = `${date}close\r\n\r\n`
    }
    return staysOpen ? this.open : this.closed
  }
}

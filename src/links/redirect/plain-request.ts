/**
 * Reads the request of nearly every visitor: one GET in one piece, without a body and without a wish about the
 * connection. Whatever else there is in HTTP is left to node, which then reads the same bytes itself. So this knows no
 * errors, only "plain" and "not plain"; plain-request.spec.ts shows that what it reads is what node reads.
 */
import type { IncomingHttpHeaders } from 'node:http'

export interface PlainRequest {
  url: string
  /** All that followed the request line. */
  rest: string
  /** Those of `wanted`, by their names in lower case. */
  headers: IncomingHttpHeaders
}

const requestLine = /^GET (\/[\x21-\x7e]*) HTTP\/1\.1$/
// Header lines of printable ASCII, then an empty line and nothing behind it.
const plainRest = /^(?:\r\n[!#$%&'*+.^_`|~0-9A-Za-z-]+:[\t\x20-\x7e]*)*\r\n\r\n$/
const lineBreak = '\r\n'
const longestHead = 8 * 1024

/** Headers that change what a request is, or what must become of its connection. */
const notPlain = [
  'content-length',
  'transfer-encoding',
  'trailer',
  'expect',
  'upgrade',
  'http2-settings',
  'proxy-connection',
]
const keepsConnection = 'keep-alive'

export class PlainRequestReader {
  private readonly meanings = new Map<string, 'wanted' | 'connection' | 'not plain'>([
    ['connection', 'connection'],
    ...notPlain.map((name) => [name, 'not plain'] as const),
  ])

  constructor(wanted: string[]) {
    for (const name of wanted) this.meanings.set(name, 'wanted')
  }

  /** `before` is what the same connection asked last: clients repeat their headers byte for byte. */
  read(bytes: Buffer, before: PlainRequest | null): PlainRequest | null {
    if (bytes.length > longestHead) return null
    const text = bytes.toString('latin1')
    const lineEnd = text.indexOf('\r')
    const line = requestLine.exec(text.slice(0, lineEnd))
    if (line === null) return null
    const url = line[1]!
    const rest = text.slice(lineEnd)
    if (before !== null && rest === before.rest) return { url, rest, headers: before.headers }
    const headers = plainRest.test(rest) ? this.headersOf(rest) : null
    return headers === null ? null : { url, rest, headers }
  }

  private headersOf(rest: string): IncomingHttpHeaders | null {
    const headers: IncomingHttpHeaders = {}
    const last = rest.length - lineBreak.length - lineBreak.length
    for (let at = lineBreak.length; at < last;) {
      const colon = rest.indexOf(':', at)
      const end = rest.indexOf(lineBreak, colon)
      const name = rest.slice(at, colon).toLowerCase()
      const meaning = this.meanings.get(name)
      if (meaning !== undefined) {
        const value = rest.slice(colon + 1, end).trim()
        if (meaning === 'not plain') return null
        if (meaning === 'connection') {
          if (value.toLowerCase() !== keepsConnection) return null
        } else {
          // What repeating a header means differs from one to the next: node knows.
          if (headers[name] !== undefined) return null
          headers[name] = value
        }
      }
      at = end + lineBreak.length
    }
    return headers
  }
}

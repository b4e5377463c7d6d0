/** An HTTP/1.1 connection on a plain socket. An HTTP client would need more processor time than the servers. */
import { connect } from 'node:net'

const emptyLine = Buffer.from('\r\n\r\n')

export class Connection {
  #socket
  #onResponse = null
  #received = null

  constructor(port) {
    this.opened = new Promise((resolve, reject) => {
      this.#socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(this))
      this.#socket.on('error', reject)
    })
    this.#socket.on('data', (chunk) => this.#receive(chunk))
    this.#socket.on('close', () => this.#finish(0))
  }

  /** Sends one request. `onResponse` receives the status, or 0 if the connection ended. */
  send(bytes, onResponse) {
    this.#onResponse = onResponse
    if (this.#socket.destroyed) this.#finish(0)
    else this.#socket.write(bytes)
  }

  close() {
    this.#onResponse = null
    this.#socket.destroy()
  }

  #receive(chunk) {
    const data = this.#received ? Buffer.concat([this.#received, chunk]) : chunk
    const headEnd = data.indexOf(emptyLine)
    const isWhole = headEnd >= 0 && data.length >= headEnd + 4 + bodyLength(data, headEnd)
    this.#received = isWhole ? null : data
    if (isWhole) this.#finish(Number(data.latin1Slice(9, 12)))
  }

  #finish(status) {
    const onResponse = this.#onResponse
    this.#onResponse = null
    onResponse?.(status)
  }
}

function bodyLength(data, headEnd) {
  return Number(/\r\ncontent-length: *(\d+)/i.exec(data.latin1Slice(0, headEnd))?.[1] ?? 0)
}

/** Returns the bytes of a request, with `headers` and its own headers. */
export function requestBytes(port, { method = 'GET', path, body = '', headers: own }, headers) {
  const all = {
    host: `127.0.0.1:${port}`,
    ...headers,
    ...own,
    ...(body ? { 'content-length': Buffer.byteLength(body) } : {}),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
}

export const browserHeaders = {
  'user-agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-language': 'en-GB,en;q=0.9,de;q=0.8',
  'accept-encoding': 'gzip, deflate, br',
  referer: 'https://news.example.org/2025/11/a-story',
}

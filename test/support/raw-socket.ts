/** Sends raw HTTP requests that no client library would send. */
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'

export interface RawResponse {
  status: number
  headers: Record<string, string>
  body: any
  text: string
}

export async function openSocket(origin: string): Promise<Socket> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

/** Sends bytes on a new connection, reads one response, and closes the connection. */
export async function exchange(origin: string, ...bytes: (string | Uint8Array)[]): Promise<RawResponse> {
  const socket = await openSocket(origin)
  try {
    for (const part of bytes) socket.write(part)
    return await readAnswer(socket)
  } finally {
    socket.destroy()
  }
}

export async function readAnswer(socket: Socket): Promise<RawResponse> {
  let received = Buffer.alloc(0)
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    received = Buffer.concat([received, chunk as Buffer])
    const response = parse(received)
    if (response) return response
  }
  throw new Error(`the connection closed before the response was complete: ${received.toString('latin1')}`)
}

function parse(received: Buffer): RawResponse | null {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return null
  const [statusLine = '', ...lines] = received.subarray(0, end).toString('latin1').split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  const length = Number(headers['content-length'] ?? 0)
  const body = received.subarray(end + 4)
  if (body.length < length) return null
  const text = body.subarray(0, length).toString()
  const isJson = (headers['content-type'] ?? '').includes('json')
  return { status: Number(statusLine.split(' ')[1]), headers, text, body: isJson ? JSON.parse(text) : null }
}

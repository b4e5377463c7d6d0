/** Visitors that send requests and never read responses. */
import { connect } from 'node:net'

import { call } from '../lib/client.js'
import { browserHeaders, requestBytes } from '../lib/connection.js'
import { heading, line, megabytes, milliseconds } from '../lib/report.js'
import { pause } from '../lib/run.js'
import { serviceMemory } from './measure.js'

const clients = 64
const timeoutMs = 60_000
const healthWithinMs = 1_000

export async function measureUnread(service, known) {
  heading(`${clients} visitors that never read`)
  const before = serviceMemory(service)
  const request = requestBytes(service.port, { path: `/${known[0].slug}` }, browserHeaders)
  const bytes = Buffer.concat(Array.from({ length: 100 }, () => request))
  const sockets = Array.from({ length: clients }, () => sendForever(service.port, bytes))
  const countOpen = () => sockets.filter((socket) => !socket.destroyed).length
  const began = performance.now()
  let peak = before
  let slowest = 0
  try {
    while (countOpen() > 0 && performance.now() - began < timeoutMs) {
      const { ms } = await call(service, 'GET', '/healthz')
      slowest = Math.max(slowest, ms)
      peak = Math.max(peak, serviceMemory(service))
      await pause(100)
    }
    const seconds = ((performance.now() - began) / 1000).toFixed(0)
    const written = sockets.reduce((sum, socket) => sum + socket.bytesWritten, 0) / 2 ** 20
    line(`cut off within ${seconds} s, after ${megabytes(written)}`, {
      figure: `${clients - countOpen()} of ${clients}`,
    })
  } finally {
    for (const socket of sockets) socket.destroy()
  }
  line('additional memory of the service', {
    figure: megabytes(peak - before),
    judged: peak - before,
    goal: { atMost: 100 },
    goalText: '< 100 MB',
  })
  line('slowest response of /healthz', {
    figure: milliseconds(slowest),
    judged: slowest,
    goal: { atMost: healthWithinMs },
    goalText: '≤ 1 s',
  })
}

function sendForever(port, bytes) {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.pause()
  const send = () => {
    // Write until the socket buffer is full, then wait for `drain`.
    while (!socket.destroyed && socket.write(bytes));
  }
  socket.on('connect', send)
  socket.on('drain', send)
  socket.on('error', () => undefined)
  return socket
}

/**
 * Load from plain sockets, one request at a time on each connection. An HTTP client needs as much of a core as the
 * servers that are measured; this needs half of it, so that it is the server that is measured.
 */
import { connect } from 'node:net'

/** `isAnswer` sees the bytes that came: true when they end an answer, and throws when it is not the right one. */
export async function plainSockets({ port, connections, seconds, requests, isAnswer }) {
  const latencies = []
  const begin = performance.now()
  const end = begin + seconds * 1000
  let next = 0
  const one = () =>
    new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      let sentAt = 0
      const send = () => {
        sentAt = performance.now()
        if (sentAt >= end) {
          socket.destroy()
          resolve()
          return
        }
        socket.write(requests[next++ % requests.length])
      }
      socket.on('connect', send)
      socket.on('data', (data) => {
        try {
          if (!isAnswer(data)) return
        } catch (error) {
          socket.destroy()
          reject(error)
          return
        }
        latencies.push(performance.now() - sentAt)
        send()
      })
      socket.on('error', reject)
    })
  await Promise.all(Array.from({ length: connections }, one))
  const elapsed = (performance.now() - begin) / 1000
  latencies.sort((a, b) => a - b)
  return {
    count: latencies.length,
    perSecond: latencies.length / elapsed,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  }
}

function quantile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}

/** Requests at a fixed rate, independent of earlier responses, like independent visitors. */
import { Connection, requestBytes } from './connection.js'
import { quantile } from './report.js'

const mostConnections = 500

/**
 * Sends `requests` in turn, each with optional `headers`. Latency is measured from the time when a request was due, so
 * that a stalled server cannot hide it. `stop` is a signal that ends the load early.
 */
export async function constantRate({ port, perSecond, seconds, requests, headers, stop }) {
  const prepared = requests.map((each) => requestBytes(port, each, headers))
  const idle = await Promise.all(Array.from({ length: 64 }, () => new Connection(port).opened))
  const all = [...idle]
  const waiting = []
  const latencies = []
  const statuses = {}
  let inFlight = 0

  const send = (connection, request) => {
    inFlight += 1
    connection.send(request.bytes, (status) => {
      inFlight -= 1
      latencies.push(performance.now() - request.dueAt)
      statuses[status] = (statuses[status] ?? 0) + 1
      // After a closed connection, the next request opens a new one.
      if (status === 0) all.splice(all.indexOf(connection), 1)
      else if (waiting.length > 0) send(connection, waiting.shift())
      else idle.push(connection)
    })
  }
  const offer = (request) => {
    const connection = idle.pop()
    if (connection) return send(connection, request)
    waiting.push(request)
    if (all.length >= mostConnections) return
    const another = new Connection(port)
    all.push(another)
    another.opened.then(
      () => (waiting.length > 0 ? send(another, waiting.shift()) : idle.push(another)),
      () => all.splice(all.indexOf(another), 1),
    )
  }

  const began = performance.now()
  const total = Math.round(perSecond * seconds)
  let sent = 0
  while (sent < total && !stop?.aborted) {
    await new Promise((resolve) => setTimeout(resolve, 1))
    // Requests that are due within one millisecond, the resolution of timers, are sent together.
    const now = performance.now()
    for (const due = Math.min(total, ((now - began) / 1000) * perSecond); sent < due; sent++) {
      const dueAt = Math.min(now, began + Math.ceil((sent * 1000) / perSecond))
      offer({ bytes: prepared[sent % prepared.length], dueAt })
    }
  }
  const sendingMs = performance.now() - began
  for (const end = performance.now() + 10_000; inFlight + waiting.length > 0 && performance.now() < end;)
    await new Promise((resolve) => setTimeout(resolve, 5))
  for (const connection of all) connection.close()
  return {
    count: latencies.length,
    sent,
    sendingMs,
    statuses,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    latencies,
  }
}

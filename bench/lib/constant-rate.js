/** Requests at a fixed rate, whether or not those before them were answered: what visitors do, who know nothing of each other. */
import { Connection, requestBytes } from './connection.js'
import { quantile } from './report.js'

const mostConnections = 500

/**
 * `requests` are as for full speed, each with its own `headers`. A time counts from the moment at which the request was
 * due, so that a server that holds up its visitors cannot hide it. `stop` is a signal that ends it early.
 */
export async function constantRate({ port, perSecond, seconds, requests, headers, stop }) {
  const prepared = requests.map((each) => requestBytes(port, each, headers))
  const idle = await Promise.all(Array.from({ length: 64 }, () => new Connection(port).opened))
  const all = [...idle]
  const waiting = []
  const latencies = []
  const statuses = {}
  let underWay = 0

  const send = (connection, request) => {
    underWay += 1
    connection.send(request.bytes, (status) => {
      underWay -= 1
      latencies.push(performance.now() - request.dueAt)
      statuses[status] = (statuses[status] ?? 0) + 1
      // A server may close a connection; the next request opens another one.
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
    // What is due within one millisecond is sent together: timers are no finer.
    const now = performance.now()
    for (const due = Math.min(total, ((now - began) / 1000) * perSecond); sent < due; sent++) {
      const dueAt = Math.min(now, began + Math.ceil((sent * 1000) / perSecond))
      offer({ bytes: prepared[sent % prepared.length], dueAt })
    }
  }
  const sendingMs = performance.now() - began
  for (const end = performance.now() + 10_000; underWay + waiting.length > 0 && performance.now() < end;)
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

/**
 * Counts the database round trips and statements of a call, by reading the PostgreSQL protocol in a proxy. A round trip
 * ends with ReadyForQuery. Messages sent before that response belong to the same round trip.
 */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'

const samples = 20

export async function startCountingProxy(undo, databaseUrl) {
  const target = new URL(databaseUrl)
  const counts = { trips: 0, statements: 0 }
  const sockets = new Set()
  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname)
    let pendingResponses = 0
    // The startup message has no type byte.
    const fromClient = messages(true, (type) => {
      if (type === 'Q' || type === 'E') counts.statements += 1
      if (type !== 'Q' && type !== 'S') return
      if (pendingResponses === 0) counts.trips += 1
      pendingResponses += 1
    })
    const fromDatabase = messages(false, (type) => {
      // The first ReadyForQuery ends the startup.
      if (type === 'Z' && pendingResponses > 0) pendingResponses -= 1
    })
    client.on('data', (bytes) => {
      fromClient(bytes)
      database.write(bytes)
    })
    database.on('data', (bytes) => {
      fromDatabase(bytes)
      client.write(bytes)
    })
    for (const [end, other] of [
      [client, database],
      [database, client],
    ]) {
      end.setNoDelay()
      sockets.add(end)
      end.on('error', () => undefined)
      end.on('close', () => {
        sockets.delete(end)
        other.destroy()
      })
    }
  })
  undo(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const proxyUrl = new URL(databaseUrl)
  proxyUrl.host = `127.0.0.1:${server.address().port}`
  return { url: proxyUrl.href, counts }
}

/** Returns the medians over several calls, so that background work of the service has no effect. */
export async function countTrips({ counts }, sendCall) {
  const seen = { trips: [], statements: [] }
  for (let i = 0; i < samples; i++) {
    const before = { ...counts }
    await sendCall(i)
    for (const name of Object.keys(seen)) seen[name].push(counts[name] - before[name])
  }
  const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1]
  return { trips: median(seen.trips), statements: median(seen.statements) }
}

function messages(hasStartup, onMessage) {
  let buffered = Buffer.alloc(0)
  let isStartup = hasStartup
  return (bytes) => {
    buffered = buffered.length === 0 ? bytes : Buffer.concat([buffered, bytes])
    for (;;) {
      const typeBytes = isStartup ? 0 : 1
      if (buffered.length < typeBytes + 4) return
      const length = typeBytes + buffered.readUInt32BE(typeBytes)
      if (buffered.length < length) return
      if (!isStartup) onMessage(String.fromCharCode(buffered[0]))
      isStartup = false
      buffered = buffered.subarray(length)
    }
  }
}

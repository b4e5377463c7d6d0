/**
 * Counts what a call asks of the database, by reading PostgreSQL's protocol between the service and its server. A trip
 * ends with the server's ReadyForQuery; what is sent before that answer belongs to the same trip.
 */
import { once } from 'node:events'
import { connect, createServer } from 'node:net'

const asks = 20

export async function startCountingProxy(undo, databaseUrl) {
  const target = new URL(databaseUrl)
  const counts = { trips: 0, statements: 0 }
  const sockets = new Set()
  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname)
    let unanswered = 0
    // The greeting of a connection has no type before its length.
    const fromClient = messages(true, (type) => {
      if (type === 'Q' || type === 'E') counts.statements += 1
      if (type !== 'Q' && type !== 'S') return
      if (unanswered === 0) counts.trips += 1
      unanswered += 1
    })
    const fromDatabase = messages(false, (type) => {
      // The first one ends the greeting.
      if (type === 'Z' && unanswered > 0) unanswered -= 1
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
  const own = new URL(databaseUrl)
  own.host = `127.0.0.1:${server.address().port}`
  return { url: own.href, counts }
}

/** The median of several calls, so that what the service does by itself meanwhile does not count. */
export async function countTrips({ counts }, ask) {
  const seen = { trips: [], statements: [] }
  for (let i = 0; i < asks; i++) {
    const before = { ...counts }
    await ask(i)
    for (const name of Object.keys(seen)) seen[name].push(counts[name] - before[name])
  }
  const middle = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1]
  return { trips: middle(seen.trips), statements: middle(seen.statements) }
}

function messages(hasGreeting, onMessage) {
  let held = Buffer.alloc(0)
  let isGreeting = hasGreeting
  return (bytes) => {
    held = held.length === 0 ? bytes : Buffer.concat([held, bytes])
    for (;;) {
      const typeBytes = isGreeting ? 0 : 1
      if (held.length < typeBytes + 4) return
      const length = typeBytes + held.readUInt32BE(typeBytes)
      if (held.length < length) return
      if (!isGreeting) onMessage(String.fromCharCode(held[0]))
      isGreeting = false
      held = held.subarray(length)
    }
  }
}

/** Two ways to make load. autocannon needs about as much of a core as the servers do; plain sockets need half of it. */
import { connect } from 'node:net'
import autocannon from 'autocannon'

const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'
const headers = {
  'user-agent': userAgent,
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-language': 'en-GB,en;q=0.9,de;q=0.8',
  'accept-encoding': 'gzip, deflate, br',
  referer: 'https://news.example.org/2025/11/a-story',
}

function quantile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}

/** One request at a time on each connection; an answer without a body ends with its empty line. */
async function raw({ port, connections, seconds, requests }) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const bytes = requests.map((path) =>
    Buffer.from(`GET ${path} HTTP/1.1\r\nhost: localhost:${port}\r\n${lines.join('')}\r\n`),
  )
  const latencies = []
  const begin = performance.now()
  const end = begin + seconds * 1000
  let next = 0
  let wrong = 0
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
        socket.write(bytes[next++ % bytes.length])
      }
      socket.on('connect', send)
      socket.on('data', (data) => {
        const { length } = data
        // The last four bytes are the empty line: 13 10 13 10. The answers are far smaller than a packet.
        if (data[length - 1] !== 10 || data[length - 3] !== 10) return
        if (data[9] !== 51) wrong++
        latencies.push(performance.now() - sentAt)
        send()
      })
      socket.on('error', reject)
    })
  await Promise.all(Array.from({ length: connections }, one))
  const elapsed = (performance.now() - begin) / 1000
  if (wrong > 0) throw new Error(`${wrong} answers were no redirects`)
  latencies.sort((a, b) => a - b)
  return {
    count: latencies.length,
    perSecond: latencies.length / elapsed,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  }
}

async function withAutocannon({ port, connections, seconds, requests }) {
  const result = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections,
    duration: seconds,
    headers,
    requests: requests.slice(0, 5_000).map((path) => ({ path })),
  })
  if (result.errors > 0 || result['2xx'] + result['4xx'] + result['5xx'] > 0)
    throw new Error('not all answers were redirects')
  return {
    count: result.requests.total,
    perSecond: result.requests.total / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
  }
}

export const loads = { raw, autocannon: withAutocannon }

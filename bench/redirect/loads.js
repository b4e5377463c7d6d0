/** Two ways to make load. */
import autocannon from 'autocannon'

import { plainSockets } from '../plain-sockets.js'

const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36'
const headers = {
  'user-agent': userAgent,
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-language': 'en-GB,en;q=0.9,de;q=0.8',
  'accept-encoding': 'gzip, deflate, br',
  referer: 'https://news.example.org/2025/11/a-story',
}

function raw({ requests, ...options }) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return plainSockets({
    ...options,
    requests: requests.map((path) =>
      Buffer.from(`GET ${path} HTTP/1.1\r\nhost: localhost:${options.port}\r\n${lines.join('')}\r\n`),
    ),
    isAnswer: isRedirect,
  })
}

/** Without a body, an answer ends with its empty line, 13 10 13 10; and it is far smaller than a packet. */
function isRedirect(data) {
  const { length } = data
  if (data[length - 1] !== 10 || data[length - 3] !== 10) return false
  if (data[9] !== 51) throw new Error('not all answers were redirects')
  return true
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

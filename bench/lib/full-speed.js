/** Closed-loop load: each connection sends its next request when a response arrives. Uses wrk if installed. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Connection, requestBytes } from './connection.js'
import { quantile } from './report.js'

// `wrk -v` prints the version and exits with an error status.
const hasWrk = spawnSync('wrk', ['-v']).error === undefined
export const loadGenerator = hasWrk ? 'wrk -t1' : 'plain sockets (wrk is not installed)'

/**
 * Sends `requests`, `{ method, path, body }`, round-robin with the same `headers`. Returns the number of responses,
 * their rate, and latencies in milliseconds. Rejects if a response is an error or a connection breaks.
 */
export async function fullSpeed(options) {
  const { failed, ...result } = await (hasWrk ? byWrk(options) : bySockets(options))
  if (failed > 0) throw new Error(`${failed} of ${result.count} requests failed: ${options.requests[0].path}`)
  return result
}

/** The data is in a separate file, because Lua limits the constants in one file. */
const script = (dataFile, headers) => `
local list, n, i = {}, 0, 0
function init()
  for line in io.lines(${JSON.stringify(dataFile)}) do
    local method, path, body = line:match("^(%S+)\\t(%S+)\\t(.*)$")
    if body == "" then body = nil end
    n = n + 1
    list[n] = wrk.format(method, path, {${Object.entries(headers).map(([name, value]) => `[${JSON.stringify(name)}]=${JSON.stringify(value)}`)}}, body)
  end
end
function request()
  i = i % n + 1
  return list[i]
end
function done(summary, latency)
  local e = summary.errors
  print(string.format("RESULT %d %d %d %d %d", summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    e.connect + e.read + e.write + e.status + e.timeout))
end
`

async function byWrk({ port, connections, seconds, requests, headers }) {
  const folder = await mkdtemp(join(tmpdir(), 'link-service-wrk-'))
  try {
    const dataFile = join(folder, 'requests')
    const lines = requests.map(({ method = 'GET', path, body = '' }) => `${method}\t${path}\t${body}\n`)
    await writeFile(dataFile, lines.join(''))
    await writeFile(join(folder, 'load.lua'), script(dataFile, headers))
    const args = ['-t1', `-c${connections}`, `-d${Math.max(1, Math.round(seconds))}s`, '--timeout', '30s']
    const child = spawn('wrk', [...args, '-s', join(folder, 'load.lua'), `http://127.0.0.1:${port}`])
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
    await once(child, 'close')
    const numbers = /^RESULT (.*)$/m.exec(output)?.[1].split(' ').map(Number)
    if (!numbers) throw new Error(`wrk failed: ${output}`)
    const [count, us, p50, p99, failed] = numbers
    return { count, perSecond: (count / us) * 1e6, p50: p50 / 1000, p99: p99 / 1000, failed }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function bySockets({ port, connections, seconds, requests, headers }) {
  const prepared = requests.map((each) => requestBytes(port, each, headers))
  const latencies = []
  let failed = 0
  let next = 0
  const began = performance.now()
  const end = began + seconds * 1000
  const runConnection = async () => {
    const connection = await new Connection(port).opened
    await new Promise((resolve) => {
      const send = () => {
        const sentAt = performance.now()
        if (sentAt >= end) return resolve()
        connection.send(prepared[next++ % prepared.length], (status) => {
          if (status < 200 || status >= 400) failed += 1
          latencies.push(performance.now() - sentAt)
          if (status === 0) resolve()
          else send()
        })
      }
      send()
    })
    connection.close()
  }
  await Promise.all(Array.from({ length: connections }, runConnection))
  const count = latencies.length
  return {
    count,
    perSecond: (count * 1000) / (performance.now() - began),
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    failed,
  }
}

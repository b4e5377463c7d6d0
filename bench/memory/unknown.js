/** Requests for many different unknown slugs, which must not grow memory without bound. */
import { browserHeaders, Connection, requestBytes } from '../lib/connection.js'
import { heading, line, megabytes } from '../lib/report.js'
import { pause } from '../lib/run.js'
import { serviceMemory } from './measure.js'

const connections = 16
const restMs = 10_000

export async function measureUnknown(service, count) {
  heading(`${count.toLocaleString('en')} different unknown slugs`)
  const before = serviceMemory(service)
  let next = 0
  const began = performance.now()
  const runConnection = async () => {
    const connection = await new Connection(service.port).opened
    while (next < count) {
      const bytes = requestBytes(service.port, { path: `/unknown-${next++}` }, browserHeaders)
      const status = await new Promise((resolve) => connection.send(bytes, resolve))
      if (status !== 404) throw new Error(`an unknown slug returned ${status}`)
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: connections }, runConnection))
  const rate = count / ((performance.now() - began) / 1000)
  await pause(restMs)
  const after = serviceMemory(service)
  line(`memory of the service, at ${Math.round(rate).toLocaleString('en')} requests per second`, {
    figure: megabytes(after),
    baseline: megabytes(before),
    judged: after - before,
    goal: { atMost: 100 },
    goalText: '+ 100 MB',
  })
}

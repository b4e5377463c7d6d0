/** Visitors who send as much as a click can hold, each time something else, to a link that leads as far as a link can. */
import { call } from '../lib/client.js'
import { browserHeaders, Connection, requestBytes } from '../lib/connection.js'
import { heading, line, megabytes } from '../lib/report.js'
import { pause } from '../lib/run.js'
import { serviceMemory } from './measure.js'

const connections = 16
const sentForMs = 10_000
const watchedForMs = 30_000
const target = `https://target.example/${'x'.repeat(8_000)}`
const headers = { ...browserHeaders, Referer: `https://referrer.example/${'r'.repeat(1_900)}` }

export async function measureLong(service) {
  heading('Clicks of 14 KB, each another one')
  const before = serviceMemory(service)
  const { body: link } = await call(service, 'POST', `${service.api}/v1/links`, { url: target })
  let count = 0
  let most = before
  const began = performance.now()
  const visit = async () => {
    const connection = await new Connection(service.port).opened
    while (performance.now() - began < sentForMs) {
      const path = `/${link.slug}?utm_source=${count++}&x=${'q'.repeat(3_900)}`
      const bytes = requestBytes(service.port, { path }, headers)
      const status = await new Promise((resolve) => connection.send(bytes, resolve))
      if (status !== 302) throw new Error(`a long visit was answered ${status}`)
    }
    connection.close()
  }
  const watch = async () => {
    while (performance.now() - began < sentForMs + watchedForMs) {
      most = Math.max(most, serviceMemory(service))
      await pause(250)
    }
  }
  await Promise.all([watch(), ...Array.from({ length: connections }, visit)])
  line(`memory that the service took for ${count.toLocaleString('en')} of them`, {
    figure: megabytes(most - before),
    baseline: megabytes(before),
    judged: most - before,
    goal: { atMost: 500 },
    goalText: '+ 500 MB',
  })
}

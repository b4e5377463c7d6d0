/**
 * Visits with the largest possible click data, different each time, on a link with the longest possible destination.
 */
import { call } from '../lib/client.js'
import { browserHeaders, Connection, requestBytes } from '../lib/connection.js'
import { heading, line, megabytes } from '../lib/report.js'
import { pause } from '../lib/run.js'
import { serviceMemory } from './measure.js'

const connections = 16
const sentForMs = 10_000
const watchedForMs = 30_000
const longUrl = `https://target.example/${'x'.repeat(8_000)}`
const headers = { ...browserHeaders, Referer: `https://referrer.example/${'r'.repeat(1_900)}` }

export async function measureLong(service) {
  heading('Clicks of 14 KB, all different')
  const before = serviceMemory(service)
  const { body: link } = await call(service, 'POST', `${service.api}/v1/links`, { url: longUrl })
  let count = 0
  let peak = before
  const began = performance.now()
  const visit = async () => {
    const connection = await new Connection(service.port).opened
    while (performance.now() - began < sentForMs) {
      const path = `/${link.slug}?utm_source=${count++}&x=${'q'.repeat(3_900)}`
      const bytes = requestBytes(service.port, { path }, headers)
      const status = await new Promise((resolve) => connection.send(bytes, resolve))
      if (status !== 302) throw new Error(`a long visit returned ${status}`)
    }
    connection.close()
  }
  const watch = async () => {
    while (performance.now() - began < sentForMs + watchedForMs) {
      peak = Math.max(peak, serviceMemory(service))
      await pause(250)
    }
  }
  await Promise.all([watch(), ...Array.from({ length: connections }, visit)])
  line(`additional memory for ${count.toLocaleString('en')} clicks`, {
    figure: megabytes(peak - before),
    baseline: megabytes(before),
    judged: peak - before,
    goal: { atMost: 500 },
    goalText: '+ 500 MB',
  })
}

/** Sends to 500 hostile receivers concurrently, about as many as one worker process has in flight. */
import { hostile, startHostileReceiver } from '../../support/hostile-receivers.js'
import type { HostileReceiver } from '../../support/hostile-receivers.js'
import { startClient } from '../../support/outbound-client.js'

const requestCount = 500
const timeoutSeconds = 4
const client = startClient({ timeoutSeconds })
const names = Object.keys(hostile) as (keyof typeof hostile)[]

let receivers: HostileReceiver[]

beforeAll(async () => {
  receivers = await Promise.all(names.map((name) => startHostileReceiver(hostile[name])))
})

afterAll(async () => {
  client.stop()
  await Promise.all(receivers.map((receiver) => receiver.stop()))
})

describe('500 concurrent requests to hostile receivers', () => {
  it('take less than 300 MB of memory and close all connections', async () => {
    await Promise.all(receivers.map(({ url }) => client.send(url)))
    const before = process.memoryUsage().rss
    let peak = before
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 10)
    const outcomes = await Promise.all(
      Array.from({ length: requestCount }, (_, i) => client.send(receivers[i % receivers.length]!.url)),
    )
    clearInterval(watch)
    // Usually about 80 MB, including the receivers' side. The receivers offer gigabytes in this time.
    expect((peak - before) / 1024 ** 2).toBeLessThan(300)
    expect(Math.max(...outcomes.map(({ durationMs }) => durationMs))).toBeLessThan(
      (timeoutSeconds + 1) * 1000,
    )
    client.stop()
    await Promise.all(receivers.map((receiver) => receiver.waitUntilClosed()))
  })
})

/** Five hundred hostile receivers at once, which is about what one worker process has under way. */
import { hostile, startReceiver } from '../../support/hostile-receivers.js'
import type { Receiver } from '../../support/hostile-receivers.js'
import { startClient } from '../../support/outbound-client.js'

const crowd = 500
const timeoutSeconds = 4
const client = startClient({ timeoutSeconds })
const names = Object.keys(hostile) as (keyof typeof hostile)[]

let receivers: Receiver[]

beforeAll(async () => {
  receivers = await Promise.all(names.map((name) => startReceiver(hostile[name])))
})

afterAll(async () => {
  client.stop()
  await Promise.all(receivers.map((receiver) => receiver.stop()))
})

describe('hostile receivers, all at once', () => {
  it('take some memory together, and let the client go', async () => {
    await Promise.all(receivers.map(({ url }) => client.send(url)))
    const before = process.memoryUsage().rss
    let most = before
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 10)
    const outcomes = await Promise.all(
      Array.from({ length: crowd }, (_, i) => client.send(receivers[i % receivers.length]!.url)),
    )
    clearInterval(watch)
    // About 80 MB with their own side of it, more when the collector comes late; what they offer in this time is gigabytes.
    expect((most - before) / 1024 ** 2).toBeLessThan(300)
    expect(Math.max(...outcomes.map(({ durationMs }) => durationMs))).toBeLessThan(
      (timeoutSeconds + 1) * 1000,
    )
    client.stop()
    await Promise.all(receivers.map((receiver) => receiver.allClosed()))
  })
})

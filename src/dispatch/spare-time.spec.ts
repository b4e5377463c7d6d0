import { setTimeout } from 'node:timers/promises'

import { SpareTime } from './spare-time.js'

function workFor(ms: number): void {
  const start = performance.now()
  while (performance.now() - start < ms);
}

it('a process that waits has all of its time to spare, one that works hardly any', async () => {
  const time = new SpareTime()
  workFor(300)
  expect(time.share()).toBeLessThan(0.5)
  await setTimeout(300)
  expect(time.share()).toBe(1)
})

import { setTimeout } from 'node:timers/promises'

import { EventLoopHeadroom } from './event-loop-headroom.js'

function workFor(ms: number): void {
  const start = performance.now()
  while (performance.now() - start < ms);
}

it('a process that waits has all of its time to spare, one that works hardly any', async () => {
  const headroom = new EventLoopHeadroom()
  workFor(300)
  expect(headroom.share()).toBeLessThan(0.5)
  await setTimeout(300)
  expect(headroom.share()).toBe(1)
})

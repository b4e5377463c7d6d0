import { waitFor } from '../../test/support/wait-for.js'
import { EventLoopHeadroom } from './attempt-rate-limiter.js'

function workFor(ms: number): void {
  const start = performance.now()
  while (performance.now() - start < ms);
}

it('a process that waits has all of its time to spare, one that works hardly any', async () => {
  const headroom = new EventLoopHeadroom()
  workFor(300)
  expect(headroom.share()).toBeLessThan(0.5)
  await waitFor('all of its time to spare', () => headroom.share() === 1)
})

import type { ErrorClass, Outcome } from '../platform/outbound/outcome.js'
import { AttemptRateLimiter } from './attempt-rate-limiter.js'
import type { LaneView } from './leases.repository.js'
import { ServedLane } from './served-lane.js'

const { jest } = import.meta

let limiter: AttemptRateLimiter
beforeEach(() => {
  jest.useFakeTimers()
  // Timers are fake here, so the real load of the process must not count.
  limiter = new AttemptRateLimiter({ share: () => 1 })
})
afterEach(() => {
  limiter.stop()
  jest.useRealTimers()
})

/** A lane that waits, as often as it has to, until it may begin. */
function laneTo(url: string, standing: Partial<LaneView> = {}) {
  const lane = new ServedLane(url, () => undefined)
  lane.see({ url, failuresInARow: 0, isProven: false, updatedAt: new Date(0), ...standing } as LaneView)
  const state = { lane, hasBegun: false }
  const begin = async () => {
    while (!(await limiter.wait(lane)));
    state.hasBegun = true
  }
  void begin()
  return state
}

const outcome = (error: ErrorClass | null) => ({ error: error && { class: error, message: '' } }) as Outcome
const crowd = (origin: string, count: number) =>
  Array.from({ length: count }, (_, i) => laneTo(`${origin}/${i}`))

/** How many of them have begun after this time. */
async function begun(lanes: { hasBegun: boolean }[], ms = 0): Promise<number> {
  await jest.advanceTimersByTimeAsync(ms)
  return lanes.filter(({ hasBegun }) => hasBegun).length
}

it('lets proven receivers begin at once, however many wait', async () => {
  crowd('https://new.example', 500)
  expect(await begun([laneTo('https://proven.example', { isProven: true })])).toBe(1)
})

it('lets new receivers begin a few at a time', async () => {
  const lanes = crowd('https://new.example', 500)
  expect(await begun(lanes)).toBeLessThan(20)
  const after = await begun(lanes, 1_000)
  expect(after).toBeGreaterThan(0)
  expect(after).toBeLessThan(200)
})

it('lets new receivers begin at once where another one has just succeeded', async () => {
  const lanes = crowd('https://good.example', 500)
  limiter.learn(lanes[0]!.lane, outcome(null))
  expect(await begun(lanes, 20)).toBe(500)
})

it('holds back new receivers where another one has just done harm, and lets all others pass', async () => {
  const hostile = crowd('https://bad.example', 500)
  const others = crowd('https://unknown.example', 4)
  limiter.learn(hostile[0]!.lane, outcome('too_large'))
  expect(await begun(others, 200)).toBe(4)
  expect(await begun(hostile)).toBeLessThan(50)
})

it('weighs harm more than a success at the same origin', async () => {
  const [good, bad] = crowd('https://mixed.example', 2)
  limiter.learn(good!.lane, outcome(null))
  limiter.learn(bad!.lane, outcome('reset'))
  expect(await begun(crowd('https://mixed.example', 100))).toBeLessThan(20)
})

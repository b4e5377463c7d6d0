import type { ErrorClass, Outcome } from '../platform/outbound/outcome.js'
import { AttemptRateLimiter } from './attempt-rate-limiter.js'
import type { LaneView } from './leases.repository.js'
import { WebhookLane } from './lane-state.js'

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

/** A lane that asks again whenever it is told of room, until it may begin. */
function laneTo(
  url: string,
  standing: Partial<LaneView> = {},
): { lane: WebhookLane; hasBegun: () => boolean } {
  let begun = false
  const lane = new WebhookLane(url, 60_000, () => (begun ||= limiter.mayBegin(lane)))
  lane.see({ url, failuresInARow: 0, isProven: false, updatedAt: new Date(0), ...standing } as LaneView)
  lane.tellRoom()
  return { lane, hasBegun: () => begun }
}

const outcome = (error: ErrorClass | null) => ({ error: error && { class: error, message: '' } }) as Outcome
const crowd = (origin: string, count: number) =>
  Array.from({ length: count }, (_, i) => laneTo(`${origin}/${i}`))
const begun = (lanes: { hasBegun: () => boolean }[]) => lanes.filter((each) => each.hasBegun()).length

it('receivers that answer begin at once, however many wait', () => {
  crowd('https://new.example', 500)
  expect(laneTo('https://proven.example', { isProven: true }).hasBegun()).toBe(true)
})

it('new receivers begin a few at a time', () => {
  const lanes = crowd('https://new.example', 500)
  expect(begun(lanes)).toBeLessThan(20)
  jest.advanceTimersByTime(1_000)
  expect(begun(lanes)).toBeGreaterThan(0)
  expect(begun(lanes)).toBeLessThan(200)
})

it('those that are new where another has just succeeded wait no longer', () => {
  const lanes = crowd('https://good.example', 500)
  limiter.learn(lanes[0]!.lane, outcome(null))
  jest.advanceTimersByTime(20)
  expect(begun(lanes)).toBe(500)
})

it('those that are new where another has just done harm let all other new ones pass', () => {
  const hostile = crowd('https://bad.example', 500)
  const others = crowd('https://unknown.example', 4)
  limiter.learn(hostile[0]!.lane, outcome('too_large'))
  jest.advanceTimersByTime(200)
  expect(begun(others)).toBe(4)
  expect(begun(hostile)).toBeLessThan(50)
})

it('harm outweighs a success at the same origin', () => {
  const [good, bad] = crowd('https://mixed.example', 2)
  limiter.learn(good!.lane, outcome(null))
  limiter.learn(bad!.lane, outcome('reset'))
  expect(begun(crowd('https://mixed.example', 100))).toBeLessThan(20)
})

import { waitFor } from '../../test/support/wait-for.js'
import type { ErrorClass, Outcome } from '../platform/outbound/outcome.js'
import { AttemptRate, AttemptRateLimiter, EventLoopHeadroom } from './send-permits.js'
import type { ClaimedLane } from './leases.repository.js'
import { ServedLane } from './served-lane.js'

const { jest } = import.meta

describe('AttemptRateLimiter', () => {
  let limiter: AttemptRateLimiter
  beforeEach(() => {
    jest.useFakeTimers()
    // The real load of the process must not count, because timers are fake.
    limiter = new AttemptRateLimiter({ getShare: () => 1 })
  })
  afterEach(() => {
    limiter.stop()
    jest.useRealTimers()
  })

  /** Creates a lane that waits until it may begin an attempt. */
  function laneTo(url: string, fields: Partial<ClaimedLane> = {}) {
    const lane = new ServedLane(url, () => undefined)
    lane.updateFromClaim({
      url,
      failuresInARow: 0,
      isProven: false,
      updatedAt: new Date(0),
      ...fields,
    } as ClaimedLane)
    const state = { lane, hasBegun: false }
    const begin = async () => {
      while (!(await limiter.waitForAttempt(lane)));
      state.hasBegun = true
    }
    void begin()
    return state
  }

  const outcome = (error: ErrorClass | null) => ({ error: error && { class: error, message: '' } }) as Outcome
  const lanesTo = (origin: string, count: number) =>
    Array.from({ length: count }, (_, i) => laneTo(`${origin}/${i}`))

  /** Returns how many of the lanes have begun after this time. */
  async function countBegun(lanes: { hasBegun: boolean }[], ms = 0): Promise<number> {
    await jest.advanceTimersByTimeAsync(ms)
    return lanes.filter(({ hasBegun }) => hasBegun).length
  }

  it('starts attempts to proven receivers immediately while 500 unproven ones wait', async () => {
    lanesTo('https://new.example', 500)
    expect(await countBegun([laneTo('https://proven.example', { isProven: true })])).toBe(1)
  })

  it('starts attempts to new receivers a few at a time', async () => {
    const lanes = lanesTo('https://new.example', 500)
    expect(await countBegun(lanes)).toBeLessThan(20)
    const after = await countBegun(lanes, 1_000)
    expect(after).toBeGreaterThan(0)
    expect(after).toBeLessThan(200)
  })

  it('starts attempts to new receivers immediately after a success at their origin', async () => {
    const lanes = lanesTo('https://good.example', 500)
    limiter.recordOutcome(lanes[0]!.lane, outcome(null))
    expect(await countBegun(lanes, 20)).toBe(500)
  })

  it('delays only new receivers whose origin had a harmful attempt', async () => {
    const hostile = lanesTo('https://bad.example', 500)
    const others = lanesTo('https://unknown.example', 4)
    limiter.recordOutcome(hostile[0]!.lane, outcome('too_large'))
    expect(await countBegun(others, 200)).toBe(4)
    expect(await countBegun(hostile)).toBeLessThan(50)
  })

  it('gives a harmful attempt precedence over a success at the same origin', async () => {
    const [good, bad] = lanesTo('https://mixed.example', 2)
    limiter.recordOutcome(good!.lane, outcome(null))
    limiter.recordOutcome(bad!.lane, outcome('reset'))
    expect(await countBegun(lanesTo('https://mixed.example', 100))).toBeLessThan(20)
  })
})

describe('AttemptRate', () => {
  beforeEach(() => jest.useFakeTimers())
  afterEach(() => jest.useRealTimers())

  async function begin(rate: AttemptRate, onBegun: () => void): Promise<void> {
    if (await rate.waitForAttempt({ leaveLine: null })) onBegun()
  }

  /** Attempts that end as soon as they begin. */
  class Attempts {
    readonly rate = new AttemptRate(50, () => 1)
    begun = 0

    add(count: number, isSuccess: (attempt: number) => boolean): void {
      for (let attempt = 0; attempt < count; attempt++)
        void begin(this.rate, () => {
          this.begun += 1
          this.rate.updateRate(isSuccess(attempt))
        })
    }
  }

  const advance = (ms: number) => jest.advanceTimersByTimeAsync(ms)

  it('starts a few attempts immediately', async () => {
    const attempts = new Attempts()
    attempts.add(10, () => false)
    await advance(0)
    expect(attempts.begun).toBe(2)
  })

  it('stays low while attempts fail, and starts all of them eventually', async () => {
    const attempts = new Attempts()
    attempts.add(200, () => false)
    await advance(1_000)
    expect(attempts.begun).toBe(52)
    await advance(3_000)
    expect(attempts.begun).toBe(200)
  })

  it('rises while most attempts succeed', async () => {
    const attempts = new Attempts()
    attempts.add(2_000, (attempt) => attempt % 3 > 0)
    await advance(2_000)
    expect(attempts.begun).toBe(2_000)
  })

  it('falls when attempts fail again', async () => {
    const attempts = new Attempts()
    attempts.add(1_000, () => true)
    await advance(1_000)
    attempts.add(1_000, () => false)
    await advance(1_000)
    // Five hundred attempts start immediately from the saved credit.
    expect(attempts.begun).toBeLessThan(1_600)
  })

  it('starts attempts in the order in which they wait', async () => {
    const rate = new AttemptRate(50, () => 1)
    const order: number[] = []
    for (let attempt = 0; attempt < 10; attempt++) void begin(rate, () => order.push(attempt))
    await advance(15)
    void begin(rate, () => order.push(10))
    await advance(1_000)
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it('leaves no timer running', async () => {
    const attempts = new Attempts()
    attempts.add(20, () => false)
    expect(jest.getTimerCount()).toBe(1)
    await advance(1_000)
    expect(jest.getTimerCount()).toBe(0)
  })
})

describe('EventLoopHeadroom', () => {
  function blockFor(ms: number): void {
    const start = performance.now()
    while (performance.now() - start < ms);
  }

  it('is low while the event loop is busy and full once it is idle', async () => {
    const headroom = new EventLoopHeadroom()
    blockFor(300)
    expect(headroom.getShare()).toBeLessThan(0.5)
    await waitFor('full headroom', () => headroom.getShare() === 1)
  })
})

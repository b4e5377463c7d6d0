import { AttemptRate } from './attempt-rate-limiter.js'

const { jest } = import.meta

beforeEach(() => jest.useFakeTimers())
afterEach(() => jest.useRealTimers())

async function begin(rate: AttemptRate, onBegun: () => void): Promise<void> {
  if (await rate.wait({ leaveLine: null })) onBegun()
}

/** Attempts that end as soon as they begin. */
class Attempts {
  readonly rate = new AttemptRate(50, () => 1)
  begun = 0

  add(count: number, endsWell: (attempt: number) => boolean): void {
    for (let attempt = 0; attempt < count; attempt++)
      void begin(this.rate, () => {
        this.begun += 1
        this.rate.learn(endsWell(attempt))
      })
  }
}

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms)

describe('the rate of attempts at unknown receivers', () => {
  it('lets a few begin at once', async () => {
    const attempts = new Attempts()
    attempts.add(10, () => false)
    await pass(0)
    expect(attempts.begun).toBe(2)
  })

  it('is slow while they fail, and all begin in the end', async () => {
    const attempts = new Attempts()
    attempts.add(200, () => false)
    await pass(1_000)
    expect(attempts.begun).toBe(52)
    await pass(3_000)
    expect(attempts.begun).toBe(200)
  })

  it('rises while most of them succeed', async () => {
    const attempts = new Attempts()
    attempts.add(2_000, (attempt) => attempt % 3 > 0)
    await pass(2_000)
    expect(attempts.begun).toBe(2_000)
  })

  it('falls when they fail after that', async () => {
    const attempts = new Attempts()
    attempts.add(1_000, () => true)
    await pass(1_000)
    attempts.add(1_000, () => false)
    await pass(1_000)
    // Five hundred of them begin at once, because the rate has saved up as many.
    expect(attempts.begun).toBeLessThan(1_600)
  })

  it('lets those begin first that waited longest', async () => {
    const rate = new AttemptRate(50, () => 1)
    const order: number[] = []
    for (let attempt = 0; attempt < 10; attempt++) void begin(rate, () => order.push(attempt))
    await pass(15)
    void begin(rate, () => order.push(10))
    await pass(1_000)
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it('leaves no timer behind', async () => {
    const attempts = new Attempts()
    attempts.add(20, () => false)
    expect(jest.getTimerCount()).toBe(1)
    await pass(1_000)
    expect(jest.getTimerCount()).toBe(0)
  })
})

import { AttemptRate } from './attempt-rate-limiter.js'

const { jest } = import.meta

beforeEach(() => jest.useFakeTimers())
afterEach(() => jest.useRealTimers())

/** Asks until it may begin, as a lane does. */
function begin(rate: AttemptRate, onBegun: () => void): void {
  const ask = () => {
    if (rate.take(ask)) onBegun()
  }
  ask()
}

/** Attempts that end as soon as they begin. */
class Attempts {
  readonly rate = new AttemptRate(50, () => 1)
  begun = 0

  add(count: number, endsWell: (attempt: number) => boolean): void {
    for (let attempt = 0; attempt < count; attempt++)
      begin(this.rate, () => {
        this.begun += 1
        this.rate.learn(endsWell(attempt))
      })
  }
}

describe('the rate of attempts at unknown receivers', () => {
  it('lets a few begin at once', () => {
    const attempts = new Attempts()
    attempts.add(10, () => false)
    expect(attempts.begun).toBe(2)
  })

  it('is slow while they fail, and all begin in the end', () => {
    const attempts = new Attempts()
    attempts.add(200, () => false)
    jest.advanceTimersByTime(1_000)
    expect(attempts.begun).toBe(52)
    jest.advanceTimersByTime(3_000)
    expect(attempts.begun).toBe(200)
  })

  it('grows while most of them succeed', () => {
    const attempts = new Attempts()
    attempts.add(2_000, (attempt) => attempt % 3 > 0)
    jest.advanceTimersByTime(2_000)
    expect(attempts.begun).toBe(2_000)
  })

  it('is slow again when they fail after that', () => {
    const attempts = new Attempts()
    attempts.add(1_000, () => true)
    jest.advanceTimersByTime(1_000)
    attempts.add(1_000, () => false)
    jest.advanceTimersByTime(1_000)
    expect(attempts.begun).toBeLessThan(1_500)
  })

  it('has those who waited longest begin first, whoever comes in between', () => {
    const rate = new AttemptRate(50, () => 1)
    const order: number[] = []
    for (let attempt = 0; attempt < 10; attempt++) begin(rate, () => order.push(attempt))
    jest.advanceTimersByTime(15)
    begin(rate, () => order.push(10))
    jest.advanceTimersByTime(1_000)
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it('leaves no timer behind', () => {
    const attempts = new Attempts()
    attempts.add(20, () => false)
    expect(jest.getTimerCount()).toBe(1)
    jest.advanceTimersByTime(1_000)
    expect(jest.getTimerCount()).toBe(0)
  })
})

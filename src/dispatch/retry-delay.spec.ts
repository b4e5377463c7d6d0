import { retryDelay } from './dispatcher.js'

const steps = [5, 300, 1800]

describe('the retry schedule', () => {
  it.each([
    [1, 5_000],
    [2, 300_000],
    [3, 1_800_000],
  ])('after attempt %i waits its step, up to a tenth longer and never shorter', (attempts, step) => {
    expect(retryDelay(steps, attempts, 0)).toBe(step)
    expect(retryDelay(steps, attempts, 0.999_999)).toBeLessThanOrEqual(step * 1.1)
    for (let i = 0; i < 1000; i++) {
      const delay = retryDelay(steps, attempts)
      expect(delay).toBeGreaterThanOrEqual(step)
      expect(delay).toBeLessThanOrEqual(step * 1.1)
    }
  })

  it('ends after its last step', () => {
    expect(retryDelay(steps, 4)).toBeNull()
    expect(retryDelay([], 1)).toBeNull()
  })
})

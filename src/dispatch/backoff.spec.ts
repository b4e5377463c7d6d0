import { probeInterval, retryDelay } from './backoff.js'

const steps = [5, 300, 1800]

describe('retryDelay', () => {
  it.each([
    [1, 5_000],
    [2, 300_000],
    [3, 1_800_000],
  ])('waits its step, and at most a tenth longer, after attempt %i', (attempts, step) => {
    expect(retryDelay(steps, attempts, 0)).toBe(step)
    expect(retryDelay(steps, attempts, 0.999_999)).toBeLessThanOrEqual(step * 1.1)
    for (let i = 0; i < 1000; i++) {
      const delay = retryDelay(steps, attempts)
      expect(delay).toBeGreaterThanOrEqual(step)
      expect(delay).toBeLessThanOrEqual(step * 1.1)
    }
  })

  it('returns null after the last step', () => {
    expect(retryDelay(steps, 4)).toBeNull()
    expect(retryDelay([], 1)).toBeNull()
  })
})

describe('probeInterval', () => {
  it('returns null before five failures in a row', () => {
    expect([0, 1, 2, 3, 4].map(probeInterval)).toEqual([null, null, null, null, null])
  })

  it('doubles with each failure, up to five minutes', () => {
    expect([5, 6, 7, 8, 9, 10, 11, 12].map(probeInterval)).toEqual([
      2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000,
    ])
    expect([13, 14, 1_000, 2 ** 31].map(probeInterval)).toEqual([300_000, 300_000, 300_000, 300_000])
  })
})

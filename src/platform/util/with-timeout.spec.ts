import { withTimeout } from './with-timeout.js'

const { jest } = import.meta

beforeEach(() => jest.useFakeTimers())
afterEach(() => jest.useRealTimers())

describe('work with a timeout', () => {
  it('gives what it gives when it is in time, and leaves no timer behind', async () => {
    await expect(withTimeout(Promise.resolve('done'), 1_000, 'late')).resolves.toBe('done')
    expect(jest.getTimerCount()).toBe(0)
  })

  it('fails as the work fails', async () => {
    await expect(withTimeout(Promise.reject(new Error('broken')), 1_000, 'late')).rejects.toThrow('broken')
    expect(jest.getTimerCount()).toBe(0)
  })

  it('is late when the time is over first', async () => {
    const answer = withTimeout(new Promise(() => undefined), 1_000, 'late')
    jest.advanceTimersByTime(1_000)
    await expect(answer).resolves.toBe('late')
  })
})

import { every, withTimeout } from './timers.js'

const { jest } = import.meta

beforeEach(() => jest.useFakeTimers())
afterEach(() => jest.useRealTimers())

const failures: string[] = []
const onFailure = (error: Error) => void failures.push(error.message)
beforeEach(() => (failures.length = 0))

it('runs after each wait, and ends when it is stopped', async () => {
  let runs = 0
  const stop = every({
    waitMs: 100,
    work: () => {
      runs++
      return Promise.resolve()
    },
    onFailure,
  })
  await jest.advanceTimersByTimeAsync(99)
  expect(runs).toBe(0)
  await jest.advanceTimersByTimeAsync(201)
  expect(runs).toBe(3)
  stop()
  await jest.advanceTimersByTimeAsync(1_000)
  expect(runs).toBe(3)
})

it('waits for a run to end before the next wait begins, and begins none when it was stopped meanwhile', async () => {
  const ends: (() => void)[] = []
  const stop = every({ waitMs: 100, work: () => new Promise<void>((end) => ends.push(end)), onFailure })
  await jest.advanceTimersByTimeAsync(1_000)
  expect(ends).toHaveLength(1)
  ends[0]!()
  await jest.advanceTimersByTimeAsync(100)
  expect(ends).toHaveLength(2)
  stop()
  ends[1]!()
  await jest.advanceTimersByTimeAsync(1_000)
  expect(ends).toHaveLength(2)
})

it('goes on after a failure, which it tells, with a wait of its own where there is one', async () => {
  let runs = 0
  const work = () => Promise.reject(new Error(`run ${++runs}`))
  const stop = every({ waitMs: 100, work, onFailure })
  await jest.advanceTimersByTimeAsync(200)
  expect(failures).toEqual(['run 1', 'run 2'])
  stop()
  const stopOther = every({ waitMs: 100, afterFailureMs: 10, work, onFailure })
  await jest.advanceTimersByTimeAsync(110)
  expect(failures).toEqual(['run 1', 'run 2', 'run 3', 'run 4'])
  stopOther()
})

it('waits longer after a run that took long, where it is told to', async () => {
  let runs = 0
  const work = async () => {
    runs++
    await new Promise((end) => setTimeout(end, 50))
  }
  const stop = every({ firstWaitMs: 0, waitMs: (tookMs) => 2 * tookMs, work, onFailure })
  await jest.advanceTimersByTimeAsync(149)
  expect(runs).toBe(1)
  await jest.advanceTimersByTimeAsync(1)
  expect(runs).toBe(2)
  stop()
})

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

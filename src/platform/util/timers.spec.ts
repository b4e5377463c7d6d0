import { runPeriodically, withTimeout } from './timers.js'

const { jest } = import.meta

beforeEach(() => jest.useFakeTimers())
afterEach(() => jest.useRealTimers())

const failures: string[] = []
const onFailure = (error: Error) => void failures.push(error.message)
beforeEach(() => (failures.length = 0))

it('runs after each wait, until it is stopped', async () => {
  let runs = 0
  const stop = runPeriodically({
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

it('starts the next wait after a run has ended, unless it was stopped during the run', async () => {
  const ends: (() => void)[] = []
  const stop = runPeriodically({
    waitMs: 100,
    work: () => new Promise<void>((end) => ends.push(end)),
    onFailure,
  })
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

it('reports a failure and continues, after `afterFailureMs` if it is set', async () => {
  let runs = 0
  const work = () => Promise.reject(new Error(`run ${++runs}`))
  const stop = runPeriodically({ waitMs: 100, work, onFailure })
  await jest.advanceTimersByTimeAsync(200)
  expect(failures).toEqual(['run 1', 'run 2'])
  stop()
  const stopOther = runPeriodically({ waitMs: 100, afterFailureMs: 10, work, onFailure })
  await jest.advanceTimersByTimeAsync(110)
  expect(failures).toEqual(['run 1', 'run 2', 'run 3', 'run 4'])
  stopOther()
})

it('adapts the wait to the duration of a run', async () => {
  let runs = 0
  const work = async () => {
    runs++
    await new Promise((end) => setTimeout(end, 50))
  }
  const stop = runPeriodically({ firstWaitMs: 0, waitMs: (tookMs) => 2 * tookMs, work, onFailure })
  await jest.advanceTimersByTimeAsync(149)
  expect(runs).toBe(1)
  await jest.advanceTimersByTimeAsync(1)
  expect(runs).toBe(2)
  stop()
})

describe('work with a timeout', () => {
  it('resolves with its result in time, and clears the timer', async () => {
    await expect(withTimeout(Promise.resolve('done'), 1_000, 'late')).resolves.toBe('done')
    expect(jest.getTimerCount()).toBe(0)
  })

  it('rejects with the error of the work', async () => {
    await expect(withTimeout(Promise.reject(new Error('broken')), 1_000, 'late')).rejects.toThrow('broken')
    expect(jest.getTimerCount()).toBe(0)
  })

  it('resolves with `late` after the timeout', async () => {
    const result = withTimeout(new Promise(() => undefined), 1_000, 'late')
    jest.advanceTimersByTime(1_000)
    await expect(result).resolves.toBe('late')
  })
})

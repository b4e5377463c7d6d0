import { waitFor } from '../../../test/support/wait-for.js'
import { Batcher } from './batcher.js'

const rethrow = (error: Error) => {
  throw error
}

describe('batches', () => {
  it('hold what is asked for in one turn, and what comes while one is under way', async () => {
    const seen: number[][] = []
    let letGo: () => void = () => undefined
    const batches = new Batcher<number>(
      { most: 10, atOnce: 1 },
      async (batch) => {
        seen.push(batch)
        if (seen.length === 1) await new Promise<void>((resolve) => (letGo = resolve))
      },
      rethrow,
    )
    for (const item of [1, 2, 2, 1]) batches.add(item)
    await waitFor('the first batch', () => seen.length === 1)
    for (const item of [3, 1]) batches.add(item)
    letGo()
    await waitFor('the second batch', () => seen.length === 2)
    expect(seen).toEqual([
      [1, 2],
      [3, 1],
    ])
  })

  it('have a greatest size', async () => {
    const sizes: number[] = []
    const note = (batch: number[]) => {
      sizes.push(batch.length)
      return Promise.resolve()
    }
    const batches = new Batcher<number>({ most: 2, atOnce: 1 }, note, rethrow)
    for (let item = 0; item < 5; item++) batches.add(item)
    await waitFor('all of them', () => sizes.length === 3)
    expect(sizes).toEqual([2, 2, 1])
  })

  it('that fail are tried again, with what has come since', async () => {
    const seen: number[][] = []
    const failures: string[] = []
    const batches = new Batcher<number>(
      { most: 10, atOnce: 1 },
      (batch) => {
        seen.push(batch)
        if (seen.length > 1) return Promise.resolve()
        batches.add(2)
        return Promise.reject(new Error('not now'))
      },
      (error) => failures.push(error.message),
    )
    batches.add(1)
    await waitFor('the second try', () => seen.length === 2)
    expect(failures).toEqual(['not now'])
    expect(new Set(seen[1])).toEqual(new Set([1, 2]))
  })

  it('that failed keep their place before what came later', async () => {
    const seen: number[][] = []
    const batcher = new Batcher<number>(
      { most: 2, atOnce: 1 },
      (batch) => {
        seen.push(batch)
        return seen.length === 1 ? Promise.reject(new Error('not now')) : Promise.resolve()
      },
      () => undefined,
    )
    for (const item of [1, 2, 3]) batcher.add(item)
    await waitFor('all of them', () => seen.length === 3)
    expect(seen).toEqual([[1, 2], [1, 2], [3]])
  })

  it('that were not begun are left undone after a stop', async () => {
    const seen: number[][] = []
    const batcher = new Batcher<number>(
      { most: 1, atOnce: 1 },
      (batch) => {
        seen.push(batch)
        batcher.stop()
        return Promise.resolve()
      },
      rethrow,
    )
    for (const item of [1, 2]) batcher.add(item)
    await waitFor('the first', () => seen.length === 1)
    await new Promise(setImmediate)
    expect(seen).toEqual([[1]])
  })
})

describe('a batch that waits for others', () => {
  const { jest } = import.meta
  beforeEach(() => jest.useFakeTimers())
  afterEach(() => jest.useRealTimers())

  const slow = 100
  const quick = 10
  function gathering(most: number) {
    const seen: number[][] = []
    const note = (batch: number[]) => {
      seen.push(batch)
      return Promise.resolve()
    }
    const batcher = new Batcher<number>({ most, atOnce: 1, gatherMs: (ms) => ms }, note, rethrow)
    return { batcher, seen }
  }

  it('begins when the time of its first item is over', async () => {
    const { batcher, seen } = gathering(10)
    batcher.add(slow)
    await jest.advanceTimersByTimeAsync(slow - 1)
    expect(seen).toEqual([])
    await jest.advanceTimersByTimeAsync(1)
    expect(seen).toEqual([[slow]])
  })

  it('begins sooner when something urgent joins it', async () => {
    const { batcher, seen } = gathering(10)
    batcher.add(slow)
    await jest.advanceTimersByTimeAsync(1)
    batcher.add(quick)
    await jest.advanceTimersByTimeAsync(quick - 1)
    expect(seen).toEqual([])
    await jest.advanceTimersByTimeAsync(1)
    expect(seen).toEqual([[slow, quick]])
  })

  it('begins at once when it is full', async () => {
    const { batcher, seen } = gathering(2)
    batcher.add(slow)
    await jest.advanceTimersByTimeAsync(1)
    batcher.add(slow + 1)
    await jest.advanceTimersByTimeAsync(0)
    expect(seen).toEqual([[slow, slow + 1]])
  })
})

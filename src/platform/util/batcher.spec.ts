import { waitFor } from '../../../test/support/wait-for.js'
import { Batcher } from './batcher.js'

const rethrow = (error: Error) => {
  throw error
}

describe('batches', () => {
  it('contain the items of one turn of the event loop, or those added during the previous batch', async () => {
    const seen: number[][] = []
    let letGo: () => void = () => undefined
    const batches = new Batcher<number>(
      { maxItems: 10, concurrency: 1 },
      async (batch) => {
        seen.push(batch)
        if (seen.length === 1) await new Promise<void>((resolve) => (letGo = resolve))
      },
      rethrow,
    )
    for (const item of [1, 2, 2, 1]) batches.addItem(item)
    await waitFor('the first batch', () => seen.length === 1)
    for (const item of [3, 1]) batches.addItem(item)
    letGo()
    await waitFor('the second batch', () => seen.length === 2)
    expect(seen).toEqual([
      [1, 2],
      [3, 1],
    ])
  })

  it('have a maximum size', async () => {
    const sizes: number[] = []
    const note = (batch: number[]) => {
      sizes.push(batch.length)
      return Promise.resolve()
    }
    const batches = new Batcher<number>({ maxItems: 2, concurrency: 1 }, note, rethrow)
    for (let item = 0; item < 5; item++) batches.addItem(item)
    await waitFor('all of them', () => sizes.length === 3)
    expect(sizes).toEqual([2, 2, 1])
  })

  it('have a maximum sum of sizes, except for a larger item', async () => {
    const seen: number[][] = []
    const note = (batch: number[]) => Promise.resolve(void seen.push(batch))
    const batches = new Batcher<number>(
      { maxItems: 5, concurrency: 1, getItemSize: (item) => item },
      note,
      rethrow,
    )
    for (const item of [1, 4, 2, 9, 3]) batches.addItem(item)
    await waitFor('all of them', () => seen.length === 4)
    expect(seen).toEqual([[1, 4], [2], [9], [3]])
  })

  it('are retried after a failure, together with newer items', async () => {
    const seen: number[][] = []
    const failures: string[] = []
    const batches = new Batcher<number>(
      { maxItems: 10, concurrency: 1 },
      (batch) => {
        seen.push(batch)
        if (seen.length > 1) return Promise.resolve()
        batches.addItem(2)
        return Promise.reject(new Error('not now'))
      },
      (error) => failures.push(error.message),
    )
    batches.addItem(1)
    await waitFor('the second try', () => seen.length === 2)
    expect(failures).toEqual(['not now'])
    expect(new Set(seen[1])).toEqual(new Set([1, 2]))
  })

  it('keep their order after a failure', async () => {
    const seen: number[][] = []
    const batcher = new Batcher<number>(
      { maxItems: 2, concurrency: 1 },
      (batch) => {
        seen.push(batch)
        return seen.length === 1 ? Promise.reject(new Error('not now')) : Promise.resolve()
      },
      () => undefined,
    )
    for (const item of [1, 2, 3]) batcher.addItem(item)
    await waitFor('all of them', () => seen.length === 3)
    expect(seen).toEqual([[1, 2], [1, 2], [3]])
  })

  it('are not started after a stop', async () => {
    const seen: number[][] = []
    const batcher = new Batcher<number>(
      { maxItems: 1, concurrency: 1 },
      (batch) => {
        seen.push(batch)
        batcher.stop()
        return Promise.resolve()
      },
      rethrow,
    )
    for (const item of [1, 2]) batcher.addItem(item)
    await waitFor('the first', () => seen.length === 1)
    await new Promise(setImmediate)
    expect(seen).toEqual([[1]])
  })
})

describe('a batch that gathers items', () => {
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
    const batcher = new Batcher<number>(
      { maxItems: most, concurrency: 1, gatherMs: (ms) => ms },
      note,
      rethrow,
    )
    return { batcher, seen }
  }

  it('starts when the wait of its first item ends', async () => {
    const { batcher, seen } = gathering(10)
    batcher.addItem(slow)
    await jest.advanceTimersByTimeAsync(slow - 1)
    expect(seen).toEqual([])
    await jest.advanceTimersByTimeAsync(1)
    expect(seen).toEqual([[slow]])
  })

  it('starts earlier when an urgent item joins', async () => {
    const { batcher, seen } = gathering(10)
    batcher.addItem(slow)
    await jest.advanceTimersByTimeAsync(1)
    batcher.addItem(quick)
    await jest.advanceTimersByTimeAsync(quick - 1)
    expect(seen).toEqual([])
    await jest.advanceTimersByTimeAsync(1)
    expect(seen).toEqual([[slow, quick]])
  })

  it('starts immediately when it is full', async () => {
    const { batcher, seen } = gathering(2)
    batcher.addItem(slow)
    await jest.advanceTimersByTimeAsync(1)
    batcher.addItem(slow + 1)
    await jest.advanceTimersByTimeAsync(0)
    expect(seen).toEqual([[slow, slow + 1]])
  })
})

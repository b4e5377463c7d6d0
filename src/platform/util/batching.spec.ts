import { waitFor } from '../../../test/support/wait-for.js'
import { BatchedCalls, Batcher, WriteBehind } from './batching.js'

const { jest } = import.meta

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

/** Returns values whose first writes fail. */
function writtenBehind({
  failures = 0,
  merge,
}: { failures?: number; merge?: (older: string, newer: string) => string } = {}) {
  const written: string[][] = []
  const errors: string[] = []
  const values = new WriteBehind<string>(
    1_000,
    (batch) => {
      if (failures-- > 0) return Promise.reject(new Error('database down'))
      written.push(batch)
      return Promise.resolve()
    },
    (error) => errors.push(error.message),
    merge,
  )
  return { values, written, errors }
}

describe('write-behind values', () => {
  beforeEach(() => jest.useFakeTimers())
  afterEach(() => jest.useRealTimers())

  it('are written together, each with its newest value, after a delay', async () => {
    const { values, written } = writtenBehind()
    values.set('a', 'a1')
    await jest.advanceTimersByTimeAsync(900)
    values.set('a', 'a2')
    values.set('b', 'b1')
    expect(values.get('a')).toBe('a2')
    await jest.advanceTimersByTimeAsync(100)
    expect(written).toEqual([['a2', 'b1']])
    expect(values.get('a')).toBeUndefined()
  })

  it('leave no timer after a flush', async () => {
    const { values, written } = writtenBehind()
    values.set('a', 'a1')
    await values.flush()
    expect(written).toEqual([['a1']])
    expect(jest.getTimerCount()).toBe(0)
  })

  it('are kept after a failed write, unless newer values replace them', async () => {
    const { values, written, errors } = writtenBehind({ failures: 1 })
    values.set('a', 'a1')
    values.set('b', 'b1')
    const flushing = values.flush()
    values.set('a', 'a2')
    await flushing
    expect(errors).toEqual(['database down'])
    await jest.advanceTimersByTimeAsync(1_000)
    expect(written).toEqual([['a2', 'b1']])
  })

  it('are merged with older values, even after a failed write', async () => {
    const { values, written } = writtenBehind({ failures: 1, merge: (older, newer) => `${older} ${newer}` })
    values.set('a', 'a1')
    values.set('a', 'a2')
    const flushing = values.flush()
    values.set('a', 'a3')
    await flushing
    await values.flush()
    expect(written).toEqual([['a1 a2 a3']])
  })
})

describe('batched calls', () => {
  it('return a result each, and fail alone if only their own result fails', async () => {
    const batches: number[][] = []
    const calls = new BatchedCalls<number, string>({ maxItems: 2, concurrency: 1 }, (items) => {
      batches.push(items)
      return Promise.resolve((item) => {
        if (item === 2) throw new Error('not this one')
        return `answer ${item}`
      })
    })
    const answers = await Promise.allSettled([1, 2, 3].map((item) => calls.call(item)))
    expect(batches).toEqual([[1, 2], [3]])
    expect(answers).toEqual([
      { status: 'fulfilled', value: 'answer 1' },
      { status: 'rejected', reason: new Error('not this one') },
      { status: 'fulfilled', value: 'answer 3' },
    ])
  })

  it('fail together if their work fails, which is not retried', async () => {
    let works = 0
    const calls = new BatchedCalls<number, number>({ maxItems: 10, concurrency: 1 }, () => {
      works += 1
      return works === 1 ? Promise.reject(new Error('not now')) : Promise.resolve((item) => item)
    })
    const answers = await Promise.allSettled([calls.call(1), calls.call(2)])
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await calls.call(3)).toBe(3)
    expect(works).toBe(2)
  })

  it('gather items for as long as each may wait', async () => {
    const batches: number[][] = []
    const limits = { maxItems: 10, concurrency: 1, gatherMs: (item: number) => item }
    const calls = new BatchedCalls<number, number>(limits, (items) => {
      batches.push(items)
      return Promise.resolve((item) => item)
    })
    const first = calls.call(60_000)
    await new Promise((resolve) => setImmediate(resolve))
    expect(await Promise.all([first, calls.call(0)])).toEqual([60_000, 0])
    expect(batches).toEqual([[60_000, 0]])
  })
})

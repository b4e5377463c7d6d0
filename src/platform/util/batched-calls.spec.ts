import { BatchedCalls } from './batched-calls.js'

describe('batched calls', () => {
  it('each get their own result or error', async () => {
    const batches: number[][] = []
    const calls = new BatchedCalls<number, string>({ maxItems: 2, concurrency: 1 }, (items) => {
      batches.push(items)
      return Promise.resolve((item) => {
        if (item === 2) throw new Error('not this one')
        return `result ${item}`
      })
    })
    const results = await Promise.allSettled([1, 2, 3].map((item) => calls.call(item)))
    expect(batches).toEqual([[1, 2], [3]])
    expect(results).toEqual([
      { status: 'fulfilled', value: 'result 1' },
      { status: 'rejected', reason: new Error('not this one') },
      { status: 'fulfilled', value: 'result 3' },
    ])
  })

  it('all fail if their batch fails, without a retry', async () => {
    let works = 0
    const calls = new BatchedCalls<number, number>({ maxItems: 10, concurrency: 1 }, () => {
      works += 1
      return works === 1 ? Promise.reject(new Error('not now')) : Promise.resolve((item) => item)
    })
    const results = await Promise.allSettled([calls.call(1), calls.call(2)])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await calls.call(3)).toBe(3)
    expect(works).toBe(2)
  })

  it('start as soon as one item may not wait any longer', async () => {
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

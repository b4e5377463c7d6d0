import { waitFor } from '../../test/support/wait-for.js'
import { Batches } from './batches.js'

const rethrow = (error: Error) => {
  throw error
}

describe('batches', () => {
  it('hold what is asked for in one turn, and what comes while one is under way', async () => {
    const seen: number[][] = []
    let letGo: () => void = () => undefined
    const batches = new Batches<number>(
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
    const batches = new Batches<number>({ most: 2, atOnce: 1 }, note, rethrow)
    for (let item = 0; item < 5; item++) batches.add(item)
    await waitFor('all of them', () => sizes.length === 3)
    expect(sizes).toEqual([2, 2, 1])
  })

  it('that fail are tried again, with what has come since', async () => {
    const seen: number[][] = []
    const failures: string[] = []
    const batches = new Batches<number>(
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
})

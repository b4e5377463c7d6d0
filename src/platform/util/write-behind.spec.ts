import { WriteBehind } from './write-behind.js'

const { jest } = import.meta

/** Creates write-behind values. The first `failures` writes fail. */
function createValues({
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
    const { values, written } = createValues()
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
    const { values, written } = createValues()
    values.set('a', 'a1')
    await values.flush()
    expect(written).toEqual([['a1']])
    expect(jest.getTimerCount()).toBe(0)
  })

  it('are kept after a failed write, unless newer values replace them', async () => {
    const { values, written, errors } = createValues({ failures: 1 })
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
    const { values, written } = createValues({ failures: 1, merge: (older, newer) => `${older} ${newer}` })
    values.set('a', 'a1')
    values.set('a', 'a2')
    const flushing = values.flush()
    values.set('a', 'a3')
    await flushing
    await values.flush()
    expect(written).toEqual([['a1 a2 a3']])
  })
})

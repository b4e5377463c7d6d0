import { WriteBehind } from './write-behind.js'

const { jest } = import.meta

beforeEach(() => jest.useFakeTimers())
afterEach(() => jest.useRealTimers())

/** A store that fails as often as the test says. */
function make({ failures = 0 } = {}) {
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
  )
  return { values, written, errors }
}

describe('values that are written behind', () => {
  it('are written together, each as it was last, a while after the first one came', async () => {
    const { values, written } = make()
    values.set('a', 'a1')
    await jest.advanceTimersByTimeAsync(900)
    values.set('a', 'a2')
    values.set('b', 'b1')
    expect(values.get('a')).toBe('a2')
    await jest.advanceTimersByTimeAsync(100)
    expect(written).toEqual([['a2', 'b1']])
    expect(values.get('a')).toBeUndefined()
  })

  it('leave no timer behind when they were written at once', async () => {
    const { values, written } = make()
    values.set('a', 'a1')
    await values.flush()
    expect(written).toEqual([['a1']])
    expect(jest.getTimerCount()).toBe(0)
  })

  it('are kept when they could not be written, and give way to newer ones', async () => {
    const { values, written, errors } = make({ failures: 1 })
    values.set('a', 'a1')
    values.set('b', 'b1')
    const flushing = values.flush()
    values.set('a', 'a2')
    await flushing
    expect(errors).toEqual(['database down'])
    await jest.advanceTimersByTimeAsync(1_000)
    expect(written).toEqual([['a2', 'b1']])
  })
})

import { GrowingIds } from './growing-ids.js'

const uuid7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const timeIn = (id: string) => parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

describe('growing ids', () => {
  it('are UUIDs of version 7 that carry their millisecond', () => {
    const ids = new GrowingIds()
    for (const time of [0, 1, 1_763_712_000_000, 1_763_712_000_001, 2 ** 47]) {
      const id = ids.next(time)
      expect(id).toMatch(uuid7)
      expect(timeIn(id)).toBe(time)
    }
  })

  it('grow strictly, within a millisecond and across', () => {
    const ids = new GrowingIds()
    const made = Array.from({ length: 50_000 }, (_, i) =>
      ids.next(1_763_712_000_000 + Math.floor(i / 20_000)),
    )
    expect([...made].sort()).toEqual(made)
    expect(new Set(made).size).toBe(made.length)
  })

  it('grow on when the clock steps back a little, and follow it when it steps back far', () => {
    const ids = new GrowingIds()
    const first = ids.next(1_763_712_010_000)
    const second = ids.next(1_763_712_009_500)
    expect(second > first).toBe(true)
    expect(timeIn(ids.next(1_763_712_000_000))).toBe(1_763_712_000_000)
  })

  it('of two processes do not meet', () => {
    const [one, other] = [new GrowingIds(), new GrowingIds()]
    const made = new Set(
      Array.from({ length: 20_000 }, (_, i) => (i % 2 ? one : other).next(1_763_712_000_000)),
    )
    expect(made.size).toBe(20_000)
  })
})

import { assignLanes, maxLanes } from './lane-shares.js'

const workers = (...lanes: number[]) => lanes.map((count, i) => ({ id: `worker ${i}`, lanes: count }))

describe('maxLanes', () => {
  it('returns Infinity for the only worker', () => {
    expect(maxLanes(60, [])).toBe(Infinity)
  })

  it.each([
    [60, [0], 30],
    [60, [0, 0], 20],
    [61, [0, 0], 21],
    [1, [0], 1],
    [40, [40, 0], 27],
    [0, [0], 0],
  ])('for %s own lanes and other workers with %j returns %s', (own, others, share) => {
    expect(maxLanes(own, workers(...others))).toBe(share)
  })
})

describe('assignLanes', () => {
  it('assigns each lane to the worker with the fewest lanes', () => {
    expect(assignLanes(4, workers(2, 0))).toEqual(['worker 1', 'worker 1', 'worker 0', 'worker 1'])
  })

  it('returns nothing without another worker', () => {
    expect(assignLanes(3, [])).toEqual([])
  })
})

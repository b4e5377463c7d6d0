import { dealLanes, shareOf } from './lane-shares.js'

const workers = (...lanes: number[]) => lanes.map((count, i) => ({ id: `worker ${i}`, lanes: count }))

describe('shareOf', () => {
  it('is unlimited for a worker that is alone', () => {
    expect(shareOf(60, [])).toBe(Infinity)
  })

  it.each([
    [60, [0], 30],
    [60, [0, 0], 20],
    [61, [0, 0], 21],
    [1, [0], 1],
    [40, [40, 0], 27],
    [0, [0], 0],
  ])('for %s lanes beside workers with %j is %s', (own, others, share) => {
    expect(shareOf(own, workers(...others))).toBe(share)
  })
})

describe('dealLanes', () => {
  it('gives each lane to the worker with the fewest', () => {
    expect(dealLanes(4, workers(2, 0))).toEqual(['worker 1', 'worker 1', 'worker 0', 'worker 1'])
  })

  it('gives nothing away without another worker', () => {
    expect(dealLanes(3, [])).toEqual([])
  })
})

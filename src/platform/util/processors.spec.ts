import { idleShare, processorTimes } from './processors.js'

describe('the idle share', () => {
  it.each([
    ['half of the time', { idle: 50, all: 100 }, 0.5],
    ['none of it', { idle: 0, all: 100 }, 0],
    ['all of it, where no time has passed', { idle: 0, all: 0 }, 1],
  ])('is %s', (_, passed, share) => {
    const before = { idle: 1_000, all: 4_000 }
    expect(idleShare(before, { idle: 1_000 + passed.idle, all: 4_000 + passed.all })).toBe(share)
  })

  it('is between nothing and all on this machine', () => {
    const share = idleShare({ idle: 0, all: 0 }, processorTimes())
    expect(share).toBeGreaterThanOrEqual(0)
    expect(share).toBeLessThanOrEqual(1)
  })
})

import { idleProcessors, processorTimes } from './processors.js'

describe('idle processors', () => {
  it.each([
    ['half of four', { idle: 50, all: 100 }, 2],
    ['none', { idle: 0, all: 100 }, 0],
    ['all, where no time has passed', { idle: 0, all: 0 }, 4],
  ])('are %s', (_, passed, count) => {
    const before = { idle: 1_000, all: 4_000, count: 4 }
    const after = { idle: 1_000 + passed.idle, all: 4_000 + passed.all, count: 4 }
    expect(idleProcessors(before, after)).toBe(count)
  })

  it('are between none and all on this machine', () => {
    const now = processorTimes()
    const idle = idleProcessors({ idle: 0, all: 0, count: now.count }, now)
    expect(idle).toBeGreaterThanOrEqual(0)
    expect(idle).toBeLessThanOrEqual(now.count)
  })
})

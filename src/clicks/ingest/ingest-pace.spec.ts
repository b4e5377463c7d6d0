import {
  besideVisitors,
  idleProcessors,
  ingestPace,
  processorTimes,
  restAfter,
  unbound,
} from './ingest-pace.js'

const full = { idle: 0, servingBusy: 0.95, journalFill: 0.1 }

describe('the pace of the ingester', () => {
  it.each([
    ['the machine is full of visitors', {}, besideVisitors],
    ['processor time is left', { idle: 0.6 }, unbound],
    ['hardly any processor time is left', { idle: 0.59 }, besideVisitors],
    ['the machine is full, but not of visitors', { servingBusy: 0.4 }, unbound],
    ['the journal is half full', { journalFill: 0.5 }, unbound],
    ['the journal is nearly half full', { journalFill: 0.49 }, besideVisitors],
    ['nobody visits', { servingBusy: 0 }, unbound],
  ])('when %s', (_, changes, pace) => {
    expect(ingestPace({ ...full, ...changes })).toBe(pace)
  })

  it('is never nothing', () => {
    for (const { bytesPerBatch, clicksPerSecond } of [unbound, besideVisitors])
      expect(Math.min(bytesPerBatch, clicksPerSecond)).toBeGreaterThan(0)
  })

  it('is kept by resting after the work', () => {
    expect(restAfter(5_000, 300, unbound)).toBe(0)
    expect(restAfter(7_000, 100, besideVisitors)).toBe(400)
    expect(restAfter(7_000, 600, besideVisitors)).toBe(0)
  })
})

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

import {
  countIdleProcessors,
  ingestPace,
  limitedPace,
  computePause,
  readProcessorTimes,
  unlimitedPace,
} from './ingest-pace.js'

const busyMachine = { idle: 0, servingBusy: 0.95, journalFill: 0.1 }

describe('ingest pace', () => {
  it.each([
    ['limited when redirects use all processors', {}, limitedPace],
    ['unlimited when 0.6 processors are idle', { idle: 0.6 }, unlimitedPace],
    ['limited when fewer than 0.6 processors are idle', { idle: 0.59 }, limitedPace],
    ['unlimited when other programs use all processors', { servingBusy: 0.4 }, unlimitedPace],
    ['unlimited when the journal is half full', { journalFill: 0.5 }, unlimitedPace],
    ['limited when the journal is less than half full', { journalFill: 0.49 }, limitedPace],
    ['unlimited when there are no visitors', { servingBusy: 0 }, unlimitedPace],
  ])('is %s', (_, changes, pace) => {
    expect(ingestPace({ ...busyMachine, ...changes })).toBe(pace)
  })

  it('is never zero', () => {
    for (const { bytesPerBatch, clicksPerSecond } of [unlimitedPace, limitedPace])
      expect(Math.min(bytesPerBatch, clicksPerSecond)).toBeGreaterThan(0)
  })

  it('is enforced by a pause after each batch', () => {
    expect(computePause(5_000, 300, unlimitedPace)).toBe(0)
    expect(computePause(6_500, 100, limitedPace)).toBe(400)
    expect(computePause(6_500, 600, limitedPace)).toBe(0)
  })
})

describe('idle processors', () => {
  it.each([
    ['two of four', { idle: 50, all: 100 }, 2],
    ['none', { idle: 0, all: 100 }, 0],
    ['all if no time has passed', { idle: 0, all: 0 }, 4],
  ])('are %s', (_, elapsed, count) => {
    const before = { idle: 1_000, all: 4_000, count: 4 }
    const after = { idle: 1_000 + elapsed.idle, all: 4_000 + elapsed.all, count: 4 }
    expect(countIdleProcessors(before, after)).toBe(count)
  })

  it('are between zero and the number of processors on this machine', () => {
    const now = readProcessorTimes()
    const idle = countIdleProcessors({ idle: 0, all: 0, count: now.count }, now)
    expect(idle).toBeGreaterThanOrEqual(0)
    expect(idle).toBeLessThanOrEqual(now.count)
  })
})

import { ingestShare, least, restAfter, whole } from './ingest-share.js'

const full = { idle: 0, servingBusy: 0.95, journalFill: 0.1 }

describe('the share of the time that the ingester takes', () => {
  it.each([
    ['the machine is full of visitors', {}, least],
    ['processor time is left', { idle: 0.06 }, whole],
    ['the machine is full, but not of visitors', { servingBusy: 0.4 }, whole],
    ['the journal is half full', { journalFill: 0.5 }, whole],
    ['the journal is nearly half full', { journalFill: 0.49 }, least],
    ['nobody visits', { servingBusy: 0 }, whole],
  ])('when %s', (_, changes, share) => {
    expect(ingestShare({ ...full, ...changes })).toBe(share)
  })

  it('is never nothing', () => {
    for (const idle of [0, 0.5, 1])
      for (const servingBusy of [0, 0.5, 1])
        for (const journalFill of [0, 0.5, 1])
          expect(ingestShare({ idle, servingBusy, journalFill })).toBeGreaterThan(0)
  })

  it('is kept by resting after the work', () => {
    expect(restAfter(50, whole, 1_000)).toBe(0)
    expect(restAfter(50, least, 1_000)).toBeCloseTo(450)
    expect(restAfter(5_000, least, 1_000)).toBe(1_000)
  })
})

import { groupIntoBatches } from './batch-groups.js'
import type { WaitingDelivery } from './batch-groups.js'

const rule = { max: 3, withinSeconds: 10 }
const waiting = (id: string, waitedMs: number, isRetry = false): WaitingDelivery => ({
  id,
  eventId: id,
  sequence: null,
  isRetry,
  waitedMs,
})
const joinGroupIds = (groups: WaitingDelivery[][]) =>
  groups.map((group) => group.map(({ id }) => id).join(''))

describe('groupIntoBatches', () => {
  it('forms full batches, and returns when the remaining deliveries are due', () => {
    const deliveries = Array.from('abcdefgh').map((id, i) => waiting(id, 1_000 - i))
    const { groups, nextInMs } = groupIntoBatches(deliveries, rule, 10)
    expect(joinGroupIds(groups)).toEqual(['abc', 'def'])
    expect(nextInMs).toBe(10_000 - 994)
  })

  it('forms a smaller batch when its first delivery has waited long enough', () => {
    const { groups, nextInMs } = groupIntoBatches([waiting('a', 10_000), waiting('b', 0)], rule, 10)
    expect([joinGroupIds(groups), nextInMs]).toEqual([['ab'], null])
  })

  it('does not let retries wait for other deliveries', () => {
    const { groups } = groupIntoBatches([waiting('a', 0, true), waiting('b', 0)], rule, 10)
    expect(joinGroupIds(groups)).toEqual(['ab'])
  })

  it('forms no more batches than requested', () => {
    const deliveries = Array.from('abcdefgh').map((id) => waiting(id, 20_000))
    const { groups, nextInMs } = groupIntoBatches(deliveries, rule, 2)
    expect([joinGroupIds(groups), nextInMs]).toEqual([['abc', 'def'], null])
  })

  it('forms no batches without deliveries', () => {
    expect(groupIntoBatches([], rule, 10)).toEqual({ groups: [], nextInMs: null })
  })
})

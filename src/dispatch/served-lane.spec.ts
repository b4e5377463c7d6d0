import type { DueRequest } from './due-request.js'
import type { ClaimedLane } from './leases.repository.js'
import { firstRead } from './limits.js'
import type { Slot } from './send-slots.js'
import { ServedLane } from './served-lane.js'

const claimed = (fields: Partial<ClaimedLane> = {}) =>
  ({
    url: 'https://receiver.example/hook',
    maxInFlight: 4,
    failuresInARow: 0,
    isProven: true,
    updatedAt: new Date(0),
    ...fields,
  }) as ClaimedLane
const one = (id: string) => ({ id, isBatch: false }) as DueRequest
const due = (...ids: string[]) => ids.map(one)
const slot = (kind: Slot['kind'] = 'quick'): Slot => ({ startedAt: 0, kind })

/** Creates a lane that has claimed these deliveries. */
function laneWith(...ids: string[]): ServedLane {
  const lane = new ServedLane('webhook', () => undefined)
  lane.beginClaim(200)
  lane.updateFromClaim(claimed())
  lane.addDue(due(...ids))
  return lane
}

describe('ServedLane', () => {
  it('needs a claim when it is opened, and none after a claim that read everything', () => {
    expect(new ServedLane('webhook', () => undefined).needsClaim).toBe(true)
    expect(laneWith().needsClaim).toBe(false)
  })

  it('needs another claim after a hint that arrives during a claim', () => {
    const lane = laneWith()
    lane.isClaiming = true
    lane.beginClaim(200)
    lane.wake()
    expect(lane.needsClaim).toBe(false)
    lane.endClaim()
    expect(lane.needsClaim).toBe(true)
  })

  it('excludes deliveries in memory or in flight from a claim', () => {
    const lane = laneWith('a', 'b')
    lane.beginRequest(slot())
    expect(lane.beginClaim(200).claimedIds).toEqual(['a', 'b'])
    lane.markWritten(one('a'))
    expect(lane.beginClaim(200).claimedIds).toEqual(['b'])
  })

  it('drops the result of a claim that started before the webhook changed', () => {
    const lane = laneWith('a')
    lane.beginClaim(200)
    lane.refresh()
    lane.addDue(due('b'))
    expect([lane.canSend, lane.isBusy, lane.needsClaim]).toEqual([false, false, true])
    lane.beginClaim(200)
    lane.addDue(due('c'))
    expect(lane.canSend).toBe(true)
  })

  it.each([
    ['is suspended', (lane: ServedLane) => lane.suspend()],
    ['is handed over', (lane: ServedLane) => lane.handOver('successor')],
  ])('that %s drops unsent deliveries, accepts no others, and waits for requests in flight', (_, close) => {
    const lane = laneWith('a', 'b')
    lane.beginRequest(slot())
    close(lane)
    lane.addDue(due('c'))
    expect([lane.isOpen, lane.canSend, lane.isBusy]).toEqual([false, false, true])
    lane.markWritten(one('a'))
    expect(lane.isBusy).toBe(false)
  })

  it('that is handed over is checked by its successor', () => {
    const lane = laneWith('a')
    lane.handOver(null)
    expect(lane.mayHaveMore).toBe(true)
  })

  it('leaves the waiting line when it has nothing left to send', () => {
    const lane = laneWith('a')
    let hasLeft = false
    lane.leaveLine = () => (hasLeft = true)
    lane.wake()
    expect(hasLeft).toBe(false)
    lane.refresh()
    expect(hasLeft).toBe(true)
  })

  it('needs no claim after a probe until its result is written', () => {
    const lane = new ServedLane('webhook', () => undefined)
    lane.beginClaim(200)
    lane.updateFromClaim(claimed({ failuresInARow: 5, isProven: false }))
    lane.addDue(due('probe'))
    lane.beginRequest(slot())
    lane.wake()
    lane.updateFromOutcome(true, 10)
    expect(lane.needsClaim).toBe(false)
    lane.markWritten(one('probe'))
    expect(lane.needsClaim).toBe(true)
  })

  it('raises its concurrency by one after a success and halves it after a failure', () => {
    const lane = laneWith('a', 'b', 'c', 'd', 'e', 'f')
    const send = () => {
      let count = 0
      for (; lane.canSend; count++) lane.beginRequest(slot())
      return count
    }
    expect(send()).toBe(1)
    lane.updateFromOutcome(true, 10)
    lane.updateFromOutcome(true, 10)
    expect(send()).toBe(2)
    lane.updateFromOutcome(false, 10)
    expect(lane.canSend).toBe(false)
  })

  it('claims few deliveries until its receiver is at full speed, and while its receiver is slow', () => {
    const lane = laneWith('a')
    expect(lane.beginClaim(200).limit).toBe(firstRead)
    for (let i = 0; i < 4; i++) lane.updateFromOutcome(true, 10)
    expect(lane.beginClaim(200).limit).toBe(200)
    lane.beginRequest(slot('slow'))
    expect(lane.beginClaim(200).limit).toBe(4)
  })

  it('reads the state of its receiver from the next claim after its lease expired', () => {
    const lane = laneWith('a')
    lane.discardClaim()
    expect([lane.canSend, lane.needsClaim]).toEqual([false, true])
    lane.updateFromClaim(claimed({ failuresInARow: 5, isProven: false }))
    expect([lane.circuitIsOpen, lane.isProven]).toEqual([true, false])
  })

  it('resolves waitForChange after each change', async () => {
    const lane = laneWith('a')
    let changes = 0
    const watch = async () => {
      for (; changes < 3; changes++) await lane.waitForChange()
    }
    const watching = watch()
    for (const change of [() => lane.wake(), () => lane.endClaim(), () => lane.markWritten(one('a'))]) {
      change()
      await Promise.resolve()
      await Promise.resolve()
    }
    await watching
    expect(changes).toBe(3)
  })

  describe('of an ordered webhook', () => {
    const ordered = { isOrdered: true, updatedAt: new Date(1) }

    it('sends one delivery at a time, and claims again when all results are written', () => {
      const lane = new ServedLane('webhook', () => undefined)
      lane.beginClaim(200)
      lane.updateFromClaim(claimed(ordered))
      lane.addDue(due('a', 'b'))
      lane.wake()
      lane.beginRequest(slot())
      expect([lane.canSend, lane.needsClaim]).toEqual([false, false])
      lane.dropBlocked()
      lane.markWritten(one('a'))
      expect([lane.canSend, lane.needsClaim]).toEqual([false, true])
    })

    it('waits for deliveries in flight after the order was turned on', () => {
      const lane = laneWith('a', 'b')
      lane.beginRequest(slot())
      lane.refresh()
      lane.beginClaim(200)
      lane.updateFromClaim(claimed(ordered))
      lane.addDue(due('b', 'c'))
      expect([lane.canSend, lane.needsClaim]).toEqual([false, false])
      lane.markWritten(one('a'))
      expect(lane.needsClaim).toBe(true)
    })
  })
})

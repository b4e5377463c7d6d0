import type { DueDelivery, LaneView } from './leases.repository.js'
import { firstRead } from './limits.js'
import type { Slot } from './send-slots.js'
import { ServedLane } from './served-lane.js'

const view = (fields: Partial<LaneView> = {}) =>
  ({
    url: 'https://receiver.example/hook',
    maxInFlight: 4,
    failuresInARow: 0,
    isProven: true,
    updatedAt: new Date(0),
    ...fields,
  }) as LaneView
const due = (...ids: string[]) => ids.map((id) => ({ id }) as DueDelivery)
const slot = (kind: Slot['kind'] = 'quick'): Slot => ({ startedAt: 0, kind })

/** A lane that has claimed these deliveries, and knows of no others. */
function laneWith(...ids: string[]): ServedLane {
  const lane = new ServedLane('webhook', () => undefined)
  lane.beginClaim(200)
  lane.see(view())
  lane.add(due(...ids))
  return lane
}

describe('a lane', () => {
  it('needs a claim when it is opened, and none after a claim that brought everything', () => {
    expect(new ServedLane('webhook', () => undefined).needsClaim).toBe(true)
    expect(laneWith().needsClaim).toBe(false)
  })

  it('needs another claim after a hint, also when the hint comes during a claim', () => {
    const lane = laneWith()
    lane.isClaiming = true
    lane.beginClaim(200)
    lane.wake()
    expect(lane.needsClaim).toBe(false)
    lane.endClaim()
    expect(lane.needsClaim).toBe(true)
  })

  it('leaves out of a claim what it has in memory or in flight', () => {
    const lane = laneWith('a', 'b')
    lane.begin(slot())
    expect(lane.beginClaim(200).known).toEqual(['a', 'b'])
    lane.forget('a')
    expect(lane.beginClaim(200).known).toEqual(['b'])
  })

  it('drops a claim that began before the webhook was changed', () => {
    const lane = laneWith('a')
    lane.beginClaim(200)
    lane.refresh()
    lane.add(due('b'))
    expect([lane.canSend, lane.isBusy, lane.needsClaim]).toEqual([false, false, true])
    lane.beginClaim(200)
    lane.add(due('c'))
    expect(lane.canSend).toBe(true)
  })

  it.each([
    ['rests', (lane: ServedLane) => lane.rest()],
    ['leaves', (lane: ServedLane) => lane.leave('heir')],
  ])('that %s drops what was not sent, takes nothing more, and waits for what is in flight', (_, close) => {
    const lane = laneWith('a', 'b')
    lane.begin(slot())
    close(lane)
    lane.add(due('c'))
    expect([lane.isOpen, lane.canSend, lane.isBusy]).toEqual([false, false, true])
    lane.forget('a')
    expect(lane.isBusy).toBe(false)
  })

  it('that leaves has more to do for its heir', () => {
    const lane = laneWith('a')
    lane.leave(null)
    expect(lane.mayHaveMore).toBe(true)
  })

  it('leaves the line when it has nothing to send any more', () => {
    const lane = laneWith('a')
    let hasLeft = false
    lane.leaveLine = () => (hasLeft = true)
    lane.wake()
    expect(hasLeft).toBe(false)
    lane.refresh()
    expect(hasLeft).toBe(true)
  })

  it('claims nothing after a probe until its result is written', () => {
    const lane = new ServedLane('webhook', () => undefined)
    lane.beginClaim(200)
    lane.see(view({ failuresInARow: 5, isProven: false }))
    lane.add(due('probe'))
    lane.begin(slot())
    lane.wake()
    lane.learn(true, 10)
    expect(lane.needsClaim).toBe(false)
    lane.forget('probe')
    expect(lane.needsClaim).toBe(true)
  })

  it('sends one more at a time after each success, and half as many after a failure', () => {
    const lane = laneWith('a', 'b', 'c', 'd', 'e', 'f')
    const send = () => {
      let count = 0
      for (; lane.canSend; count++) lane.begin(slot())
      return count
    }
    expect(send()).toBe(1)
    lane.learn(true, 10)
    lane.learn(true, 10)
    expect(send()).toBe(2)
    lane.learn(false, 10)
    expect(lane.canSend).toBe(false)
  })

  it('reads few deliveries until its receiver is at full speed, and no more than it sends while that is slow', () => {
    const lane = laneWith('a')
    expect(lane.beginClaim(200).limit).toBe(firstRead)
    for (let i = 0; i < 4; i++) lane.learn(true, 10)
    expect(lane.beginClaim(200).limit).toBe(200)
    lane.begin(slot('slow'))
    expect(lane.beginClaim(200).limit).toBe(4)
  })

  it('takes the standing of its receiver from the next claim when its lease had lapsed', () => {
    const lane = laneWith('a')
    lane.forgetView()
    expect([lane.canSend, lane.needsClaim]).toEqual([false, true])
    lane.see(view({ failuresInARow: 5, isProven: false }))
    expect([lane.circuitIsOpen, lane.isProven]).toEqual([true, false])
  })

  it('tells who waits for a change', async () => {
    const lane = laneWith('a')
    let changes = 0
    const watch = async () => {
      for (; changes < 3; changes++) await lane.nextChange()
    }
    const watching = watch()
    for (const change of [() => lane.wake(), () => lane.endClaim(), () => lane.forget('a')]) {
      change()
      await Promise.resolve()
      await Promise.resolve()
    }
    await watching
    expect(changes).toBe(3)
  })
})

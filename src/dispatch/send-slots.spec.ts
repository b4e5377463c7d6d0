import { waitFor } from '../../test/support/wait-for.js'
import { SendSlots, type Slot } from './send-slots.js'
import type { Waiter } from './send-slots.js'

const { jest } = import.meta

const lane = (): Waiter => ({ leaveLine: null })

async function fill(slots: SendSlots, kind: Slot['kind'], count: number): Promise<Slot[]> {
  const granted: (Slot | null)[] = []
  for (let i = 0; i < count; i++) granted.push(await slots.acquireSlot(kind, lane()))
  return granted as Slot[]
}

/** Waits for a slot, and exposes the slot once it is granted. */
function waitForSlot(slots: SendSlots, kind: Slot['kind'], waiter = lane()) {
  const state: { slot: Slot | null | undefined } = { slot: undefined }
  void slots.acquireSlot(kind, waiter).then((slot) => (state.slot = slot))
  return state
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('SendSlots', () => {
  it('grants slots up to the limit, and again when one is freed', async () => {
    const slots = new SendSlots(2)
    const [first] = await fill(slots, 'quick', 2)
    const waiting = waitForSlot(slots, 'quick')
    await settle()
    expect(waiting.slot).toBeUndefined()
    slots.releaseSlot(first!)
    await settle()
    expect(waiting.slot?.kind).toBe('quick')
    expect(slots.inFlight).toBe(2)
    slots.stop()
  })

  it('grants slots in the order of the calls', async () => {
    const slots = new SendSlots(1)
    const [first] = await fill(slots, 'quick', 1)
    const [second, third] = [waitForSlot(slots, 'quick'), waitForSlot(slots, 'quick')]
    slots.releaseSlot(first!)
    await settle()
    expect([second.slot?.kind, third.slot]).toEqual(['quick', undefined])
    slots.releaseSlot(second.slot!)
    await settle()
    expect(third.slot?.kind).toBe('quick')
    slots.stop()
  })

  it('grants a slot to the next lane when the first one leaves the line', async () => {
    const slots = new SendSlots(1)
    const [taken] = await fill(slots, 'quick', 1)
    const leaving = lane()
    const [left, next] = [waitForSlot(slots, 'quick', leaving), waitForSlot(slots, 'quick')]
    leaving.leaveLine!()
    await settle()
    expect(left.slot).toBeNull()
    slots.releaseSlot(taken!)
    await settle()
    expect(next.slot?.kind).toBe('quick')
    slots.stop()
  })

  it('grants a quick slot once the number of slow requests falls below its limit', async () => {
    jest.useFakeTimers()
    try {
      const slots = new SendSlots(1)
      const slow: Slot[] = []
      // Up to twice the limit of slow requests can be quick requests that became slow.
      for (let i = 0; i < 4; i++) {
        slow.push(...(await fill(slots, 'quick', 1)))
        await jest.advanceTimersByTimeAsync(1_500)
      }
      const waiting = waitForSlot(slots, 'quick')
      await jest.advanceTimersByTimeAsync(1)
      expect(waiting.slot).toBeUndefined()
      slots.releaseSlot(slow[0]!)
      await jest.advanceTimersByTimeAsync(1)
      expect(waiting.slot?.kind).toBe('quick')
      slots.stop()
    } finally {
      jest.useRealTimers()
    }
  })

  it('grants quick slots while all slow slots hang', async () => {
    const slots = new SendSlots(4)
    await fill(slots, 'slow', 8)
    const slow = waitForSlot(slots, 'slow')
    expect(await slots.acquireSlot('quick', lane())).not.toBeNull()
    expect(slow.slot).toBeUndefined()
    slots.stop()
  })

  it('starts slow requests evenly', async () => {
    jest.useFakeTimers()
    try {
      const slots = new SendSlots(20)
      const requests = Array.from({ length: 20 }, () => waitForSlot(slots, 'slow'))
      const started = () => requests.filter(({ slot }) => slot).length
      await jest.advanceTimersByTimeAsync(1)
      expect(started()).toBe(2)
      await jest.advanceTimersByTimeAsync(50)
      expect(started()).toBe(4)
      await jest.advanceTimersByTimeAsync(400)
      expect(started()).toBe(20)
      slots.stop()
    } finally {
      jest.useRealTimers()
    }
  })

  it('starts waiting slow requests even after all others have ended', async () => {
    const slots = new SendSlots(1)
    const [first] = await fill(slots, 'slow', 1)
    const waiting = waitForSlot(slots, 'slow')
    slots.releaseSlot(first!)
    await waitFor('a slot', () => waiting.slot)
    slots.stop()
  })

  it('counts a request as slow after one second, which frees a quick slot', async () => {
    const slots = new SendSlots(1)
    const [slot] = await fill(slots, 'quick', 1)
    const waiting = waitForSlot(slots, 'quick')
    await waitFor('a slot', () => waiting.slot)
    expect(slot!.kind).toBe('slow')
    expect(performance.now() - slot!.startedAt).toBeGreaterThanOrEqual(1_000)
    slots.stop()
  })
})

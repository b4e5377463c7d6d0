import { waitFor } from '../../test/support/wait-for.js'
import { SendSlots, type Slot } from './sender.js'

const { jest } = import.meta

const never = () => {
  throw new Error('nobody waits for room here')
}

function fill(slots: SendSlots, kind: Slot['kind'], count: number, onRoom: () => void = never): Slot[] {
  return Array.from({ length: count }, () => {
    const slot = slots.take(kind, onRoom)
    if (!slot) throw new Error('there is no room')
    return slot
  })
}

describe('the slots of a process', () => {
  it('are given up to the limit, and given again when one is free', () => {
    const slots = new SendSlots(2)
    const [first] = fill(slots, 'quick', 2)
    let room = 0
    expect(slots.take('quick', () => (room += 1))).toBeNull()
    slots.free(first!)
    expect(room).toBe(1)
    expect(slots.take('quick', never)).not.toBeNull()
    expect(slots.inFlight).toBe(2)
  })

  it('let one waiter after another know, and each once', () => {
    const slots = new SendSlots(2)
    const taken = fill(slots, 'quick', 2)
    const told: string[] = []
    const [a, b] = [() => void told.push('a'), () => void told.push('b')]
    for (const waiter of [a, b, a]) expect(slots.take('quick', waiter)).toBeNull()
    for (const slot of taken) slots.free(slot)
    expect(told).toEqual(['a', 'b'])
  })

  it('are offered on, where a waiter needs no room any more', () => {
    const slots = new SendSlots(2)
    const [first] = fill(slots, 'quick', 2)
    const told: string[] = []
    const next = () => {
      told.push('next')
      fill(slots, 'quick', 1)
    }
    for (const waiter of [() => void told.push('gone'), next, never])
      expect(slots.take('quick', waiter)).toBeNull()
    slots.free(first!)
    expect(told).toEqual(['gone', 'next'])
    slots.stop()
  })

  it('are offered to quick receivers when slow requests end, where these were too many', async () => {
    jest.useFakeTimers()
    try {
      const slots = new SendSlots(1)
      const slow: Slot[] = []
      // Quick requests that became slow may be twice as many as the limit of slow ones.
      for (let i = 0; i < 4; i++) {
        slow.push(...fill(slots, 'quick', 1))
        await jest.advanceTimersByTimeAsync(1_500)
      }
      let isTold = false
      expect(slots.take('quick', () => (isTold = true))).toBeNull()
      slots.free(slow[0]!)
      expect(isTold).toBe(true)
      slots.stop()
    } finally {
      jest.useRealTimers()
    }
  })

  it('have room for quick receivers however many slow ones hang', () => {
    const slots = new SendSlots(4)
    fill(slots, 'slow', 8)
    expect(slots.take('slow', () => undefined)).toBeNull()
    expect(slots.take('quick', never)).not.toBeNull()
  })

  it('count a request as slow after a moment, and make room', async () => {
    const slots = new SendSlots(1)
    const [slot] = fill(slots, 'quick', 1)
    let isTold = false
    expect(slots.take('quick', () => (isTold = true))).toBeNull()
    await waitFor('room', () => isTold)
    expect(slot!.kind).toBe('slow')
    expect(performance.now() - slot!.startedAt).toBeGreaterThanOrEqual(1_000)
    expect(slots.take('quick', never)).not.toBeNull()
    slots.stop()
  })
})

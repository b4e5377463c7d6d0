/**
 * The current time by the clock of the database (database-clock.ts). With a wrong clock of its own, a machine would
 * create IDs with a wrong date, and expire tokens and links too early or too late. All threads of a process share the
 * difference between the two clocks, in milliseconds.
 */
let difference = new BigInt64Array(new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT))

export function currentMs(): number {
  return Date.now() + Number(Atomics.load(difference, 0))
}

export function currentTime(): Date {
  return new Date(currentMs())
}

export function setClockDifference(ms: number): void {
  Atomics.store(difference, 0, BigInt(Math.round(ms)))
}

export function sharedClock(): SharedArrayBuffer {
  return difference.buffer
}

/** Uses the clock of the thread that started this one. */
export function useSharedClock(shared: SharedArrayBuffer): void {
  difference = new BigInt64Array(shared)
}

/** The length of a day in UTC, which has no daylight saving time. */
export const dayMs = 86_400_000

/**
 * The present time by the clock of the database (see database-clock.ts). A machine whose clock is wrong would otherwise
 * create ids of another day, and end tokens and links too soon or too late. All threads of a process share the
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

/** Makes a thread use the clock of the thread that started it. */
export function useSharedClock(shared: SharedArrayBuffer): void {
  difference = new BigInt64Array(shared)
}

/**
 * Visitors come first: how much of the time the ingester may work. Where the machine has processor time left, all of
 * it: nobody is kept waiting. Where it has none and the thread that serves is what is busy, a tenth, which is progress
 * but hardly felt; what is put off waits in the journal. Once that is half full no click may be dropped for it: all of
 * the time again.
 */
export interface Load {
  /** The share of the machine's processor time that was idle. */
  idle: number
  /** The share of its time in which the serving thread was at work, while it recorded clicks; 0 when it records none. */
  servingBusy: number
  /** The share of what the journal may hold. */
  journalFill: number
}

export const whole = 1
export const least = 0.1

const halfFull = 0.5
const idleEnough = 0.05
const hardlyBusy = 0.5

export function ingestShare({ idle, servingBusy, journalFill }: Load): number {
  if (journalFill >= halfFull || idle >= idleEnough || servingBusy < hardlyBusy) return whole
  return least
}

/** How long to rest after work of this length, so that the work is this share of the time. */
export function restAfter(workedMs: number, share: number, mostMs: number): number {
  return Math.min(mostMs, workedMs * (1 / share - 1))
}

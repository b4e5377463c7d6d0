/**
 * Visitors come first: how fast the ingester may work. Where the machine has processor time left, as fast as it can:
 * nobody is kept waiting. Where it has none and the thread that serves is what is busy, it takes no more than an
 * ordinary day brings, so that its clicks are readable as soon as ever and a rush waits in the journal. Once that is
 * half full no click may be dropped for it: as fast as it can again.
 */
export interface Load {
  /** The share of the machine's processor time that was idle. */
  idle: number
  /** The share of its time in which the serving thread was at work, while it recorded clicks; 0 when it records none. */
  servingBusy: number
  /** The share of what the journal may hold. */
  journalFill: number
}

export interface Pace {
  mostPerBatch: number
  clicksPerSecond: number
}

export const unbound: Pace = { mostPerBatch: 5_000, clicksPerSecond: Infinity }
/** About a fifth of one processor, the database's work included. Small batches leave room soon. */
export const besideVisitors: Pace = { mostPerBatch: 1_000, clicksPerSecond: 4_000 }

const halfFull = 0.5
const idleEnough = 0.05
const hardlyBusy = 0.5

export function ingestPace({ idle, servingBusy, journalFill }: Load): Pace {
  return journalFill >= halfFull || idle >= idleEnough || servingBusy < hardlyBusy ? unbound : besideVisitors
}

/** How long to rest after work on so many clicks. */
export function restAfter(clicks: number, workedMs: number, { clicksPerSecond }: Pace): number {
  return Math.max(0, (clicks / clicksPerSecond) * 1_000 - workedMs)
}

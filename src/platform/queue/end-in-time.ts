import { setTimeout } from 'node:timers/promises'

const endingMayTakeMs = 2_000

/** A server that is out of reach cannot be told goodbye, and neither may that keep the process from ending. */
export async function endInTime(end: () => Promise<void>): Promise<void> {
  const ended = end().catch(() => undefined)
  await Promise.race([ended, setTimeout(endingMayTakeMs, undefined, { ref: false })])
}

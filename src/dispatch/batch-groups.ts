/** Decides which waiting deliveries form a batch. */
import type { BatchRule } from '../webhooks/webhook.entity.js'

/** A due delivery without a batch. */
export interface WaitingDelivery {
  id: string
  eventId: string
  /** Null if it was never claimed. */
  sequence: number | null
  /** Whether it was sent before, alone or in another batch. It then waits for no others. */
  isRetry: boolean
  /** Milliseconds since it was due. */
  waitedMs: number
}

export interface BatchGroups {
  /** The complete batches. */
  groups: WaitingDelivery[][]
  /** Milliseconds until the remaining deliveries are sent without waiting for others. Null if none remain. */
  nextInMs: number | null
}

/** Forms up to `limit` batches, in the order of `waiting`. */
export function groupIntoBatches(
  waiting: readonly WaitingDelivery[],
  { max, withinSeconds }: BatchRule,
  limit: number,
): BatchGroups {
  const groups: WaitingDelivery[][] = []
  for (let start = 0; start < waiting.length && groups.length < limit; start += max) {
    const group = waiting.slice(start, start + max)
    const inMs = Math.min(...group.map((each) => (each.isRetry ? 0 : withinSeconds * 1000 - each.waitedMs)))
    if (group.length < max && inMs > 0) return { groups, nextInMs: inMs }
    groups.push(group)
  }
  return { groups, nextInMs: null }
}

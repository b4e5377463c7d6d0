/** What pace a lane's attempts keep: none while its receiver answers. */
import { LRUCache } from 'lru-cache'

import type { Outcome } from '../platform/outbound/outcome.js'
import type { ActiveLane } from './active-lane.js'
import { Pace } from './pace.js'
import { SpareTime } from './spare-time.js'

/** While most of them come to nothing: at receivers that are new, and at those from which nothing good is to be expected. */
const firstPerSecond = 100
const nextPerSecond = 25

/** A receiver that is new is taken for what others at the same origin have lately been. */
const lately = { max: 10_000, ttl: 60_000 }

export class Paces {
  private readonly time = new SpareTime()
  private readonly first = new Pace(firstPerSecond, () => this.time.share())
  private readonly next = new Pace(nextPerSecond, () => this.time.share())
  /** Where a receiver succeeded, and where an attempt did harm. */
  private readonly good = new LRUCache<string, true>(lately)
  private readonly bad = new LRUCache<string, true>(lately)

  /** If an attempt may not begin, the lane is told when to ask again. */
  mayBegin(lane: ActiveLane): boolean {
    return this.of(lane)?.take(lane.tellRoom) ?? true
  }

  /** To be told before the lane itself learns. */
  learn(lane: ActiveLane, outcome: Outcome): void {
    const isHarmless = isCheap(outcome)
    const pace = this.of(lane)
    if (!pace && isHarmless) return
    pace?.learn(isHarmless)
    if (!isHarmless) this.bad.set(lane.origin, true)
    else if (outcome.error === null) this.good.set(lane.origin, true)
  }

  stop(): void {
    this.first.stop()
    this.next.stop()
  }

  private of({ isProven, failuresInARow, origin }: ActiveLane): Pace | null {
    if (isProven) return null
    if (failuresInARow > 0 || this.bad.has(origin)) return this.next
    return this.good.has(origin) ? null : this.first
  }
}

/** Whether the attempt cost this process no more than a success does: failing is no reason to wait. */
function isCheap({ error }: Outcome): boolean {
  return error === null || ['http_status', 'redirect', 'refused'].includes(error.class)
}

/** What pace a lane's attempts keep: none while its receiver answers. */
import type { Outcome } from '../outbound/outcome.js'
import type { ActiveLane } from './active-lane.js'
import { Pace } from './pace.js'
import { SpareTime } from './spare-time.js'

/** While most of them come to nothing: at receivers that are new, and at those whose last attempt failed. */
const firstPerSecond = 100
const nextPerSecond = 50

export class Paces {
  private readonly time = new SpareTime()
  private readonly first = new Pace(firstPerSecond, () => this.time.share())
  private readonly next = new Pace(nextPerSecond, () => this.time.share())

  /** If an attempt may not begin, the lane is told when to ask again. */
  mayBegin(lane: ActiveLane): boolean {
    return this.of(lane)?.take(lane.tellRoom) ?? true
  }

  /** To be told before the lane itself learns. */
  learn(lane: ActiveLane, outcome: Outcome): void {
    this.of(lane)?.learn(isCheap(outcome))
  }

  stop(): void {
    this.first.stop()
    this.next.stop()
  }

  private of({ isProven, failuresInARow }: ActiveLane): Pace | null {
    if (isProven) return null
    return failuresInARow === 0 ? this.first : this.next
  }
}

/** Whether the attempt cost this process no more than a success does: failing is no reason to wait. */
function isCheap({ error }: Outcome): boolean {
  return error === null || ['http_status', 'redirect', 'refused'].includes(error.class)
}

/** A first-in, first-out line of lanes. A lane leaves the line early when it has nothing left to send. */

export interface Waiter {
  /** Ends the wait early. Set only while the lane waits. */
  leaveLine: (() => void) | null
}

export class WaitingLine<Lane extends Waiter, Grant> {
  private readonly waiting = new Map<Lane, (grant: Grant | null) => void>()

  get size(): number {
    return this.waiting.size
  }

  /** Resolves with the grant, or with null if the lane leaves the line first. */
  join(lane: Lane): Promise<Grant | null> {
    return new Promise((resolve) => {
      this.waiting.set(lane, resolve)
      lane.leaveLine = () => this.endWait(lane, null)
    })
  }

  /** Serves the lanes in order, until `grant` returns undefined. That lane stays in the line. */
  grantInOrder(grant: (lane: Lane) => Grant | null | undefined): void {
    for (const lane of this.waiting.keys()) {
      const granted = grant(lane)
      if (granted === undefined) return
      this.endWait(lane, granted)
    }
  }

  private endWait(lane: Lane, grant: Grant | null): void {
    const resolve = this.waiting.get(lane)
    this.waiting.delete(lane)
    lane.leaveLine = null
    resolve?.(grant)
  }
}

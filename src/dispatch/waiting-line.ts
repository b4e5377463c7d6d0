/** Lanes that wait for something, in the order in which they came. A lane leaves when it has nothing to send any more. */

export interface Waiter {
  /** Set while the lane waits: ends the wait early. */
  leaveLine: (() => void) | null
}

export class WaitingLine<Lane extends Waiter, Grant> {
  private readonly waiting = new Map<Lane, (grant: Grant | null) => void>()

  get size(): number {
    return this.waiting.size
  }

  /** Resolves with what the lane is granted, or with null when the lane leaves the line before. */
  wait(lane: Lane): Promise<Grant | null> {
    return new Promise((resolve) => {
      this.waiting.set(lane, resolve)
      lane.leaveLine = () => this.end(lane, null)
    })
  }

  /** Calls the lanes in order. `grant` returns undefined to stop before the lane that it was given. */
  call(grant: (lane: Lane) => Grant | null | undefined): void {
    for (const lane of this.waiting.keys()) {
      const granted = grant(lane)
      if (granted === undefined) return
      this.end(lane, granted)
    }
  }

  private end(lane: Lane, grant: Grant | null): void {
    const resolve = this.waiting.get(lane)
    this.waiting.delete(lane)
    lane.leaveLine = null
    resolve?.(grant)
  }
}

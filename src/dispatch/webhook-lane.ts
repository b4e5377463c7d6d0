import { probeInterval } from './backoff.js'
import type { WebhookLaneState } from './lane-state.js'
import type { DueDelivery, LaneView } from './leases.repository.js'
import { firstRead, firstWindow, momentMs } from './limits.js'
import type { Slot } from './sender.js'

/** A lane that this process holds: its state, and what it has in memory. The dispatcher changes its state. */
export class WebhookLane {
  state: WebhookLaneState = 'sending'
  view: LaneView | null = null
  /** The origin of the receiver's address. */
  origin = ''
  /** Claimed and not sent yet. */
  readonly buffer: DueDelivery[] = []
  /** Claimed, and its result is not written yet. The next claim must leave these alone. */
  readonly known = new Set<string>()
  readonly inFlight = new Set<Slot>()
  failuresInARow = 0
  /** The last attempt succeeded, as far as is known. */
  isProven = false
  /** Given when the lease was given back. */
  readonly ended = new Signal()
  private look: Signal | null = null
  private window = firstWindow
  private lastWasSlow = false
  private readonly sliceEndsAt: number

  constructor(
    readonly webhookId: string,
    sliceMs: number,
    /** Called when there may be room for a request after there was none. */
    readonly onRoom: (lane: WebhookLane) => void,
  ) {
    this.sliceEndsAt = performance.now() + sliceMs
  }

  readonly tellRoom = (): void => this.onRoom(this)

  get isSliceOver(): boolean {
    return performance.now() > this.sliceEndsAt
  }

  get circuitIsOpen(): boolean {
    return probeInterval(this.failuresInARow) !== null
  }

  get mostInFlight(): number {
    return this.circuitIsOpen ? 1 : Math.min(this.window, this.view?.maxInFlight ?? firstWindow)
  }

  /** The last attempt took long, or a running one does. */
  get isSlow(): boolean {
    if (this.lastWasSlow) return true
    for (const { kind } of this.inFlight) if (kind === 'slow') return true
    return false
  }

  /** Resolves when the lane has looked for due deliveries once more, or has given its lease back. */
  get nextLook(): Promise<void> {
    this.look ??= new Signal()
    return this.look.given
  }

  /** How many deliveries one claim reads. It reads few until the lane is known to send them soon. */
  mostToRead(batch: number): number {
    if (this.isSlow || this.failuresInARow > 0) return Math.min(batch, this.mostInFlight)
    const isFast = this.view !== null && this.window >= this.view.maxInFlight
    return isFast ? batch : Math.min(batch, firstRead)
  }

  looked(): void {
    this.look?.give()
    this.look = null
  }

  see(view: LaneView): void {
    if (!this.view) {
      this.failuresInARow = view.failuresInARow
      this.isProven = view.isProven
    }
    if (this.view?.updatedAt.getTime() === view.updatedAt.getTime()) return
    this.view = view
    this.origin = URL.parse(view.url)?.origin ?? ''
  }

  add(due: readonly DueDelivery[]): void {
    for (const delivery of due) this.known.add(delivery.id)
    this.buffer.push(...due)
  }

  /** A receiver that answers gets one request more at a time; one that fails gets half as many. */
  learn(isSuccess: boolean, durationMs: number): void {
    this.failuresInARow = isSuccess ? 0 : this.failuresInARow + 1
    this.isProven = isSuccess
    this.lastWasSlow = durationMs >= momentMs
    const most = this.view?.maxInFlight ?? firstWindow
    this.window = isSuccess ? Math.min(most, this.window + 1) : Math.max(1, Math.floor(this.window / 2))
  }

  forgetBuffer(): void {
    for (const { id } of this.buffer) this.known.delete(id)
    this.buffer.length = 0
  }
}

class Signal {
  readonly given: Promise<void>
  give: () => void = () => undefined

  constructor() {
    this.given = new Promise((resolve) => (this.give = resolve))
  }
}

/** A lane while this process serves it: its deliveries in memory, and what is known of its receiver. */
import { probeInterval } from './backoff.js'
import type { Claim, DueDelivery, LaneView } from './leases.repository.js'
import { firstRead, firstWindow, settledAfterMs, slowAfterMs } from './limits.js'
import type { Slot } from './send-slots.js'
import type { Waiter } from './waiting-line.js'

export class ServedLane implements Waiter {
  view: LaneView | null = null
  /** The origin of the receiver's URL. */
  origin = ''
  failuresInARow = 0
  /** True when the last attempt succeeded, as far as this process knows. */
  isProven = false

  /** More may be due than is in memory. */
  mayHaveMore = true
  isClaiming = false
  /** Nothing may be sent: the circuit is open, the receiver asked for a pause, or a claim was refused. */
  isResting = false
  /** The lane leaves this worker as soon as nothing is in flight. */
  isLeaving = false
  /** The worker that gets the lane when it leaves. Null when a hint decides. */
  heir: string | null = null

  leaveLine: (() => void) | null = null
  private readonly openedAt = performance.now()
  private readonly buffer: DueDelivery[] = []
  /** IDs of claimed deliveries whose results are not written yet. The next claim leaves these out. */
  private readonly known = new Set<string>()
  private readonly inFlight = new Set<Slot>()
  private readonly change = new Signal()
  private readonly look = new Signal()
  private isOutdated = false
  private lastClaimWasProbe = false
  private lastWasSlow = false
  private window = firstWindow

  constructor(
    readonly webhookId: string,
    /** Looks for due deliveries after this time, whether the lane is still open then or not. */
    readonly wakeIn: (ms: number) => void,
  ) {}

  /** False once nothing more may be claimed or sent before the lane is given back. */
  get isOpen(): boolean {
    return !this.isResting && !this.isLeaving
  }

  /** True when a claim is useful. After a probe nothing more can be read before its result is written. */
  get needsClaim(): boolean {
    if (!this.mayHaveMore || this.isClaiming) return false
    return this.lastClaimWasProbe ? this.known.size === 0 : this.buffer.length < this.mostInFlight
  }

  get canSend(): boolean {
    return this.buffer.length > 0 && this.inFlight.size < this.mostInFlight
  }

  /** True while a claim is under way, or a delivery is in memory, in flight, or without a written result. */
  get isBusy(): boolean {
    return this.isClaiming || this.known.size > 0
  }

  get circuitIsOpen(): boolean {
    return probeInterval(this.failuresInARow) !== null
  }

  /** True when the last attempt took long, or a running one does. */
  get isSlow(): boolean {
    if (this.lastWasSlow) return true
    for (const { kind } of this.inFlight) if (kind === 'slow') return true
    return false
  }

  /** True for a lane that will probably stay for a while. */
  get isSettled(): boolean {
    return this.isOpen && performance.now() > this.openedAt + settledAfterMs
  }

  private get mostInFlight(): number {
    return this.circuitIsOpen ? 1 : Math.min(this.window, this.view?.maxInFlight ?? firstWindow)
  }

  /** Resolves when a hint, a claim, a response or a written result may have changed what there is to do. */
  nextChange(): Promise<void> {
    return this.change.next()
  }

  /** Resolves when the lane has looked for due deliveries once more, or is no longer served here. */
  nextLook(): Promise<void> {
    return this.look.next()
  }

  looked(): void {
    this.look.give()
  }

  wake(): void {
    this.mayHaveMore = true
    this.change.give()
  }

  /** The webhook was changed, so what was claimed may be outdated. */
  refresh(): void {
    this.isOutdated = true
    this.dropBuffer()
    this.wake()
  }

  /** Another worker may have sent in the meantime, so only the next claim knows how the receiver does. */
  forgetView(): void {
    this.view = null
    this.refresh()
  }

  rest(): void {
    this.isResting = true
    this.dropBuffer()
    this.change.give()
  }

  /** The new holder has to look at everything that is pending, so nothing of it is lost with the buffer. */
  leave(heir: string | null): void {
    this.isLeaving = true
    this.heir = heir
    this.mayHaveMore = true
    this.dropBuffer()
    this.change.give()
  }

  /** What the statement of a claim has to know. Hints and changes from now on need another claim. */
  beginClaim(batch: number): Claim {
    this.mayHaveMore = false
    this.isOutdated = false
    return { webhookId: this.webhookId, limit: this.mostToRead(batch), known: [...this.known] }
  }

  /** Adds what a claim has read, unless the lane was changed or closed in the meantime. */
  add(due: readonly DueDelivery[]): void {
    if (this.isOutdated || !this.isOpen) return
    for (const { id } of due) this.known.add(id)
    this.buffer.push(...due)
  }

  endClaim(): void {
    this.isClaiming = false
    this.change.give()
  }

  see(view: LaneView): void {
    this.lastClaimWasProbe = probeInterval(view.failuresInARow) !== null
    // Another URL is another receiver.
    if (this.view?.url !== view.url) {
      this.failuresInARow = view.failuresInARow
      this.isProven = view.isProven
      this.lastWasSlow = false
      this.window = firstWindow
    }
    if (this.view?.updatedAt.getTime() === view.updatedAt.getTime()) return
    this.view = view
    this.origin = URL.parse(view.url)?.origin ?? ''
  }

  /** The next delivery, whose request begins now. */
  begin(slot: Slot): DueDelivery {
    this.inFlight.add(slot)
    return this.buffer.shift()!
  }

  endRequest(slot: Slot): void {
    this.inFlight.delete(slot)
    this.change.give()
  }

  /** A success lets one more request run at a time, and a failure halves the number. */
  learn(isSuccess: boolean, durationMs: number): void {
    this.failuresInARow = isSuccess ? 0 : this.failuresInARow + 1
    this.isProven = isSuccess
    this.lastWasSlow = durationMs >= slowAfterMs
    const most = this.view?.maxInFlight ?? firstWindow
    this.window = isSuccess ? Math.min(most, this.window + 1) : Math.max(1, Math.floor(this.window / 2))
  }

  /** The result of a delivery is written. */
  forget(deliveryId: string): void {
    this.known.delete(deliveryId)
    this.change.give()
  }

  /** A claim reads few deliveries until the lane is known to send them soon. */
  private mostToRead(batch: number): number {
    if (this.isSlow || this.failuresInARow > 0) return Math.min(batch, this.mostInFlight)
    const isFast = this.view !== null && this.window >= this.view.maxInFlight
    return isFast ? batch : Math.min(batch, firstRead)
  }

  private dropBuffer(): void {
    for (const { id } of this.buffer) this.known.delete(id)
    this.buffer.length = 0
    this.leaveLine?.()
  }
}

/** Something that happens again and again. */
class Signal {
  private given: Promise<void> | null = null
  private resolve: () => void = () => undefined

  next(): Promise<void> {
    this.given ??= new Promise((resolve) => (this.resolve = resolve))
    return this.given
  }

  give(): void {
    this.resolve()
    this.given = null
  }
}

/** The state of a lane that this process serves: its deliveries in memory and its receiver. */
import { probeInterval } from './backoff.js'
import type { DueRequest } from './due-request.js'
import type { ClaimRequest, ClaimedLane } from './leases.repository.js'
import { firstRead, firstWindow, settledAfterMs, slowAfterMs } from './limits.js'
import type { Slot, Waiter } from './send-slots.js'
import { parseUrl } from '../platform/util/parse-url.js'

export class ServedLane implements Waiter {
  claimedLane: ClaimedLane | null = null
  /** The origin of the receiver's URL. */
  origin = ''
  failuresInARow = 0
  /** Whether the last attempt known to this process succeeded. */
  isProven = false

  /** Whether more deliveries may be due than are in memory. */
  mayHaveMore = true
  isClaiming = false
  /** True if nothing may be sent: the circuit is open, the receiver requested a pause, or a claim was refused. */
  isSuspended = false
  /** Whether the lane is released as soon as nothing is in flight. */
  isHandedOver = false
  /** The worker that receives the lane on release. Null if any worker may claim it. */
  successor: string | null = null

  leaveLine: (() => void) | null = null
  private readonly openedAt = performance.now()
  private readonly buffer: DueRequest[] = []
  /** IDs of claimed deliveries whose results are not written yet. Claims exclude these. */
  private readonly claimedIds = new Set<string>()
  private readonly inFlight = new Set<Slot>()
  private readonly change = new Signal()
  private readonly check = new Signal()
  private isOutdated = false
  private lastClaimWasProbe = false
  private lastWasSlow = false
  private window = firstWindow

  constructor(
    readonly webhookId: string,
    /** Checks for due deliveries after this time, even if the lane is no longer served. */
    readonly wakeIn: (ms: number, reason?: 'retry' | 'batch') => void,
  ) {}

  /** False if nothing more may be claimed or sent before the lane is released. */
  get isOpen(): boolean {
    return !this.isSuspended && !this.isHandedOver
  }

  /** IDs of the requests in memory or in flight, and of the deliveries of batches. Claims exclude them. */
  get unwrittenIds(): string[] {
    return [...this.claimedIds]
  }

  /**
   * True if a claim may find deliveries. After a probe was claimed, and in an ordered lane, all results must be written
   * first, because they decide what is sent next.
   */
  get needsClaim(): boolean {
    if (!this.mayHaveMore || this.isClaiming) return false
    if (this.lastClaimWasProbe || this.isOrdered) return this.claimedIds.size === 0
    // Batches are large, so few are kept in memory.
    return this.hasBatches ? this.buffer.length === 0 : this.buffer.length < this.inFlightLimit
  }

  get canSend(): boolean {
    return this.buffer.length > 0 && this.inFlight.size < this.inFlightLimit
  }

  /** True while a claim is running, or a delivery is in memory, in flight, or without a written result. */
  get isBusy(): boolean {
    return this.isClaiming || this.claimedIds.size > 0
  }

  get isOrdered(): boolean {
    return this.claimedLane?.isOrdered ?? false
  }

  private get hasBatches(): boolean {
    return (this.claimedLane?.batch ?? null) !== null
  }

  get circuitIsOpen(): boolean {
    return probeInterval(this.failuresInARow) !== null
  }

  /** True if the last attempt was slow, or a request in flight is. */
  get isSlow(): boolean {
    if (this.lastWasSlow) return true
    for (const { kind } of this.inFlight) if (kind === 'slow') return true
    return false
  }

  /** True if the lane has been open for a while. Most lanes are released sooner. */
  get isSettled(): boolean {
    return this.isOpen && performance.now() > this.openedAt + settledAfterMs
  }

  private get inFlightLimit(): number {
    return this.circuitIsOpen || this.isOrdered
      ? 1
      : Math.min(this.window, this.claimedLane?.maxInFlight ?? firstWindow)
  }

  /** Resolves after the next hint, claim, response or written result. */
  waitForChange(): Promise<void> {
    return this.change.wait()
  }

  /** Resolves when the lane has checked for due deliveries again, or is no longer served by this process. */
  waitForCheck(): Promise<void> {
    return this.check.wait()
  }

  markChecked(): void {
    this.check.notify()
  }

  wake(): void {
    this.mayHaveMore = true
    this.change.notify()
  }

  /** Drops claimed deliveries after the webhook changed. */
  refresh(): void {
    this.isOutdated = true
    this.dropBuffer()
    this.wake()
  }

  /** Discards the state of the receiver, because another worker may have sent since. The next claim reads it again. */
  discardClaim(): void {
    this.claimedLane = null
    this.refresh()
  }

  suspend(): void {
    this.isSuspended = true
    this.dropBuffer()
    this.change.notify()
  }

  /** Drops the buffer, which is safe because the new holder reads all pending deliveries. */
  handOver(successor: string | null): void {
    this.isHandedOver = true
    this.successor = successor
    this.mayHaveMore = true
    this.dropBuffer()
    this.change.notify()
  }

  /** Returns the parameters of a claim. Later hints and changes require another claim. */
  beginClaim(batch: number): ClaimRequest {
    this.mayHaveMore = false
    this.isOutdated = false
    return { webhookId: this.webhookId, limit: this.claimLimit(batch), claimedIds: this.unwrittenIds }
  }

  /**
   * Adds claimed deliveries, unless the webhook changed or the lane closed during the claim. A lane that became ordered
   * first waits for the deliveries in flight.
   */
  addDue(due: readonly DueRequest[]): void {
    if (this.isOutdated || !this.isOpen) return
    if (this.isOrdered && this.claimedIds.size > 0) return this.wake()
    for (const id of due.flatMap(getClaimedIds)) this.claimedIds.add(id)
    this.buffer.push(...due)
  }

  endClaim(): void {
    this.isClaiming = false
    this.change.notify()
  }

  updateFromClaim(claimed: ClaimedLane): void {
    this.lastClaimWasProbe = probeInterval(claimed.failuresInARow) !== null
    // A different URL is a different receiver.
    if (this.claimedLane?.url !== claimed.url) {
      this.failuresInARow = claimed.failuresInARow
      this.isProven = claimed.isProven
      this.lastWasSlow = false
      this.window = firstWindow
    }
    if (this.claimedLane?.updatedAt.getTime() === claimed.updatedAt.getTime()) return
    this.claimedLane = claimed
    this.origin = parseUrl(claimed.url)?.origin ?? ''
  }

  /** Returns the next delivery and counts its request as in flight. */
  beginRequest(slot: Slot): DueRequest {
    this.inFlight.add(slot)
    return this.buffer.shift()!
  }

  endRequest(slot: Slot): void {
    this.inFlight.delete(slot)
    this.change.notify()
  }

  /** Raises the number of parallel requests by one after a success, and halves it after a failure. */
  updateFromOutcome(isSuccess: boolean, durationMs: number): void {
    this.failuresInARow = isSuccess ? 0 : this.failuresInARow + 1
    this.isProven = isSuccess
    this.lastWasSlow = durationMs >= slowAfterMs
    const limit = this.claimedLane?.maxInFlight ?? firstWindow
    this.window = isSuccess ? Math.min(limit, this.window + 1) : Math.max(1, Math.floor(this.window / 2))
  }

  /** Drops the deliveries after a failed one in an ordered lane. The next claim finds them again. */
  dropBlocked(): void {
    this.dropBuffer()
    this.wake()
  }

  /** Removes a request whose result is written. */
  markWritten(request: DueRequest): void {
    for (const id of getClaimedIds(request)) this.claimedIds.delete(id)
    this.change.notify()
  }

  /** Claims few deliveries until the receiver is known to be fast. */
  private claimLimit(batch: number): number {
    if (this.isSlow || this.failuresInARow > 0) return Math.min(batch, this.inFlightLimit)
    const isFast = this.claimedLane !== null && this.window >= this.claimedLane.maxInFlight
    return isFast ? batch : Math.min(batch, firstRead)
  }

  private dropBuffer(): void {
    for (const id of this.buffer.flatMap(getClaimedIds)) this.claimedIds.delete(id)
    this.buffer.length = 0
    this.leaveLine?.()
  }
}

/** Returns the IDs that claims exclude, including the deliveries of a batch in case batches are turned off. */
function getClaimedIds({ id, isBatch, deliveries }: DueRequest): string[] {
  return isBatch ? [id, ...deliveries.map((delivery) => delivery.id)] : [id]
}

/** A repeatable event that can be awaited. */
class Signal {
  private pending: Promise<void> | null = null
  private resolve: () => void = () => undefined

  wait(): Promise<void> {
    this.pending ??= new Promise((resolve) => (this.resolve = resolve))
    return this.pending
  }

  notify(): void {
    this.resolve()
    this.pending = null
  }
}

/** Decides which lanes this process serves: the lanes named by hints, up to its share of all lanes. */
import { Injectable, Logger } from '@nestjs/common'

import { LaneWaker } from '../deliveries/pending-deliveries.js'
import { runDetached } from '../platform/util/tracing.js'
import { lastWriteTimeoutMs, withTimeout } from '../platform/util/timers.js'
import type { AttemptDurations } from './attempt-outcomes.js'
import { AttemptOutcomes } from './attempt-outcomes.js'
import { Heartbeat } from './heartbeat.js'
import { LaneServer } from './lane-server.js'
import { assignLanes, maxLanes } from './lane-shares.js'
import type { LiveWorker } from './lane-shares.js'
import { LeasesRepository } from './leases.repository.js'
import { checkWaitMs, requestsEndWithinMs } from './limits.js'
import { SendPermits } from './send-permits.js'
import { ServedLane } from './served-lane.js'

@Injectable()
export class Dispatcher {
  private readonly logger = new Logger(Dispatcher.name)
  private readonly lanes = new Map<string, ServedLane>()
  private readonly serving = new Map<ServedLane, Promise<void>>()
  private readonly batchTimers = new Map<string, NodeJS.Timeout>()
  private others: readonly LiveWorker[] = []
  private maxLanes = Infinity
  /** Whether this process takes no more lanes. */
  private isDraining = false

  constructor(
    private readonly server: LaneServer,
    private readonly permits: SendPermits,
    private readonly outcomes: AttemptOutcomes,
    private readonly leases: LeasesRepository,
    private readonly heartbeat: Heartbeat,
    private readonly waker: LaneWaker,
  ) {}

  start(): void {
    this.heartbeat.start(this)
  }

  /**
   * Checks the lanes of these webhooks for due deliveries. Resolves for proven receivers after the check, or after
   * `checkWaitMs`, and for others immediately.
   */
  async serveLanes(webhookIds: readonly string[], isProven = false): Promise<void> {
    const checks = webhookIds.map((webhookId) => this.wakeLane(webhookId, isProven))
    if (isProven) await withTimeout(Promise.all(checks), checkWaitMs, null)
  }

  /** Checks lanes that this worker holds. While it drains, frees those that were handed over to it too late. */
  serveHeldLanes(webhookIds: readonly string[]): void {
    if (!this.isDraining) {
      void this.serveLanes(webhookIds)
      return
    }
    for (const webhookId of webhookIds.filter((each) => !this.lanes.has(each))) {
      const lane = this.openLane(webhookId)
      lane.handOver(null)
      this.startServing(lane)
    }
  }

  /** Like `serveLanes`, for a proven receiver. Returns false if this process does not hold the lane. */
  wakeServedLane(webhookId: string): boolean {
    if (this.isDraining || !this.lanes.has(webhookId)) return false
    void this.wakeLane(webhookId, true)
    return true
  }

  isServing(webhookId: string): boolean {
    return this.lanes.has(webhookId)
  }

  getStats(): { lanes: number; inFlight: number } {
    return { lanes: this.lanes.size, inFlight: this.permits.inFlight }
  }

  get durations(): AttemptDurations {
    return this.outcomes.durations
  }

  /** Reloads changed webhooks, or all of them. Deleting a webhook waits until its lease is released here. */
  refreshLanes(webhookIds: Iterable<string> = this.lanes.keys()): void {
    const held = [...webhookIds].filter((webhookId) => this.lanes.has(webhookId))
    if (held.length === 0) return
    for (const webhookId of held) this.lanes.get(webhookId)!.refresh()
    this.leases
      .releaseDeletedLanes(this.heartbeat.worker, held)
      .catch((error: Error) =>
        this.logger.warn(`Leases of deleted webhooks could not be released: ${error.message}`),
      )
  }

  /** Invalidates all lanes after the lease of this worker expired, because other workers may hold them now. */
  expireLease(): void {
    for (const lane of this.lanes.values()) lane.discardClaim()
  }

  get hasExcessLanes(): boolean {
    return this.settledLanes.length > this.maxLanes
  }

  /** Hands excess lanes over to workers that hold fewer. */
  shareLanes(others: readonly LiveWorker[]): void {
    const lanes = [...this.lanes.values()]
    const staying = lanes.filter(({ isHandedOver }) => !isHandedOver).length
    this.others = others.map((worker) => ({
      id: worker.id,
      lanes: worker.lanes + lanes.filter(({ successor }) => successor === worker.id).length,
    }))
    this.maxLanes = maxLanes(staying, this.others)
    if (staying <= this.maxLanes) return
    const successors = assignLanes(staying - this.maxLanes, this.others)
    this.settledLanes.slice(0, successors.length).forEach((lane, i) => lane.handOver(successors[i]!))
  }

  /** Hands all lanes over to other workers once their requests in flight have ended. */
  drain(): void {
    this.isDraining = true
    const successors = assignLanes(this.lanes.size, this.others)
    ;[...this.lanes.values()].forEach((lane, i) => lane.handOver(successors[i] ?? null))
  }

  /** Waits for requests in flight. Other workers send the remaining deliveries. */
  async stop(timeoutMs: number): Promise<void> {
    const isAnnounced = withTimeout(
      this.heartbeat.announceLeave().then(
        () => true,
        () => false,
      ),
      lastWriteTimeoutMs,
      false,
    )
    this.drain()
    await this.permits.waitUntilIdle(requestsEndWithinMs)
    await withTimeout(Promise.all(this.serving.values()), timeoutMs, null)
    this.server.stop()
    const removed = withTimeout(
      this.heartbeat.removeWorker().catch(() => undefined),
      lastWriteTimeoutMs,
      undefined,
    )
    // Without a responding database there is nothing to wait for: the leases of this worker expire.
    if (await isAnnounced) await removed
  }

  private get settledLanes(): ServedLane[] {
    return [...this.lanes.values()].filter(({ isSettled }) => isSettled)
  }

  private wakeLane(webhookId: string, isProven: boolean): Promise<void> {
    if (this.isDraining) return Promise.resolve()
    const servedLane = this.lanes.get(webhookId)
    const lane = servedLane ?? this.openLane(webhookId)
    if (isProven && lane.failuresInARow === 0) lane.isProven = true
    const check = lane.waitForCheck()
    if (servedLane) servedLane.wake()
    else this.startServing(lane)
    return check
  }

  /** Detached, because the lane also sends the deliveries of other requests than the one that opened it. */
  private startServing(lane: ServedLane): void {
    this.serving.set(
      lane,
      runDetached(() => this.serveUntilReleased(lane)),
    )
  }

  private openLane(webhookId: string): ServedLane {
    const lane = new ServedLane(webhookId, (ms, reason = 'retry') => {
      if (reason === 'batch') this.replaceBatchTimer(webhookId, ms)
      else setTimeout(() => void this.wakeLane(webhookId, false), ms).unref()
    })
    this.lanes.set(webhookId, lane)
    return lane
  }

  /** Every claim returns the time at which the next batch is complete, so only the latest timer is kept. */
  private replaceBatchTimer(webhookId: string, ms: number): void {
    clearTimeout(this.batchTimers.get(webhookId))
    const timer = setTimeout(() => {
      this.batchTimers.delete(webhookId)
      void this.wakeLane(webhookId, false)
    }, ms).unref()
    this.batchTimers.set(webhookId, timer)
  }

  private async serveUntilReleased(lane: ServedLane): Promise<void> {
    const holder = await this.server.serveLane(lane)
    this.lanes.delete(lane.webhookId)
    this.serving.delete(lane)
    lane.markChecked()
    if (holder === null && !lane.isSuspended && lane.mayHaveMore)
      this.waker.wake([lane.webhookId], lane.isProven)
  }
}

/** Decides which lanes this process serves: those that a hint names, and no more than its share. */
import { Injectable, Logger } from '@nestjs/common'

import { LaneWaker } from '../deliveries/lane-waker.js'
import { lastWriteMayTakeMs, withTimeout } from '../platform/util/timers.js'
import { Heartbeat } from './heartbeat.js'
import { LaneServer } from './lane-server.js'
import { dealLanes, shareOf } from './lane-shares.js'
import type { LiveWorker } from './lane-shares.js'
import { LeasesRepository } from './leases.repository.js'
import { lookWaitMs, requestsEndWithinMs } from './limits.js'
import { ServedLane } from './served-lane.js'

@Injectable()
export class Dispatcher {
  private readonly logger = new Logger(Dispatcher.name)
  private readonly lanes = new Map<string, ServedLane>()
  private readonly ended = new Map<ServedLane, Promise<void>>()
  private others: readonly LiveWorker[] = []
  private share = Infinity
  private isStopping = false

  constructor(
    private readonly server: LaneServer,
    private readonly leases: LeasesRepository,
    private readonly heartbeat: Heartbeat,
    private readonly waker: LaneWaker,
  ) {}

  start(): void {
    this.heartbeat.start(this)
  }

  /**
   * Something may be due for these webhooks. For proven receivers the promise resolves when their lanes have looked, or
   * after `lookWaitMs`. For others it resolves at once.
   */
  async serve(webhookIds: readonly string[], isProven = false): Promise<void> {
    const looks = webhookIds.map((webhookId) => this.wake(webhookId, isProven))
    if (isProven) await withTimeout(Promise.all(looks), lookWaitMs, null)
  }

  /** Like `serve`, for a proven receiver whose lane this process holds. False when it does not hold the lane. */
  wakeOwn(webhookId: string): boolean {
    if (this.isStopping || !this.lanes.has(webhookId)) return false
    void this.wake(webhookId, true)
    return true
  }

  has(webhookId: string): boolean {
    return this.lanes.has(webhookId)
  }

  stats(): { lanes: number; inFlight: number; attempts: number; failures: number } {
    return { lanes: this.lanes.size, ...this.server.stats() }
  }

  /** These webhooks, or any, were changed. The call that deletes one waits until its lease is given back. */
  recall(webhookIds: Iterable<string> = this.lanes.keys()): void {
    const held = [...webhookIds].filter((webhookId) => this.lanes.has(webhookId))
    if (held.length === 0) return
    for (const webhookId of held) this.lanes.get(webhookId)!.refresh()
    this.leases
      .releaseDeleted(this.heartbeat.worker, held)
      .catch((error: Error) => this.logger.warn(`Leases are kept: ${error.message}`))
  }

  /** The lease of this worker has lapsed, so others may hold the lanes now. The next claims find out. */
  lapse(): void {
    for (const lane of this.lanes.values()) lane.forgetView()
  }

  get hasMoreThanItsShare(): boolean {
    return this.settledLanes.length > this.share
  }

  /** Hands lanes over to workers that hold fewer, so that this worker keeps its share. */
  shareWith(others: readonly LiveWorker[]): void {
    const lanes = [...this.lanes.values()]
    const staying = lanes.filter(({ isLeaving }) => !isLeaving).length
    this.others = others.map((worker) => ({
      id: worker.id,
      lanes: worker.lanes + lanes.filter(({ heir }) => heir === worker.id).length,
    }))
    this.share = shareOf(staying, this.others)
    if (staying <= this.share) return
    const heirs = dealLanes(staying - this.share, this.others)
    this.settledLanes.slice(0, heirs.length).forEach((lane, i) => lane.leave(heirs[i]!))
  }

  /** Requests in flight finish. Deliveries that have not begun are left to other workers. */
  async stop(patienceMs: number): Promise<void> {
    this.isStopping = true
    const announced = withTimeout(
      this.heartbeat.announceLeave().then(
        () => true,
        () => false,
      ),
      lastWriteMayTakeMs,
      false,
    )
    const heirs = dealLanes(this.lanes.size, this.others)
    ;[...this.lanes.values()].forEach((lane, i) => lane.leave(heirs[i] ?? null))
    await this.server.untilIdle(requestsEndWithinMs)
    await withTimeout(Promise.all(this.ended.values()), patienceMs, null)
    this.server.stop()
    const left = withTimeout(
      this.heartbeat.leave().catch(() => undefined),
      lastWriteMayTakeMs,
      undefined,
    )
    // While the database does not respond, there is nothing to wait for: the leases of this worker lapse.
    if (await announced) await left
  }

  private get settledLanes(): ServedLane[] {
    return [...this.lanes.values()].filter(({ isSettled }) => isSettled)
  }

  private wake(webhookId: string, isProven: boolean): Promise<void> {
    if (this.isStopping) return Promise.resolve()
    const held = this.lanes.get(webhookId)
    const lane = held ?? this.open(webhookId)
    if (isProven && lane.failuresInARow === 0) lane.isProven = true
    const look = lane.nextLook()
    if (held) held.wake()
    else this.ended.set(lane, this.serveToEnd(lane))
    return look
  }

  private open(webhookId: string): ServedLane {
    const lane = new ServedLane(webhookId, (ms) => {
      setTimeout(() => void this.wake(webhookId, false), ms).unref()
    })
    this.lanes.set(webhookId, lane)
    return lane
  }

  private async serveToEnd(lane: ServedLane): Promise<void> {
    const holder = await this.server.serve(lane)
    this.lanes.delete(lane.webhookId)
    this.ended.delete(lane)
    lane.looked()
    if (holder === null && !lane.isResting && lane.mayHaveMore)
      this.waker.wake([lane.webhookId], lane.isProven)
  }
}

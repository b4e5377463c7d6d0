/**
 * Tells other workers that this one is alive, and learns which others are. A worker whose sign of life is too old may
 * lose its lanes, so it sends nothing.
 */
import { Injectable, Logger } from '@nestjs/common'

import { newId } from '../platform/database/ids.js'
import { ThrottledWarning } from '../platform/util/throttled-warning.js'
import { every, withTimeout } from '../platform/util/timers.js'
import type { LiveWorker } from './lane-shares.js'
import { freshLeaseMs, heartbeatMs, leaseMs, shareCheckMs } from './limits.js'
import { WorkersRepository } from './workers.repository.js'

interface LaneHolder {
  hasMoreThanItsShare: boolean
  serve(webhookIds: readonly string[]): Promise<void>
  /** The lease has lapsed, so other workers may hold the lanes now. */
  lapse(): void
  shareWith(others: readonly LiveWorker[]): void
}

const idsOf = (workers: readonly LiveWorker[]) => new Set(workers.map(({ id }) => id))

@Injectable()
export class Heartbeat {
  readonly worker = newId()
  /** Called when another worker has left or was silent for too long, so that its lanes may be free. A worker sets it. */
  onWorkerGone: () => void = () => undefined
  private readonly trouble = new ThrottledWarning(new Logger(Heartbeat.name))
  private aliveUntil = -Infinity
  private nextBeatAt = -Infinity
  private lastBeat: Promise<unknown> = Promise.resolve()
  private isLeaving = false
  private others: ReadonlySet<string> = new Set()
  private endBeats: () => void = () => undefined
  private holder: LaneHolder | null = null

  constructor(private readonly workers: WorkersRepository) {}

  get isAlive(): boolean {
    return performance.now() < this.aliveUntil
  }

  /** An idle worker gives signs of life too, so that others hand lanes over to it. */
  start(holder: LaneHolder): void {
    this.holder = holder
    this.endBeats = every({
      firstWaitMs: 0,
      waitMs: shareCheckMs,
      work: () => {
        if (performance.now() < this.nextBeatAt && !holder.hasMoreThanItsShare) return
        // A beat that hangs must not hold up the next one, because another connection may work.
        return withTimeout(this.beat(), heartbeatMs, undefined)
      },
      onFailure: (error) => this.trouble.warn(`No heartbeat: ${error.message}`),
    })
  }

  /** Call this before a claim, because other workers must see that this one lives. It mostly has nothing to do. */
  async renew(): Promise<void> {
    if (performance.now() > this.aliveUntil - freshLeaseMs) await this.beat()
  }

  /** Another worker has handed lanes over. A failure is harmless, because the next beat finds these lanes too. */
  lookForLanes(): void {
    this.beat().catch((error: Error) => this.trouble.warn(`No heartbeat: ${error.message}`))
  }

  /** Tells the others to hand no lanes over to this worker. Its own lanes stay leased. */
  async announceLeave(): Promise<void> {
    this.isLeaving = true
    await this.beat()
  }

  async leave(): Promise<void> {
    this.endBeats()
    // A beat that arrived later would enter the worker again.
    await this.lastBeat
    await this.workers.leave(this.worker)
  }

  private async beat(): Promise<void> {
    const sentAt = performance.now()
    this.nextBeatAt = sentAt + heartbeatMs
    const hadLapsed = this.aliveUntil > 0 && !this.isAlive
    const beat = this.workers.beat(this.worker, this.isLeaving)
    this.lastBeat = beat.catch(() => undefined)
    const { woken, others } = await beat
    this.aliveUntil = sentAt + leaseMs
    if (hadLapsed) this.holder?.lapse()
    void this.holder?.serve(woken)
    this.holder?.shareWith(others)
    const present = idsOf(others)
    if ([...this.others].some((id) => !present.has(id))) this.onWorkerGone()
    this.others = present
  }
}

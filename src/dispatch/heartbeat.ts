/**
 * Shows other workers that this one is alive, and watches which others are. A worker whose lease has expired may lose
 * its lanes, so it sends nothing.
 */
import { Inject, Injectable, Logger } from '@nestjs/common'

import { PROCESS_ID } from '../platform/database/process-id.js'
import { OutboundClient } from '../platform/outbound/outbound-client.js'
import { ThrottledWarning } from '../platform/util/throttled-warning.js'
import { runPeriodically, withTimeout } from '../platform/util/timers.js'
import type { LiveWorker } from './lane-shares.js'
import { freshLeaseMs, heartbeatMs, leaseMs, shareCheckMs } from './limits.js'
import { WorkersRepository } from './workers.repository.js'

interface LaneHolder {
  hasExcessLanes: boolean
  serveHeldLanes(webhookIds: readonly string[]): void
  /** Called when the lease has expired, so that other workers may hold the lanes. */
  expireLease(): void
  shareLanes(others: readonly LiveWorker[]): void
}

const getIds = (workers: readonly LiveWorker[]) => new Set(workers.map(({ id }) => id))

@Injectable()
export class Heartbeat {
  /** Called when another worker left or its lease expired, so that its lanes may be free. Set by the worker. */
  onWorkerGone: () => void = () => undefined
  /** Called when an operator drains this worker. Set by the worker. */
  onDrain: () => void = () => undefined
  private readonly warning = new ThrottledWarning(new Logger(Heartbeat.name))
  private aliveUntil = -Infinity
  private nextBeatAt = -Infinity
  private lastBeat: Promise<unknown> = Promise.resolve()
  private isLeaving = false
  private others: ReadonlySet<string> = new Set()
  private stopHeartbeats: () => void = () => undefined
  private holder: LaneHolder | null = null

  constructor(
    @Inject(PROCESS_ID) readonly worker: string,
    private readonly workers: WorkersRepository,
    private readonly client: OutboundClient,
  ) {}

  get isAlive(): boolean {
    return performance.now() < this.aliveUntil
  }

  /** Idle workers send heartbeats too, so that others hand lanes over to them. */
  start(holder: LaneHolder): void {
    this.holder = holder
    this.stopHeartbeats = runPeriodically({
      firstWaitMs: 0,
      waitMs: shareCheckMs,
      work: () => {
        if (performance.now() < this.nextBeatAt && !holder.hasExcessLanes) return
        // A hanging heartbeat must not delay the next one, because another connection may work.
        return withTimeout(this.sendHeartbeat(), heartbeatMs, undefined)
      },
      onFailure: (error) => this.warning.warn(`The heartbeat failed: ${error.message}`),
    })
  }

  /** Must be called before a claim. Sends a heartbeat only if much of the lease has passed. */
  async renewLease(): Promise<void> {
    if (performance.now() > this.aliveUntil - freshLeaseMs) await this.sendHeartbeat()
  }

  /** Checks for lanes that another worker handed over. After a failure, the next heartbeat finds these lanes. */
  checkForLanes(): void {
    this.sendHeartbeat().catch((error: Error) => this.warning.warn(`The heartbeat failed: ${error.message}`))
  }

  /** Stops other workers from handing lanes over to this one. Its own lanes stay leased. */
  async announceLeave(): Promise<void> {
    this.isLeaving = true
    await this.sendHeartbeat()
  }

  async removeWorker(): Promise<void> {
    this.stopHeartbeats()
    // A heartbeat that arrives later would insert the worker again.
    await this.lastBeat
    await this.workers.removeWorker(this.worker)
  }

  private async sendHeartbeat(): Promise<void> {
    const sentAt = performance.now()
    this.nextBeatAt = sentAt + heartbeatMs
    const beat = this.workers.renewLease(this.worker, this.isLeaving, this.client.proxy?.health.fault ?? null)
    this.lastBeat = beat.catch(() => undefined)
    const { woken, others, isLeaving } = await beat
    // Checked now, because the lease may have expired while the heartbeat waited.
    const hadExpired = this.aliveUntil > 0 && !this.isAlive
    this.aliveUntil = sentAt + leaseMs
    if (hadExpired) this.holder?.expireLease()
    if (isLeaving && !this.isLeaving) {
      this.isLeaving = true
      this.onDrain()
    }
    this.holder?.serveHeldLanes(woken)
    this.holder?.shareLanes(others)
    const otherIds = getIds(others)
    if ([...this.others].some((id) => !otherIds.has(id))) this.onWorkerGone()
    this.others = otherIds
  }
}

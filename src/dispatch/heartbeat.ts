/** Tells other workers that this one lives. When it fails to, others may take its lanes, so this worker sends nothing. */
import { Injectable, Logger } from '@nestjs/common'
import { Column, Entity, PrimaryColumn } from 'typeorm'

import { newId } from '../platform/database/ids.js'
import { every, withTimeout } from '../platform/util/timers.js'
import { LeasesRepository } from './leases.repository.js'
import { heartbeatMs, leaseMs } from './limits.js'

/** A process that holds lanes. When it has not said so for a while, its lanes are free. */
@Entity('workers')
export class Worker {
  @PrimaryColumn({ type: 'uuid' })
  id!: string

  @Column({ name: 'alive_until', type: 'timestamptz', precision: 3 })
  aliveUntil!: Date
}

interface LaneHolder {
  size: number
  serve(webhookIds: readonly string[]): Promise<void>
  recallAll(): void
}

@Injectable()
export class Heartbeat {
  readonly worker = newId()
  private readonly logger = new Logger(Heartbeat.name)
  private aliveUntil = -Infinity
  private endBeats: () => void = () => undefined
  private holder: LaneHolder | null = null

  constructor(private readonly leases: LeasesRepository) {}

  get isAlive(): boolean {
    return performance.now() < this.aliveUntil
  }

  /** Beats only while the worker holds lanes: an idle worker has nothing to lose. */
  start(holder: LaneHolder): void {
    this.holder = holder
    this.endBeats = every({
      waitMs: heartbeatMs,
      // One that hangs must not keep the next from coming: another connection may be well.
      work: () => (holder.size > 0 ? withTimeout(this.beat(), heartbeatMs, undefined) : undefined),
      onFailure: (error) => this.logger.warn(`No heartbeat: ${error.message}`),
    })
  }

  /** Call this before a claim, because other workers must see that this one lives. */
  async ensure(): Promise<void> {
    if (performance.now() > this.aliveUntil - leaseMs / 2) await this.beat()
  }

  async leave(): Promise<void> {
    this.endBeats()
    await this.leases.leave(this.worker)
  }

  private async beat(): Promise<void> {
    const woken = await this.prove()
    if (woken === 'lapsed') this.holder?.recallAll()
    else void this.holder?.serve(woken)
  }

  /** The lanes for which others have something new. `lapsed` when this worker was taken for dead and others may hold its lanes. */
  private async prove(): Promise<string[] | 'lapsed'> {
    const sentAt = performance.now()
    const hadLapsed = this.aliveUntil > 0 && !this.isAlive
    const woken = await this.leases.beat(this.worker)
    this.aliveUntil = sentAt + leaseMs
    return hadLapsed ? 'lapsed' : woken
  }
}

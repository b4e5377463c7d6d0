/** How this worker says that it lives. While it has not managed to, its lanes may be another's, and it sends nothing. */
import { Injectable, Logger } from '@nestjs/common'
import { Column, Entity, PrimaryColumn } from 'typeorm'

import { newId } from '../platform/database/ids.js'
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

interface Holder {
  size: number
  serve(webhookIds: readonly string[]): Promise<void>
  recallAll(): void
}

@Injectable()
export class Heartbeat {
  readonly worker = newId()
  private readonly logger = new Logger(Heartbeat.name)
  private aliveUntil = -Infinity
  private timer: NodeJS.Timeout | null = null
  private holder: Holder | null = null

  constructor(private readonly leases: LeasesRepository) {}

  get isAlive(): boolean {
    return performance.now() < this.aliveUntil
  }

  /** Beats while it is needed; an idle worker says nothing. */
  start(holder: Holder): void {
    this.holder = holder
    this.timer ??= setInterval(() => {
      if (holder.size > 0)
        this.beat().catch((error: Error) => this.logger.warn(`No heartbeat: ${error.message}`))
    }, heartbeatMs).unref()
  }

  /** To be called before a claim: other workers must see that this one lives. */
  async ensure(): Promise<void> {
    if (performance.now() > this.aliveUntil - leaseMs / 2) await this.beat()
  }

  async leave(): Promise<void> {
    if (this.timer) clearInterval(this.timer)
    await this.leases.leave(this.worker)
  }

  private async beat(): Promise<void> {
    const woken = await this.prove()
    if (woken === 'lapsed') this.holder?.recallAll()
    else void this.holder?.serve(woken)
  }

  /** The lanes that others have something new for; or that the worker was taken for dead, so that they may be theirs. */
  private async prove(): Promise<string[] | 'lapsed'> {
    const sentAt = performance.now()
    const hadLapsed = this.aliveUntil > 0 && !this.isAlive
    const woken = await this.leases.beat(this.worker)
    this.aliveUntil = sentAt + leaseMs
    return hadLapsed ? 'lapsed' : woken
  }
}

/** Tells other workers that this one lives. When it fails to, others may take its lanes, so this worker sends nothing. */
import { Injectable, Logger } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { Column, DataSource, Entity, PrimaryColumn } from 'typeorm'

import { newId } from '../platform/database/ids.js'
import { every, withTimeout } from '../platform/util/timers.js'
import { heartbeatMs, leaseMs } from './limits.js'

/** A process that holds lanes. When it has not said so for a while, its lanes are free. */
@Entity('workers')
export class Worker {
  @PrimaryColumn({ type: 'uuid' })
  id!: string

  @Column({ name: 'alive_until', type: 'timestamptz', precision: 3 })
  aliveUntil!: Date
}

@Injectable()
export class WorkersRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Says that this worker lives, and hears which of its lanes others have something new for. */
  async beat(worker: string): Promise<string[]> {
    const rows: { webhook_id: string }[] = await this.dataSource.query(
      `WITH alive AS (
         INSERT INTO workers (id, alive_until) VALUES ($1, now() + $2 * interval '1 ms')
         ON CONFLICT (id) DO UPDATE SET alive_until = excluded.alive_until
       )
       SELECT webhook_id FROM lanes WHERE holder = $1 AND woken`,
      [worker, leaseMs],
    )
    return rows.map(({ webhook_id }) => webhook_id)
  }

  /** The end of a worker: its lanes are free at once. */
  async leave(worker: string): Promise<void> {
    await this.dataSource.query('DELETE FROM workers WHERE id = $1', [worker])
  }

  /** Workers that said lately that they live. A worker that holds no lane does not say so. */
  async countBusy(): Promise<number> {
    const [row]: { count: number }[] = await this.dataSource.query(
      'SELECT count(*)::int AS count FROM workers WHERE alive_until > now()',
    )
    return row!.count
  }

  /** A worker that was killed did not leave: its row goes when it was silent for long. */
  async forgetDead(): Promise<void> {
    await this.dataSource.query(`DELETE FROM workers WHERE alive_until < now() - interval '1 hour'`)
  }
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

  constructor(private readonly workers: WorkersRepository) {}

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
    await this.workers.leave(this.worker)
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
    const woken = await this.workers.beat(this.worker)
    this.aliveUntil = sentAt + leaseMs
    return hadLapsed ? 'lapsed' : woken
  }
}

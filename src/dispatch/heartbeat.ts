/** Tells other workers that this one is alive. Without that, others may take its lanes, so it sends nothing. */
import { Injectable, Logger } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { Column, DataSource, Entity, PrimaryColumn } from 'typeorm'

import { newId } from '../platform/database/ids.js'
import { every, withTimeout } from '../platform/util/timers.js'
import { deadWorkersKept, freshLeaseMs, heartbeatMs, leaseMs } from './limits.js'

/** A process that holds lanes. Its lanes are free once it has given no sign of life for a while. */
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

  /** Gives a sign of life. Returns the lanes of this worker in which others have found something new. */
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

  /** Removes a worker, which makes its lanes free at once. */
  async leave(worker: string): Promise<void> {
    await this.dataSource.query('DELETE FROM workers WHERE id = $1', [worker])
  }

  /** The number of workers that gave a sign of life lately. A worker without lanes gives none. */
  async countBusy(): Promise<number> {
    const [row]: { count: number }[] = await this.dataSource.query(
      'SELECT count(*)::int AS count FROM workers WHERE alive_until > now()',
    )
    return row!.count
  }

  /** Deletes the rows of workers that were killed, and so did not leave, a long time ago. */
  async forgetDead(): Promise<void> {
    await this.dataSource.query(
      `DELETE FROM workers WHERE alive_until < now() - interval '${deadWorkersKept}'`,
    )
  }
}

interface LaneHolder {
  size: number
  serve(webhookIds: readonly string[]): Promise<void>
  recall(): void
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
      // A beat that hangs must not hold up the next one, because another connection may work.
      work: () => (holder.size > 0 ? withTimeout(this.beat(), heartbeatMs, undefined) : undefined),
      onFailure: (error) => this.logger.warn(`No heartbeat: ${error.message}`),
    })
  }

  /** Call this before a claim, because other workers must see that this one lives. It mostly has nothing to do. */
  async renew(): Promise<void> {
    if (performance.now() > this.aliveUntil - freshLeaseMs) await this.beat()
  }

  async leave(): Promise<void> {
    this.endBeats()
    await this.workers.leave(this.worker)
  }

  private async beat(): Promise<void> {
    const woken = await this.prove()
    if (woken === 'lapsed') this.holder?.recall()
    else void this.holder?.serve(woken)
  }

  /**
   * Gives a sign of life and returns the lanes in which others have found something new. Returns `lapsed` when the
   * lease had run out before, because others may hold the lanes by now.
   */
  private async prove(): Promise<string[] | 'lapsed'> {
    const sentAt = performance.now()
    const hadLapsed = this.aliveUntil > 0 && !this.isAlive
    const woken = await this.workers.beat(this.worker)
    this.aliveUntil = sentAt + leaseMs
    return hadLapsed ? 'lapsed' : woken
  }
}

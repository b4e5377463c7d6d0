/**
 * Tells other workers that this one is alive, and learns which others are. A worker whose sign of life is too old may
 * lose its lanes, so it sends nothing.
 */
import { Injectable, Logger } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { Column, DataSource, Entity, PrimaryColumn } from 'typeorm'

import { newId } from '../platform/database/ids.js'
import { ThrottledWarning } from '../platform/util/throttled-warning.js'
import { every, withTimeout } from '../platform/util/timers.js'
import type { LiveWorker } from './lane-shares.js'
import { deadWorkersKept, freshLeaseMs, heartbeatMs, leaseMs, shareCheckMs } from './limits.js'

/** A process that sends deliveries. Its lanes are free once it has given no sign of life for a while. */
@Entity('workers')
export class Worker {
  @PrimaryColumn({ type: 'uuid' })
  id!: string

  @Column({ name: 'alive_until', type: 'timestamptz', precision: 3 })
  aliveUntil!: Date

  /** The worker stops: it holds lanes until its requests have ended, and takes no others. */
  @Column({ type: 'boolean', default: false })
  leaving!: boolean
}

interface Beat {
  /** The lanes of this worker in which others have found something new, or which others have handed over. */
  woken: string[]
  /** The other workers that are alive and take lanes. */
  others: LiveWorker[]
}

@Injectable()
export class WorkersRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Gives a sign of life. */
  async beat(worker: string, isLeaving: boolean): Promise<Beat> {
    const [beat]: Beat[] = await this.dataSource.query(
      `WITH alive AS (
         INSERT INTO workers (id, alive_until, leaving) VALUES ($1, now() + $2 * interval '1 ms', $3)
         ON CONFLICT (id) DO UPDATE SET
           alive_until = excluded.alive_until, leaving = workers.leaving OR excluded.leaving
       ), other AS (
         SELECT id, (SELECT count(*) FROM lanes WHERE holder = workers.id)::int AS lanes
         FROM workers WHERE id <> $1 AND alive_until > now() AND NOT leaving
       )
       SELECT
         ARRAY(SELECT webhook_id FROM lanes WHERE holder = $1 AND woken) AS woken,
         (SELECT COALESCE(json_agg(other), '[]') FROM other) AS others`,
      [worker, leaseMs, isLeaving],
    )
    return beat!
  }

  /** Removes a worker, which makes its lanes free at once. */
  async leave(worker: string): Promise<void> {
    await this.dataSource.query('DELETE FROM workers WHERE id = $1', [worker])
  }

  async countAlive(): Promise<number> {
    const [row]: { count: number }[] = await this.dataSource.query(
      'SELECT count(*)::int AS count FROM workers WHERE alive_until > now()',
    )
    return row!.count
  }

  /** Deletes the rows of workers that were killed, and so did not leave, a long time ago. */
  async deleteDead(): Promise<void> {
    await this.dataSource.query(
      `DELETE FROM workers WHERE alive_until < now() - interval '${deadWorkersKept}'`,
    )
  }
}

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

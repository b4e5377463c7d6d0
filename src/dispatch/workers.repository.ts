/** Stores which workers are alive. The lanes of a worker that is no longer alive are free. */
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { Column, DataSource, Entity, PrimaryColumn } from 'typeorm'

import type { LiveWorker } from './lane-shares.js'
import { deadWorkersKept, leaseMs } from './limits.js'

/** A process that sends deliveries. */
@Entity('workers')
export class Worker {
  @PrimaryColumn({ type: 'uuid' })
  id!: string

  @Column({ name: 'alive_until', type: 'timestamptz', precision: 3 })
  aliveUntil!: Date

  /** Whether the worker is shutting down. It holds lanes until its requests end, and takes no new ones. */
  @Column({ type: 'boolean', default: false })
  leaving!: boolean
}

interface Beat {
  /** Lanes of this worker that may have new deliveries, or that other workers handed over. */
  woken: string[]
  /** The other live workers that take lanes. */
  others: LiveWorker[]
}

@Injectable()
export class WorkersRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Renews the lease of the worker. */
  async renewLease(worker: string, isLeaving: boolean): Promise<Beat> {
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

  /** Removes a worker, which frees its lanes immediately. */
  async removeWorker(worker: string): Promise<void> {
    await this.dataSource.query('DELETE FROM workers WHERE id = $1', [worker])
  }

  async countLiveWorkers(): Promise<number> {
    const [row]: { count: number }[] = await this.dataSource.query(
      'SELECT count(*)::int AS count FROM workers WHERE alive_until > now()',
    )
    return row!.count
  }

  /** Deletes the rows of workers that were killed long ago. */
  async deleteDeadWorkers(): Promise<void> {
    await this.dataSource.query(
      `DELETE FROM workers WHERE alive_until < now() - interval '${deadWorkersKept}'`,
    )
  }
}

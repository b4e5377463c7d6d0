/** Stores which workers are alive. The lanes of a worker that is no longer alive are free. */
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { Column, DataSource, Entity, PrimaryColumn } from 'typeorm'

import { ChangeFeed } from '../platform/database/change-feed.js'
import type { ProxyFault } from '../platform/outbound/proxy-health.js'
import type { LiveWorker } from './lane-shares.js'
import { deadWorkersKept, leaseMs } from './limits.js'

/** A process that sends deliveries. */
@Entity('workers')
export class Worker {
  @PrimaryColumn({ type: 'uuid' })
  id!: string

  @Column({ name: 'alive_until', type: 'timestamptz', precision: 3 })
  aliveUntil!: Date

  /** Whether the worker is draining or stopping. It holds lanes until its requests end, and takes no new ones. */
  @Column({ type: 'boolean', default: false })
  leaving!: boolean

  /** Start of the current fault of the egress proxy. Null while the proxy works, and without a proxy. */
  @Column({ name: 'proxy_failing_since', type: 'timestamptz', precision: 3, nullable: true })
  proxyFailingSince!: Date | null

  /** The last fault of the egress proxy. */
  @Column({ name: 'proxy_error', type: 'text', nullable: true })
  proxyError!: string | null
}

/** A fault of the egress proxy as the workers report it. */
export interface ReportedProxyFault {
  since: Date
  message: string
  /** Number of live workers that report a fault. */
  workers: number
}

interface Beat {
  /** Lanes of this worker that may have new deliveries, or that other workers handed over. */
  woken: string[]
  /** The other live workers that take lanes. */
  others: LiveWorker[]
  /** Whether the worker is draining or stopping, and takes no more lanes. */
  isLeaving: boolean
}

@Injectable()
export class WorkersRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /**
   * Renews the lease of the worker. Heartbeats may be written in another order than they began, so the lease is extended
   * from the time of the write, not of the statement.
   */
  async renewLease(worker: string, isLeaving: boolean, fault: ProxyFault | null): Promise<Beat> {
    const [beat]: Beat[] = await this.dataSource.query(
      `WITH alive AS (
         INSERT INTO workers (id, alive_until, leaving, proxy_failing_since, proxy_error)
         VALUES ($1, now() + $2 * interval '1 ms', $3, $4, $5)
         ON CONFLICT (id) DO UPDATE SET
           alive_until = clock_timestamp() + $2 * interval '1 ms', leaving = workers.leaving OR excluded.leaving,
           proxy_failing_since = excluded.proxy_failing_since, proxy_error = excluded.proxy_error
         RETURNING leaving
       ), other AS (
         SELECT id, (SELECT count(*) FROM lanes WHERE holder = workers.id)::int AS lanes
         FROM workers WHERE id <> $1 AND alive_until > now() AND NOT leaving
       )
       SELECT (SELECT leaving FROM alive) AS "isLeaving",
         ARRAY(SELECT webhook_id FROM lanes WHERE holder = $1 AND woken) AS woken,
         (SELECT COALESCE(json_agg(other), '[]') FROM other) AS others`,
      [worker, leaseMs, isLeaving, fault?.since ?? null, fault?.message ?? null],
    )
    return beat!
  }

  /** Tells a worker to take no more lanes. Returns the end of its lease, or null if it is not running. */
  startDraining(worker: string): Promise<Date | null> {
    return this.dataSource.transaction(async (tx) => {
      const [drained]: [{ aliveUntil: Date }[], number] = await tx.query(
        `UPDATE workers SET leaving = true WHERE id = $1 AND alive_until > now() RETURNING alive_until AS "aliveUntil"`,
        [worker],
      )
      await ChangeFeed.announce(tx, 'worker', [worker])
      return drained[0]?.aliveUntil ?? null
    })
  }

  /** Whether the lease has been renewed, or removed, since it ended at this time. */
  async hasNewLease(worker: string, aliveUntil: Date): Promise<boolean> {
    const held: unknown[] = await this.dataSource.query(
      'SELECT FROM workers WHERE id = $1 AND alive_until = $2',
      [worker, aliveUntil],
    )
    return held.length === 0
  }

  /** Removes a worker, which frees its lanes immediately. */
  async removeWorker(worker: string): Promise<void> {
    await this.dataSource.query('DELETE FROM workers WHERE id = $1', [worker])
  }

  /** Counts the live workers that send deliveries, and those that are draining, drained or stopping. */
  async countLiveWorkers(): Promise<{ sending: number; leaving: number }> {
    const [row]: { sending: number; leaving: number }[] = await this.dataSource.query(
      `SELECT count(*) FILTER (WHERE NOT leaving)::int AS sending, count(*) FILTER (WHERE leaving)::int AS leaving
       FROM workers WHERE alive_until > now()`,
    )
    return row!
  }

  /** Returns the oldest fault of the egress proxy that live workers report, or null. */
  async findProxyFault(): Promise<ReportedProxyFault | null> {
    const [fault]: ReportedProxyFault[] = await this.dataSource.query(
      `SELECT proxy_failing_since AS since, proxy_error AS message, (count(*) OVER ())::int AS workers
       FROM workers WHERE alive_until > now() AND proxy_failing_since IS NOT NULL
       ORDER BY proxy_failing_since LIMIT 1`,
    )
    return fault ?? null
  }

  /** Deletes the rows of workers that were killed long ago. */
  async deleteDeadWorkers(): Promise<void> {
    await this.dataSource.query(
      `DELETE FROM workers WHERE alive_until < now() - interval '${deadWorkersKept}'`,
    )
  }
}

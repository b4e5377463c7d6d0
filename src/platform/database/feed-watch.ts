/** Watches the oldest open transaction of the cluster, because feeds are read only up to it (feed-place.ts). */
import { Injectable, Logger } from '@nestjs/common'
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import { runPeriodically } from '../util/timers.js'

const checkIntervalMs = 10_000
const maxCheckAgeMs = 3 * checkIntervalMs
/** Ordinary transactions end much sooner. */
export const longTransactionSeconds = 60

export interface OpenTransaction {
  tx: string
  owner: string
  /** Null if the database role may not see it. */
  seconds: number | null
  /** The statement that ends the transaction. */
  remedy: string
}

export const oldestTransactionStatement = `
  SELECT backend_xid::text AS tx, format('process %s in the database %s', pid, datname) AS owner,
    extract(epoch FROM clock_timestamp() - xact_start)::float8 AS seconds,
    format('SELECT pg_terminate_backend(%s)', pid) AS remedy, age(backend_xid) AS transactions
  FROM pg_stat_activity WHERE backend_xid IS NOT NULL
  UNION ALL
  SELECT transaction::text, format('the prepared transaction %L in the database %s', gid, database),
    extract(epoch FROM clock_timestamp() - prepared)::float8,
    format('ROLLBACK PREPARED %L', gid), age(transaction)
  FROM pg_prepared_xacts
  ORDER BY transactions DESC LIMIT 1`

/** Finds the oldest transaction with an ID. Transactions that only read have none, and hold nothing back. */
export async function findOldestTransaction(source: DataSource): Promise<OpenTransaction | null> {
  const [oldest]: OpenTransaction[] = await source.query(oldestTransactionStatement)
  return oldest ?? null
}

@Injectable()
export class FeedWatch implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(FeedWatch.name)
  private oldest: { tx: string; since: number; isLogged: boolean } | null = null
  private checkedAt = -Infinity
  private stop: () => void = () => undefined

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  onApplicationBootstrap(): void {
    this.stop = runPeriodically({
      waitMs: checkIntervalMs,
      work: () => this.checkTransactions(),
      // Other parts log that the database is unreachable.
      onFailure: () => undefined,
    })
  }

  onApplicationShutdown(): void {
    this.stop()
  }

  /** The age of the oldest open transaction, in seconds. Null if the database has not been reached recently. */
  get heldBackSeconds(): number | null {
    if (performance.now() - this.checkedAt > maxCheckAgeMs) return null
    return this.oldest ? (performance.now() - this.oldest.since) / 1000 : 0
  }

  async checkTransactions(warnAfterSeconds = longTransactionSeconds): Promise<void> {
    const found = await findOldestTransaction(this.dataSource)
    this.checkedAt = performance.now()
    if (!found) return void (this.oldest = null)
    const { tx, owner, seconds, remedy } = found
    if (this.oldest?.tx !== tx) {
      const since = performance.now() - 1000 * (seconds ?? 0)
      this.oldest = { tx, since, isLogged: false }
    }
    const heldBackSeconds = this.heldBackSeconds ?? 0
    if (this.oldest.isLogged || heldBackSeconds < warnAfterSeconds) return
    this.oldest.isLogged = true
    this.logger.warn(
      `An open transaction has held back the feeds and analytics for ${Math.round(heldBackSeconds)} s: ${owner}. To end it: ${remedy}`,
    )
  }
}

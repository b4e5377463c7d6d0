/**
 * Rebuilds indexes of weekly click partitions after the week has ended. These indexes start with the link ID, but
 * clicks arrive in order of time, so index pages are split and stay half empty. A rebuild saves a third of the space.
 */
import { Inject, Injectable } from '@nestjs/common'

import { SETTINGS } from '../../settings.js'
import type { RunningSettings } from '../../settings.js'
import { connectTimeoutMs, keptAlive } from '../../platform/database/data-source.js'
import { clientDeadline, endConnection, PgClient } from '../../platform/database/pg-client.js'
import { partitionsBetween } from '../../platform/database/partitions.js'
import { directUrl } from '../../platform/database/pooler.js'
import { Handles } from '../../platform/queue/jobs.js'
import type { JobHandler } from '../../platform/queue/jobs.js'
import { currentMs, dayMs } from '../../platform/util/clock.js'
import { clickPartitions } from '../click.entity.js'

declare module '../../platform/queue/jobs.js' {
  interface Jobs {
    /** Rebuilds one index of a past week, if any needs it. */
    'rebuild-click-indexes': Record<string, never>
  }
}

/** The other indexes grow at their end, so their pages are full. */
const indexes = ['clicks_by_link', 'clicks_by_link_transaction']
/** Delay after the end of a week, because late clicks would split the pages again. */
const rebuildDelayMs = 2 * dayMs
const statementTimeoutMs = 1_800_000
const lockTimeoutMs = 60_000
/** The comment on a rebuilt index. */
const rebuiltComment = 'rebuilt'

/** Finds the next index to rebuild. $1 is the first partition that is too recent, $2 the names of the indexes. */
const findNextIndex = `
  SELECT quote_ident(week.relname) AS week, quote_ident(index.relname) AS index
  FROM pg_inherits JOIN pg_class AS index ON index.oid = inhrelid
  JOIN pg_index ON indexrelid = index.oid JOIN pg_class AS week ON week.oid = indrelid
  WHERE inhparent = ANY($2::regclass[]) AND week.relname < $1
    AND obj_description(index.oid, 'pg_class') IS DISTINCT FROM '${rebuiltComment}'
  ORDER BY 1 DESC, 2 LIMIT 1`

/** Finds invalid indexes left by an interrupted rebuild. PostgreSQL never reads them but writes each click to them. */
const findInvalidIndexes = `
  SELECT quote_ident(relname) AS index FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
  WHERE indrelid = $1::regclass AND NOT indisvalid`

@Injectable()
export class ClosedWeeks {
  constructor(@Inject(SETTINGS) private readonly settings: RunningSettings) {}

  /** Rebuilds one index of the newest week that needs it, without blocking writes. False if no index needs it. */
  async rebuildNext(now = currentMs()): Promise<boolean> {
    // The rebuild cannot run in a transaction and needs a longer statement timeout than the pool has.
    const client = new PgClient({
      connectionString: directUrl(this.settings),
      application_name: 'link-service indexes',
      connectionTimeoutMillis: connectTimeoutMs,
      ...keptAlive,
      statement_timeout: statementTimeoutMs,
      query_timeout: clientDeadline(statementTimeoutMs),
      lock_timeout: lockTimeoutMs,
    })
    try {
      await client.connect()
      const time = new Date(now - rebuildDelayMs)
      const [recent] = partitionsBetween(clickPartitions, time, time)
      const values = [recent!.name, indexes]
      const [next] = (await client.query<{ week: string; index: string }>(findNextIndex, values)).rows
      if (!next) return false
      const invalid = await client.query<{ index: string }>(findInvalidIndexes, [next.week])
      for (const { index } of invalid.rows) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`)
      // Past weeks receive almost no clicks, so the pages can be filled completely.
      await client.query(`ALTER INDEX ${next.index} SET (fillfactor = 100)`)
      await client.query(`REINDEX INDEX CONCURRENTLY ${next.index}`)
      await client.query(`COMMENT ON INDEX ${next.index} IS '${rebuiltComment}'`)
      return true
    } finally {
      await endConnection(client)
    }
  }
}

@Injectable()
@Handles('rebuild-click-indexes')
export class ClosedWeeksJob implements JobHandler<'rebuild-click-indexes'> {
  constructor(private readonly weeks: ClosedWeeks) {}

  async handle(): Promise<void> {
    await this.weeks.rebuildNext()
  }
}

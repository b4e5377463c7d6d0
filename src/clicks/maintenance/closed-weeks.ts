/**
 * Rebuilds the indexes of a week of clicks once the week is over. They begin with the link, but clicks come in the
 * order of time. So their pages are split again and again, and stay half empty. Rebuilding saves a third.
 */
import { Inject, Injectable } from '@nestjs/common'

import { SETTINGS } from '../../settings.js'
import type { RunningSettings } from '../../settings.js'
import { connectMayTakeMs, keptAlive } from '../../platform/database/data-source.js'
import { clientDeadline, endConnection, PgClient } from '../../platform/database/pg-client.js'
import { partitionsBetween } from '../../platform/database/partitions.js'
import { directUrl } from '../../platform/database/pooler.js'
import { Handles } from '../../platform/queue/jobs.js'
import type { JobHandler } from '../../platform/queue/jobs.js'
import { currentMs } from '../../platform/util/clock.js'
import { dayMs } from '../../platform/util/days.js'
import { clickPartitions } from '../click.entity.js'

declare module '../../platform/queue/jobs.js' {
  interface Jobs {
    /** A week of clicks may be over. */
    'rebuild-click-indexes': Record<string, never>
  }
}

/** Only the pages of these indexes are split. The others are filled at their end. */
const indexes = ['clicks_by_link', 'clicks_by_link_transaction']
/** A week is left alone for this long after its end, because late clicks would split the pages again. */
const restsMs = 2 * dayMs
const mayTakeMs = 1_800_000
const lockMayTakeMs = 60_000
/** The comment on an index that has been rebuilt. */
const mark = 'rebuilt'

/** $1 is the first week that is still left alone, $2 the names of the indexes. */
const findNext = `
  SELECT quote_ident(week.relname) AS week, quote_ident(index.relname) AS index
  FROM pg_inherits JOIN pg_class AS index ON index.oid = inhrelid
  JOIN pg_index ON indexrelid = index.oid JOIN pg_class AS week ON week.oid = indrelid
  WHERE inhparent = ANY($2::regclass[]) AND week.relname < $1
    AND obj_description(index.oid, 'pg_class') IS DISTINCT FROM '${mark}'
  ORDER BY 1 DESC, 2 LIMIT 1`

/** Indexes that a killed rebuild left behind. Nothing reads them, but each click would be written into them. */
const findBroken = `
  SELECT quote_ident(relname) AS index FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
  WHERE indrelid = $1::regclass AND NOT indisvalid`

@Injectable()
export class ClosedWeeks {
  constructor(@Inject(SETTINGS) private readonly settings: RunningSettings) {}

  /** Rebuilds one index of the newest week that needs it; false when none does. Clicks can be written meanwhile. */
  async rebuildNext(now = currentMs()): Promise<boolean> {
    // The rebuild cannot run in a transaction, and takes longer than the statements of a request may.
    const client = new PgClient({
      connectionString: directUrl(this.settings),
      application_name: 'link-service indexes',
      connectionTimeoutMillis: connectMayTakeMs,
      ...keptAlive,
      statement_timeout: mayTakeMs,
      query_timeout: clientDeadline(mayTakeMs),
      lock_timeout: lockMayTakeMs,
    })
    try {
      await client.connect()
      const time = new Date(now - restsMs)
      const [open] = partitionsBetween(clickPartitions, time, time)
      const [next] = (await client.query<{ week: string; index: string }>(findNext, [open!.name, indexes]))
        .rows
      if (!next) return false
      const broken = await client.query<{ index: string }>(findBroken, [next.week])
      for (const { index } of broken.rows) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`)
      // Hardly anything comes into a week that is over, so its pages need no room.
      await client.query(`ALTER INDEX ${next.index} SET (fillfactor = 100)`)
      await client.query(`REINDEX INDEX CONCURRENTLY ${next.index}`)
      await client.query(`COMMENT ON INDEX ${next.index} IS '${mark}'`)
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

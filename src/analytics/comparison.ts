/**
 * Checks the analytics counts. For each link, its counts plus the clicks that are not counted yet must equal the link's
 * counter. For each workspace, its count of the last complete day must equal the clicks of that day.
 */
import { Injectable, Logger } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import { encodeId, lowestIdAt } from '../platform/database/ids.js'
import { allowLongerStatements } from '../platform/database/pg-client.js'
import { Handles } from '../platform/queue/jobs.js'
import type { JobHandler } from '../platform/queue/jobs.js'
import { currentMs, dayMs } from '../platform/util/clock.js'

const timeoutMs = 300_000
const maxReportedLinks = 5

@Injectable()
export class Comparison {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Returns a description of each difference. A difference is a bug in Link Service. */
  compareCounts(now = currentMs()): Promise<string[]> {
    return this.dataSource.transaction('REPEATABLE READ', async (tx) => {
      await allowLongerStatements(tx, timeoutMs)
      const links: { link_id: string; counted: string; figures: string }[] = await tx.query(`
        WITH newer AS (
          SELECT clicks.link_id, count(*) AS total
          FROM analytics_places AS place JOIN clicks ON clicks.workspace_id = place.workspace_id AND clicks.tx >= place.tx
          GROUP BY 1
        )
        SELECT counter.link_id, counter.total AS counted, coalesce(days.total, 0) + coalesce(newer.total, 0) AS figures
        FROM analytics_places AS place JOIN link_counters AS counter ON counter.workspace_id = place.workspace_id
        CROSS JOIN LATERAL (SELECT sum(clicks) AS total FROM click_days WHERE subject = counter.link_id) AS days
        LEFT JOIN newer ON newer.link_id = counter.link_id
        WHERE counter.total <> coalesce(days.total, 0) + coalesce(newer.total, 0)
        ORDER BY counter.link_id LIMIT ${maxReportedLinks}`)
      const day = Math.floor(now / dayMs - 1) * dayMs
      const [begin, end] = [new Date(day), new Date(day + dayMs)]
      const workspaces: { workspace_id: string; counted: string; figures: string }[] = await tx.query(
        `SELECT place.workspace_id, clicks.total AS counted, coalesce(days.clicks, 0) AS figures
         FROM analytics_places AS place
         CROSS JOIN LATERAL (
           SELECT count(*) AS total FROM clicks
           WHERE clicks.workspace_id = place.workspace_id AND tx < place.tx AND occurred_at >= $1 AND occurred_at < $2
             AND (id >= $3 AND id < $4 OR ahead)
         ) AS clicks
         LEFT JOIN click_days AS days ON days.subject = place.workspace_id AND days.day = $1
         WHERE clicks.total <> coalesce(days.clicks, 0) AND $1 >= (SELECT kept_from FROM click_retention)`,
        [begin, end, lowestIdAt(begin), lowestIdAt(end)],
      )
      return [
        ...links.map(
          ({ link_id, counted, figures }) =>
            `link ${encodeId('lnk', link_id)} has ${counted} clicks in its counter but ${figures} in its analytics`,
        ),
        ...workspaces.map(
          ({ workspace_id, counted, figures }) =>
            `workspace ${encodeId('wsp', workspace_id)} has ${counted} recorded clicks on ${begin.toISOString().slice(0, 10)} but ${figures} in its analytics`,
        ),
      ]
    })
  }
}

@Injectable()
@Handles('compare-clicks')
export class CompareJob implements JobHandler<'compare-clicks'> {
  private readonly logger = new Logger(CompareJob.name)

  constructor(private readonly comparison: Comparison) {}

  async handle(): Promise<void> {
    for (const difference of await this.comparison.compareCounts())
      this.logger.error(`Analytics do not match the recorded clicks: ${difference}.`)
  }
}

/**
 * Checks the counts. Those of each link, with the clicks that are not counted yet, must equal its counter. Those of a
 * workspace for the last whole day must equal its clicks of that day. A difference is a bug of this service.
 */
import { Injectable, Logger } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import { encodeId, lowestIdAt } from '../platform/database/ids.js'
import { allowLongerStatements } from '../platform/database/pg-client.js'
import { Handles } from '../platform/queue/jobs.js'
import type { JobHandler } from '../platform/queue/jobs.js'
import { currentMs } from '../platform/util/clock.js'
import { dayMs } from '../platform/util/days.js'

const mayTakeMs = 300_000
const mostShown = 5

@Injectable()
export class Comparison {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Describes each difference. */
  run(now = currentMs()): Promise<string[]> {
    return this.dataSource.transaction('REPEATABLE READ', async (tx) => {
      await allowLongerStatements(tx, mayTakeMs)
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
        ORDER BY counter.link_id LIMIT ${mostShown}`)
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
            `the counter of ${encodeId('lnk', link_id)} says ${counted} clicks, its analytics ${figures}`,
        ),
        ...workspaces.map(
          ({ workspace_id, counted, figures }) =>
            `${encodeId('wsp', workspace_id)} has ${counted} clicks of ${begin.toISOString().slice(0, 10)}, its analytics ${figures}`,
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
    for (const difference of await this.comparison.run())
      this.logger.error(`Analytics disagree with what was recorded: ${difference}.`)
  }
}

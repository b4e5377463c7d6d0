/**
 * Puts the days of links together into rows for months that are over: a year of a dimension with many keys is then read
 * from twelve rows. The links of a workspace come in the order of their ids, some in each transaction. `months_until`
 * and `months_link` say how far that has come. Late clicks are added to the month rows that exist by then. The
 * workspace itself has running sums instead.
 */
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { EntityManager } from 'typeorm'

import { allowLongerStatements, backgroundMayTakeMs } from '../../platform/database/pg-client.js'
import { currentMs } from '../../platform/util/clock.js'
import { grains, timePart } from '../dimensions.js'
import { linksPerMonthStep, monthRestsMs } from '../limits.js'
import { RollingPlacesRepository } from './rolling-places.repository.js'

const mergeMonth = `
  INSERT INTO breakdowns AS b (subject, part, grain, at, total, human, visitors, keys, clicks, humans)
  SELECT subject, part, ${grains.month}, $2, 0, 0, 0, array_agg(key), array_agg(clicks), array_agg(human)
  FROM (
    SELECT subject, part, key, sum(clicks)::int AS clicks, sum(human)::int AS human FROM (
      SELECT subject, part, unnest(keys) AS key, unnest(clicks) AS clicks, unnest(humans) AS human FROM breakdowns
      WHERE subject = ANY($1::uuid[]) AND part > ${timePart} AND grain = ${grains.day} AND at >= $2 AND at < $3
    ) AS entries
    GROUP BY subject, part, key
  ) AS merged
  GROUP BY subject, part
  ON CONFLICT (subject, part, grain, at) DO UPDATE
  SET keys = EXCLUDED.keys, clicks = EXCLUDED.clicks, humans = EXCLUDED.humans`

@Injectable()
export class Months {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly places: RollingPlacesRepository,
  ) {}

  /**
   * Puts some links of the oldest month together. False when no month is due, when another roller has the workspace, or
   * while more clicks wait than one step takes: they would change the rows of the month again.
   */
  step(workspaceId: string, now = currentMs()): Promise<boolean> {
    return this.dataSource.transaction(async (tx) => {
      if (!(await this.places.lock(tx, workspaceId))) return false
      await allowLongerStatements(tx, backgroundMayTakeMs)
      const { monthsUntil, monthsLink, isCaughtUp } = await this.places.find(tx, workspaceId)
      if (!monthsUntil || !isCaughtUp) return false
      const next = new Date(Date.UTC(monthsUntil.getUTCFullYear(), monthsUntil.getUTCMonth() + 1))
      if (next.getTime() + monthRestsMs > now) return false
      const links = await this.linksAfter(tx, workspaceId, monthsLink)
      const isLast = links.length < linksPerMonthStep
      await tx.query(mergeMonth, [links, monthsUntil, next])
      await this.places.setMonth(tx, workspaceId, isLast ? next : monthsUntil, isLast ? null : links.at(-1)!)
      return true
    })
  }

  private async linksAfter(tx: EntityManager, workspaceId: string, link: string): Promise<string[]> {
    const rows: { id: string }[] = await tx.query(
      `SELECT link_id AS id FROM link_counters WHERE workspace_id = $1 AND link_id > $2
       ORDER BY link_id LIMIT ${linksPerMonthStep}`,
      [workspaceId, link],
    )
    return rows.map(({ id }) => id)
  }
}

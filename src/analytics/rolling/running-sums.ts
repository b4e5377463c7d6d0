/**
 * Makes the running sums of a workspace: a row for the end of each day, with all of its month so far. The clicks of any
 * days in a month are then the difference of two rows. That matters because the row of a day may have ten thousand
 * links. Each sum is made from the one before and from its day. A late click is added to the sums of its day and of
 * later days that exist by then.
 */
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { EntityManager } from 'typeorm'

import { currentMs } from '../../platform/util/clock.js'
import { dayMs } from '../../platform/util/days.js'
import { allowLongerStatements, backgroundMayTakeMs } from '../../platform/database/pg-client.js'
import { dimensions, grains, partOf, timePart } from '../dimensions.js'
import { sumRestsMs, sumsPerStep } from '../limits.js'
import { RollingPlacesRepository } from './rolling-places.repository.js'

const parts = dimensions.map(partOf)

/** $1 is the workspace, $2 the day, $3 the day before if it is in the same month, $4 the parts. */
const addDay = `
  INSERT INTO breakdowns (subject, part, grain, at, total, human, visitors, keys, clicks, humans)
  SELECT $1, part, ${grains.sum}, $2, 0, 0, 0, array_agg(key), array_agg(clicks), array_agg(human)
  FROM (
    SELECT part, key, sum(clicks)::int AS clicks, sum(human)::int AS human FROM (
      SELECT part, unnest(keys) AS key, unnest(clicks) AS clicks, unnest(humans) AS human FROM (
        SELECT * FROM breakdowns WHERE subject = $1 AND part = ANY($4::smallint[]) AND grain = ${grains.day} AND at = $2
        UNION ALL
        SELECT * FROM breakdowns WHERE subject = $1 AND part = ANY($4::smallint[]) AND grain = ${grains.sum} AND at = $3
      ) AS rows
    ) AS entries
    GROUP BY part, key
  ) AS merged
  GROUP BY part`

const nextDay = `
  SELECT min(at) AS day FROM breakdowns
  WHERE subject = $1 AND part = ${timePart} AND grain = ${grains.day} AND ($2::timestamptz IS NULL OR at >= $2)`

@Injectable()
export class RunningSums {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly places: RollingPlacesRepository,
  ) {}

  /** Makes the sums of the next days. False when all days have theirs, or another roller has the workspace. */
  step(workspaceId: string, now = currentMs()): Promise<boolean> {
    return this.dataSource.transaction(async (tx) => {
      if (!(await this.places.lock(tx, workspaceId))) return false
      await allowLongerStatements(tx, backgroundMayTakeMs)
      const { sumsUntil, isCaughtUp } = await this.places.find(tx, workspaceId)
      if (!isCaughtUp) return false
      const end = new Date(Math.floor((now - sumRestsMs) / dayMs) * dayMs)
      if (sumsUntil && sumsUntil >= end) return false
      let until = sumsUntil
      for (let days = 0; days < sumsPerStep && (until === null || until < end); days++)
        until = await this.addNext(tx, workspaceId, until, end)
      await this.places.setSums(tx, workspaceId, until!)
      return true
    })
  }

  /** Makes the sum of the next day before `end` that needs one. Returns up to which day there are sums then. */
  private async addNext(
    tx: EntityManager,
    workspaceId: string,
    until: Date | null,
    end: Date,
  ): Promise<Date> {
    const day = await this.dayAfter(tx, workspaceId, until)
    if (!day || day >= end) return end
    const before = isFirst(day) ? null : new Date(day.getTime() - dayMs)
    await tx.query(addDay, [workspaceId, day, before, parts])
    return new Date(day.getTime() + dayMs)
  }

  /** At the beginning of a month no sum is carried on, so days without clicks are passed over. */
  private async dayAfter(tx: EntityManager, workspaceId: string, until: Date | null): Promise<Date | null> {
    if (until && !isFirst(until)) return until
    const [row]: { day: Date | null }[] = await tx.query(nextDay, [workspaceId, until])
    return row!.day
  }
}

function isFirst(day: Date): boolean {
  return day.getUTCDate() === 1
}

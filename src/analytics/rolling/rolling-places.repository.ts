/**
 * Keeps up to which transaction the clicks of a workspace are in its breakdowns, and how far its sums and months are.
 */
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager } from 'typeorm'

import { oldestRunning } from '../../platform/database/feed-place.js'
import { noId } from '../../platform/database/ids.js'
import { lockFor } from '../../platform/database/locks.js'
import { run } from '../../platform/database/statements.js'
import { dayMs } from '../../platform/util/days.js'
import { clicksPerStep, monthRestsMs, rollAtClicks, sumRestsMs } from '../limits.js'

export interface RollingPlace {
  /** The first transaction whose clicks are not in the breakdowns. */
  tx: string
  /** The first transaction that this step does not take: the oldest running one, or an earlier one. */
  end: string
  /** True when this step takes all clicks that can be taken now, and none are left for another one. */
  isCaughtUp: boolean
  preparedAt: Date | null
  /** Visitors of days from this one on are remembered. */
  visitorsFrom: string
  monthsUntil: Date | null
  monthsLink: string
  /** Days before this one have a running sum; null where none has. */
  sumsUntil: Date | null
}

const findWaiting = {
  name: 'workspaces with clicks to roll up, months or sums',
  text: `
    SELECT workspace.id FROM workspaces AS workspace LEFT JOIN analytics_places AS place ON place.workspace_id = workspace.id
    WHERE ($1 AND (
      place.months_until + interval '1 month' < now() - ${monthRestsMs} * interval '1 ms'
      OR place.tx > 0 AND coalesce(place.sums_until, '-infinity') < now() - ${dayMs + sumRestsMs} * interval '1 ms'
      OR EXISTS (SELECT FROM clicks WHERE clicks.workspace_id = workspace.id AND tx >= coalesce(place.tx, 0))
    )) OR EXISTS (
      SELECT FROM clicks WHERE clicks.workspace_id = workspace.id AND tx >= coalesce(place.tx, 0) OFFSET ${rollAtClicks}
    )
    ORDER BY workspace.id`,
}

const findPlace = {
  name: 'place of a workspace',
  text: `
    SELECT place.tx::text, coalesce(step.end, now.xmin)::text AS end, step.end IS NULL AS "isCaughtUp",
      place.prepared_at AS "preparedAt", place.visitors_from::text AS "visitorsFrom",
      place.months_until AS "monthsUntil", place.months_link AS "monthsLink",
      place.sums_until AS "sumsUntil"
    FROM analytics_places AS place
    CROSS JOIN (SELECT ${oldestRunning} AS xmin) AS now
    LEFT JOIN LATERAL (
      SELECT tx FROM clicks WHERE clicks.workspace_id = $1 AND clicks.tx >= place.tx ORDER BY tx LIMIT 1
    ) AS first ON true
    LEFT JOIN LATERAL (
      SELECT greatest(tx, first.tx + 1) AS end FROM clicks
      WHERE clicks.workspace_id = $1 AND clicks.tx >= place.tx AND clicks.tx < now.xmin
      ORDER BY tx OFFSET ${clicksPerStep} LIMIT 1
    ) AS step ON true
    WHERE place.workspace_id = $1`,
}

@Injectable()
export class RollingPlacesRepository {
  /** Workspaces in which enough clicks wait. With `takesAll` also those in which any clicks, months or sums are due. */
  async waiting(db: EntityManager, takesAll: boolean): Promise<string[]> {
    return (await run<{ id: string }>(db, findWaiting, [takesAll])).map(({ id }) => id)
  }

  /** False while another roller has the workspace. Advisory, because a row lock would take a transaction number. */
  async lock(tx: EntityManager, workspaceId: string): Promise<boolean> {
    const [row] = await run<{ locked: boolean }>(
      tx,
      { text: 'SELECT pg_try_advisory_xact_lock($1, hashtext($2)) AS locked' },
      [lockFor.analytics, workspaceId],
    )
    return row!.locked
  }

  async find(tx: EntityManager, workspaceId: string): Promise<RollingPlace> {
    const [found] = await run<RollingPlace & object>(tx, findPlace, [workspaceId])
    if (found) return found
    // The workspace had no clicks before there were analytics, so nothing has to be prepared.
    await tx.query(
      `INSERT INTO analytics_places (workspace_id, tx, first_tx, goal_tx, prepared_at, visitors_from, months_link)
       VALUES ($1, 0, 0, 0, now(), '-infinity', $2)`,
      [workspaceId, noId],
    )
    return this.find(tx, workspaceId)
  }

  async move(
    tx: EntityManager,
    workspaceId: string,
    place: RollingPlace,
    firstDay: Date | null,
  ): Promise<void> {
    await tx.query(
      `UPDATE analytics_places
       SET tx = $2, visitors_from = $3,
         months_until = coalesce(months_until, date_trunc('month', $4::timestamptz, 'UTC'))
       WHERE workspace_id = $1`,
      [workspaceId, place.end, place.visitorsFrom, firstDay],
    )
  }

  async setPrepared(tx: EntityManager, workspaceId: string): Promise<void> {
    await tx.query('UPDATE analytics_places SET prepared_at = now() WHERE workspace_id = $1', [workspaceId])
  }

  async setMonth(tx: EntityManager, workspaceId: string, until: Date, link: string | null): Promise<void> {
    await tx.query(
      'UPDATE analytics_places SET months_until = $2, months_link = $3 WHERE workspace_id = $1',
      [workspaceId, until, link ?? noId],
    )
  }

  async setSums(tx: EntityManager, workspaceId: string, until: Date): Promise<void> {
    await tx.query('UPDATE analytics_places SET sums_until = $2 WHERE workspace_id = $1', [
      workspaceId,
      until,
    ])
  }
}

export interface PreparationProgress {
  /** Workspaces whose clicks from before analytics are still being counted. */
  preparing: number
  /** The share of those clicks that is counted, 0 to 1, in the workspace where it is lowest. */
  prepared: number
}

/** How far the figures have come, for metrics and for the command doctor. */
@Injectable()
export class AnalyticsProgress {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async read(): Promise<PreparationProgress> {
    const [row]: PreparationProgress[] = await this.dataSource.query(`
      SELECT count(*)::int AS preparing,
        coalesce(min(least(1, (tx - first_tx)::float8 / greatest(goal_tx - first_tx, 1))), 1) AS prepared
      FROM analytics_places WHERE prepared_at IS NULL`)
    return row!
  }
}

/** Stores the transaction up to which the clicks of each workspace are counted. */
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager } from 'typeorm'

import { oldestRunning } from '../../platform/database/feed-place.js'
import { lockFor } from '../../platform/database/locks.js'
import { runStatement } from '../../platform/database/statements.js'
import { clicksPerStep, rollAtClicks } from '../limits.js'

export interface Checkpoint {
  /** The first transaction whose clicks are not counted yet. */
  tx: string
  /** End of this step, exclusive: the oldest running transaction or an earlier one. */
  end: string
  /** Whether this step counts all clicks that can be counted now. */
  isCaughtUp: boolean
  /** Number of this step. */
  step: number
  /** The first day whose visitor hashes are stored. */
  visitorsFrom: string
}

const findPendingWorkspaces = {
  name: 'workspaces with clicks to count',
  text: `
    SELECT workspace.id FROM workspaces AS workspace LEFT JOIN analytics_places AS place ON place.workspace_id = workspace.id
    WHERE EXISTS (
      SELECT FROM clicks WHERE clicks.workspace_id = workspace.id AND tx >= coalesce(place.tx, 0)
      OFFSET CASE WHEN $1 THEN 0 ELSE ${rollAtClicks} END
    )
    ORDER BY workspace.id`,
}

const findCheckpoint = {
  name: 'checkpoint of a workspace',
  text: `
    SELECT place.tx::text, coalesce(step.end, now.xmin)::text AS end, step.end IS NULL AS "isCaughtUp",
      place.step, place.visitors_from::text AS "visitorsFrom"
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
export class CheckpointsRepository {
  /** Returns the workspaces with more than `rollAtClicks` pending clicks, or in a full run with any pending click. */
  async findPendingWorkspaces(db: EntityManager, isFullRun: boolean): Promise<string[]> {
    return (await runStatement<{ id: string }>(db, findPendingWorkspaces, [isFullRun])).map(({ id }) => id)
  }

  /** Returns false if another roller holds the advisory lock. A row lock would need a transaction ID. */
  async lockWorkspace(tx: EntityManager, workspaceId: string): Promise<boolean> {
    const [row] = await runStatement<{ locked: boolean }>(
      tx,
      { text: 'SELECT pg_try_advisory_xact_lock($1, hashtext($2)) AS locked' },
      [lockFor.analytics, workspaceId],
    )
    return row!.locked
  }

  /** Returns the checkpoint of a workspace. Creates it if it does not exist. */
  async findOrCreateCheckpoint(tx: EntityManager, workspaceId: string): Promise<Checkpoint> {
    const [checkpoint] = await runStatement<Checkpoint & object>(tx, findCheckpoint, [workspaceId])
    if (checkpoint) return checkpoint
    await tx.query(
      `INSERT INTO analytics_places (workspace_id, tx, step, visitors_from) VALUES ($1, 0, 0, '-infinity')`,
      [workspaceId],
    )
    return this.findOrCreateCheckpoint(tx, workspaceId)
  }

  async moveCheckpoint(
    tx: EntityManager,
    workspaceId: string,
    { end, visitorsFrom }: Checkpoint,
  ): Promise<void> {
    await tx.query(
      'UPDATE analytics_places SET tx = $2, step = step + 1, visitors_from = $3 WHERE workspace_id = $1',
      [workspaceId, end, visitorsFrom],
    )
  }
}

/** Measures how far counting is behind, for metrics and `doctor`. */
@Injectable()
export class AnalyticsLag {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Returns the age of the oldest pending click in seconds, or 0 if there is none. */
  async readSeconds(): Promise<number> {
    const [row]: { seconds: number }[] = await this.dataSource.query(`
      SELECT coalesce(greatest(0, extract(epoch FROM now() - min(click.occurred_at))), 0)::float8 AS seconds
      FROM workspaces AS workspace LEFT JOIN analytics_places AS place ON place.workspace_id = workspace.id
      CROSS JOIN LATERAL (
        SELECT occurred_at FROM clicks WHERE clicks.workspace_id = workspace.id AND tx >= coalesce(place.tx, 0)
        ORDER BY tx LIMIT 1
      ) AS click`)
    return row!.seconds
  }
}

/**
 * Counts clicks in feed order. Invariant: the counts contain exactly the clicks whose transaction precedes the
 * workspace's checkpoint, and queries read newer clicks one by one. A step adds clicks and moves the checkpoint in one
 * transaction, so the roller can be killed at any line.
 */
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager } from 'typeorm'

import { lowestIdAt } from '../../platform/database/ids.js'
import { allowLongerStatements, backgroundTimeoutMs } from '../../platform/database/pg-client.js'
import { runStatement } from '../../platform/database/statements.js'
import { dayMs } from '../../platform/util/clock.js'
import { valuesPerDay, visitorDaysKept, visitorsPerDelete } from '../limits.js'
import { CheckpointsRepository } from './checkpoints.repository.js'
import { countClicks } from './roll-statement.js'

/** A day whose visitor hashes were deleted before this click arrived. */
interface LateDay {
  /** ID of a link or of the workspace. */
  subject: string
  day: string
}

interface RollStep {
  /** Whether clicks are left that can be counted now. */
  hasMore: boolean
  /** Visitor hashes of days before this one are no longer needed. Null if the step did not expire any. */
  visitorsExpireBefore: Date | null
}

interface Counted {
  clicks: number
  lastDay: Date | null
  late: LateDay[] | null
}

/**
 * With the default `work_mem`, the groups of a step would be sorted on disk. Nested loops are disabled, because the
 * planner underestimates the rows of each CTE.
 */
const setPlannerSettings = `
  SELECT set_config('work_mem', '64MB', true), set_config('enable_nestloop', 'off', true), set_config('jit', 'off', true)`

@Injectable()
export class Roller {
  /** Lowered in tests. */
  valuesPerDay = valuesPerDay
  private lastWorkspaceId = ''

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly checkpoints: CheckpointsRepository,
  ) {}

  /**
   * Counts the clicks of workspaces with enough pending clicks, or of all workspaces in a full run, until none are left
   * or `shouldStop` returns true. Workspaces alternate after each step, so a busy or failing one does not delay others.
   */
  async rollWorkspaces(isFullRun: boolean, shouldStop: () => boolean = () => false): Promise<void> {
    const pending = await this.checkpoints.findPendingWorkspaces(this.dataSource.manager, isFullRun)
    const queue = [
      ...pending.filter((id) => id > this.lastWorkspaceId),
      ...pending.filter((id) => id <= this.lastWorkspaceId),
    ]
    const failures: unknown[] = []
    for (let next = queue.shift(); next !== undefined && !shouldStop(); next = queue.shift()) {
      this.lastWorkspaceId = next
      try {
        if (await this.rollStep(next)) queue.push(next)
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }

  /** Counts one batch of clicks. Returns false if none are left or another roller has locked the workspace. */
  async rollStep(workspaceId: string): Promise<boolean> {
    const { hasMore, visitorsExpireBefore } = await this.countBatch(workspaceId)
    if (visitorsExpireBefore) while (await this.deleteVisitorsBefore(workspaceId, visitorsExpireBefore));
    return hasMore
  }

  private countBatch(workspaceId: string): Promise<RollStep> {
    return this.dataSource.transaction(async (tx) => {
      if (!(await this.checkpoints.lockWorkspace(tx, workspaceId)))
        return { hasMore: false, visitorsExpireBefore: null }
      const checkpoint = await this.checkpoints.findOrCreateCheckpoint(tx, workspaceId)
      const { tx: begin, end, step, visitorsFrom, isCaughtUp } = checkpoint
      await allowLongerStatements(tx, backgroundTimeoutMs)
      await tx.query(setPlannerSettings)
      const values = [workspaceId, begin, end, step, this.valuesPerDay, visitorsFrom]
      const [counted] = await runStatement<Counted & object>(tx, countClicks, values)
      const { clicks, lastDay, late } = counted!
      const hasMore = !isCaughtUp
      if (clicks === 0) return { hasMore, visitorsExpireBefore: null }
      for (const day of late ?? []) await recountVisitors(tx, workspaceId, day, { begin, end })
      const firstKeptDay = new Date(lastDay!.getTime() - visitorDaysKept * dayMs)
      const isNewDay = visitorsFrom === '-infinity' || new Date(visitorsFrom) < firstKeptDay
      await this.checkpoints.moveCheckpoint(tx, workspaceId, {
        ...checkpoint,
        visitorsFrom: isNewDay ? firstKeptDay.toISOString() : visitorsFrom,
      })
      return { hasMore, visitorsExpireBefore: isNewDay ? firstKeptDay : null }
    })
  }

  /**
   * Deletes some visitor hashes of days before `day`. Returns whether there may be more. Not part of a step, because
   * feeds wait for the transaction of a step. After a crash, the hashes are deleted a day later.
   */
  private async deleteVisitorsBefore(workspaceId: string, day: Date): Promise<boolean> {
    const [, deleted]: [unknown[], number] = await this.dataSource.query(
      `DELETE FROM counted_visitors WHERE ctid IN (
         SELECT ctid FROM counted_visitors WHERE workspace_id = $1 AND day < $2 LIMIT $3)`,
      [workspaceId, day, visitorsPerDelete],
    )
    return deleted === visitorsPerDelete
  }
}

/**
 * Recounts the visitors of a late day from its clicks. If retention has dropped the clicks, all visitors of this step
 * count as new. `begin` and `end` are the range of transactions of this step.
 */
async function recountVisitors(
  tx: EntityManager,
  workspaceId: string,
  { subject, day }: LateDay,
  { begin, end }: { begin: string; end: string },
): Promise<void> {
  const from = new Date(day)
  const to = new Date(from.getTime() + dayMs)
  await tx.query(
    `UPDATE click_days SET visitors = CASE WHEN is_kept THEN 0 ELSE visitors END + (
       SELECT count(DISTINCT visitor) FROM clicks
       WHERE workspace_id = $1 AND ${subject === workspaceId ? 'true' : 'link_id = $2'} AND NOT bot AND tx < $3
         AND tx >= CASE WHEN is_kept THEN 0 ELSE $8 END
         AND occurred_at >= $4 AND occurred_at < $5 AND (id >= $6 AND id < $7 OR ahead)
     )
     FROM (SELECT $4 >= (SELECT kept_from FROM click_retention) AS is_kept) AS retention
     WHERE subject = $2 AND day = $4`,
    [workspaceId, subject, end, from, to, lowestIdAt(from), lowestIdAt(to), begin],
  )
}

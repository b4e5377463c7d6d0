/**
 * Counts clicks in the order of the feed. One invariant makes responses exact: the counts contain every click whose
 * transaction precedes the workspace's checkpoint, and each query reads newer clicks one by one. A step is one
 * transaction that adds clicks and moves the checkpoint, so a roller may be killed at any line.
 */
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import { allowLongerStatements, backgroundMayTakeMs } from '../../platform/database/pg-client.js'
import { run } from '../../platform/database/statements.js'
import { dayMs } from '../../platform/util/days.js'
import { valuesPerDay, visitorDaysKept } from '../limits.js'
import { CheckpointsRepository } from './checkpoints.repository.js'
import { countClicks } from './roll-statement.js'
import { forgetVisitors, recountVisitors } from './visitor-counts.js'
import type { LateDay } from './visitor-counts.js'

interface Counted {
  clicks: number
  lastDay: Date | null
  late: LateDay[] | null
}

/**
 * The groups of one step fit into this memory; the default would sort them on disk. The planner expects a few rows from
 * each part of the statement, so it would choose nested loops, which compare all pairs of rows.
 */
const setPlannerSettings = `
  SELECT set_config('work_mem', '64MB', true), set_config('enable_nestloop', 'off', true), set_config('jit', 'off', true)`

@Injectable()
export class Roller {
  /** Tests lower it. */
  valuesPerDay = valuesPerDay
  private servedLast = ''

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly checkpoints: CheckpointsRepository,
  ) {}

  /**
   * Serves the workspaces in which enough clicks wait, or with `takesAll` any. Ends when none are left, or `isEnough`
   * says so. Workspaces take turns step by step, so a busy or failing workspace does not delay the others.
   */
  async run(takesAll: boolean, isEnough: () => boolean = () => false): Promise<void> {
    const waiting = await this.checkpoints.waiting(this.dataSource.manager, takesAll)
    const queue = [
      ...waiting.filter((id) => id > this.servedLast),
      ...waiting.filter((id) => id <= this.servedLast),
    ]
    const failures: unknown[] = []
    for (let next = queue.shift(); next !== undefined && !isEnough(); next = queue.shift()) {
      this.servedLast = next
      try {
        if (await this.step(next)) queue.push(next)
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }

  /** Counts some clicks of one workspace. False when none are left, or another roller has the workspace. */
  step(workspaceId: string): Promise<boolean> {
    return this.dataSource.transaction(async (tx) => {
      if (!(await this.checkpoints.lock(tx, workspaceId))) return false
      const checkpoint = await this.checkpoints.find(tx, workspaceId)
      const { tx: begin, end, step, visitorsFrom, isCaughtUp } = checkpoint
      await allowLongerStatements(tx, backgroundMayTakeMs)
      await tx.query(setPlannerSettings)
      const values = [workspaceId, begin, end, step, this.valuesPerDay, visitorsFrom]
      const [counted] = await run<Counted & object>(tx, countClicks, values)
      const { clicks, lastDay, late } = counted!
      if (clicks === 0) return !isCaughtUp
      for (const day of late ?? []) await recountVisitors(tx, workspaceId, day, { begin, end })
      const keptFrom = new Date(lastDay!.getTime() - visitorDaysKept * dayMs)
      const newVisitorsFrom = await forgetVisitors(tx, workspaceId, visitorsFrom, keptFrom)
      await this.checkpoints.move(tx, workspaceId, { ...checkpoint, visitorsFrom: newVisitorsFrom })
      return !isCaughtUp
    })
  }
}

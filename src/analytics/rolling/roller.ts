/**
 * Takes clicks into the breakdowns in the order of the feed. One rule makes answers exact: clicks before a workspace's
 * place are in the breakdowns, and each query adds those after it. A step is one transaction, which merges clicks and
 * moves the place. So a roller may die at any line, and two of them take turns.
 */
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { EntityManager } from 'typeorm'

import { allowLongerStatements, backgroundMayTakeMs } from '../../platform/database/pg-client.js'
import { run } from '../../platform/database/statements.js'
import { dayMs } from '../../platform/util/days.js'
import { visitorDaysKept } from '../limits.js'
import { Months } from './months.js'
import { type RollingPlace, RollingPlacesRepository } from './rolling-places.repository.js'
import { finishPreparing } from './preparation.js'
import { rollClicks } from './roll-statement.js'
import { RunningSums } from './running-sums.js'
import { forgetVisitors, recountVisitors } from './visitor-counts.js'
import type { LateDay } from './visitor-counts.js'

interface Rolled {
  clicks: number
  firstDay: Date | null
  lastDay: Date | null
  late: LateDay[] | null
}

// The groups of one step fit into this; the default would sort them on disk.
const workMemory = '64MB'

@Injectable()
export class Roller {
  private servedLast = ''

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly places: RollingPlacesRepository,
    private readonly months: Months,
    private readonly sums: RunningSums,
  ) {}

  /**
   * Rolls up the workspaces in which enough clicks wait, or with `takesAll` any. Ends when none are left, or `isEnough`
   * says so. Each has one step in turn, so a busy one holds up nobody, and one that fails does not either.
   */
  async run(takesAll: boolean, isEnough: () => boolean = () => false): Promise<void> {
    const waiting = await this.places.waiting(this.dataSource.manager, takesAll)
    const inTurn = [
      ...waiting.filter((id) => id > this.servedLast),
      ...waiting.filter((id) => id <= this.servedLast),
    ]
    const turns = inTurn.map((workspaceId) => ({ workspaceId, steps: this.stepsOf(workspaceId) }))
    const failures: unknown[] = []
    for (let next = turns.shift(); next !== undefined && !isEnough(); next = turns.shift()) {
      this.servedLast = next.workspaceId
      try {
        const { done } = await next.steps.next()
        if (!done) turns.push(next)
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }

  /** Clicks come first: a month whose clicks still wait would be read and written again with each step. */
  private async *stepsOf(workspaceId: string): AsyncGenerator<void, void> {
    for (const part of [this, this.months, this.sums])
      for (let hasMore = true; hasMore;) {
        hasMore = await part.step(workspaceId)
        yield
      }
  }

  /** Rolls up some clicks of one workspace. False when none are left, or another roller has the workspace. */
  step(workspaceId: string): Promise<boolean> {
    return this.dataSource.transaction(async (tx) => {
      if (!(await this.places.lock(tx, workspaceId))) return false
      const place = await this.places.find(tx, workspaceId)
      await allowLongerStatements(tx, backgroundMayTakeMs)
      await tx.query(`SELECT set_config('work_mem', $1, true)`, [workMemory])
      const rolled = await this.roll(tx, workspaceId, place)
      if (rolled.clicks > 0 || place.preparedAt === null) await this.move(tx, workspaceId, place, rolled)
      return !place.isCaughtUp
    })
  }

  private async roll(tx: EntityManager, workspaceId: string, place: RollingPlace): Promise<Rolled> {
    const { tx: begin, end, monthsUntil, monthsLink, visitorsFrom, sumsUntil } = place
    const values = [workspaceId, begin, end, monthsUntil, monthsLink, visitorsFrom, sumsUntil]
    const [rolled] = await run<Rolled & object>(tx, rollClicks, values)
    return rolled!
  }

  private async move(
    tx: EntityManager,
    workspaceId: string,
    place: RollingPlace,
    rolled: Rolled,
  ): Promise<void> {
    for (const late of rolled.late ?? [])
      await recountVisitors(tx, workspaceId, late, { begin: place.tx, end: place.end })
    const visitorsFrom = await forgetVisitors(
      tx,
      workspaceId,
      place.visitorsFrom,
      rolled.lastDay && new Date(rolled.lastDay.getTime() - visitorDaysKept * dayMs),
    )
    await this.places.move(tx, workspaceId, { ...place, visitorsFrom }, rolled.firstDay)
    if (place.isCaughtUp && place.preparedAt === null) {
      await finishPreparing(tx, workspaceId)
      await this.places.setPrepared(tx, workspaceId)
    }
  }
}

/** Reads what the answers are made from, each part in one statement. */
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import { lowestIdAt } from '../../platform/database/ids.js'
import { run, runLonger } from '../../platform/database/statements.js'
import { dayMs } from '../../platform/util/days.js'
import { grains, timePart } from '../dimensions.js'
import { figuresStatement, placeOf } from './figures-statement.js'
import type { FiguresQuestion } from './figures-statement.js'
import type { TimeRange } from './range.js'
import type { ReadingPlan } from './reading-plan.js'

/** For statements that read clicks. */
const mayTakeMs = 15_000

export interface ClickCount {
  clicks: number
  human: number
}

export interface Figures {
  totals: ClickCount
  rows: (ClickCount & { bucket: number | null; key: string | null })[]
}

/** What must be known before the reading can be planned. */
export interface Context {
  /** Those of the asked links that the workspace has. */
  links: string[]
  isPrepared: boolean
  /** The share of the clicks that is prepared, 0 to 1. */
  progress: number
  monthsUntil: Date | null
  sumsUntil: Date | null
  /** All clicks from this time on can be read one by one. Null when none were ever dropped. */
  keptFrom: Date | null
  /** The first click of the subject. Null unless it is asked for. */
  firstClick: Date | null
  before: ClickCount | null
}

interface DayOfVisitors {
  day: string
  visitors: number
  /** Visitors came after those of the day were forgotten, so the day has to be counted from the clicks. */
  isLate: boolean
}

interface LinkLabel {
  id: string
  slug: string
}

const findContext = {
  name: 'context of analytics',
  text: `
    SELECT coalesce((SELECT array_agg(id) FROM links WHERE id = ANY($2::uuid[]) AND workspace_id = $1 AND deleted_at IS NULL), '{}')
        AS links,
      place.workspace_id IS NULL OR place.prepared_at IS NOT NULL AS "isPrepared",
      CASE WHEN place.goal_tx > place.first_tx
        THEN least(1, (place.tx - place.first_tx)::float8 / (place.goal_tx - place.first_tx)) ELSE 1 END AS progress,
      place.months_until AS "monthsUntil", place.sums_until AS "sumsUntil",
      (SELECT nullif(kept_from, '-infinity') FROM click_retention) AS "keptFrom",
      CASE WHEN $4 THEN least(
        (SELECT at FROM breakdowns WHERE subject = $3 AND part = ${timePart} AND grain = ${grains.day} ORDER BY at LIMIT 1),
        (SELECT min(occurred_at) FROM clicks WHERE workspace_id = $1 AND tx >= ${placeOf} AND ($3 = $1 OR link_id = $3))
      ) END AS "firstClick",
      (SELECT json_build_object('clicks', total, 'human', human) FROM breakdowns
       WHERE subject = $3 AND part = ${timePart} AND grain = ${grains.before}) AS before
    FROM (SELECT 1) AS one LEFT JOIN analytics_places AS place ON place.workspace_id = $1`,
}

/** $1 is the workspace, $2 the subject, $3 and $4 bound the days. $5 is the subject if it is a link, else null. */
const findVisitors = {
  name: 'visitors of days',
  text: `
    WITH newer AS (
      SELECT DISTINCT date_bin('1 day', occurred_at, 'epoch') AS day, visitor FROM clicks
      WHERE workspace_id = $1 AND tx >= ${placeOf} AND NOT bot AND visitor IS NOT NULL
        AND occurred_at >= $3 AND occurred_at < $4 AND ($5::uuid IS NULL OR link_id = $5)
    ), newcomers AS (
      SELECT day, count(*) AS visitors, day < (
        SELECT visitors_from FROM analytics_places WHERE workspace_id = $1
      ) AS late
      FROM newer WHERE NOT EXISTS (
        SELECT FROM counted_visitors AS counted WHERE counted.workspace_id = $1 AND counted.day = newer.day
          AND counted.subject = $2 AND counted.visitor = md5(newer.visitor)::uuid
      )
      GROUP BY day
    )
    SELECT day, sum(visitors)::int AS visitors, coalesce(bool_or(late), false) AS "isLate"
    FROM (
      SELECT day, visitors, late FROM newcomers
      UNION ALL
      SELECT at, visitors, false FROM breakdowns
      WHERE subject = $2 AND part = ${timePart} AND grain = ${grains.day} AND at >= $3 AND at < $4
    ) AS days GROUP BY day`,
}

@Injectable()
export class AnalyticsRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  async context(
    workspaceId: string,
    links: readonly string[],
    subject: string,
    wantsFirst: boolean,
  ): Promise<Context> {
    const [found] = await run<Context & object>(this.dataSource.manager, findContext, [
      workspaceId,
      links,
      subject,
      wantsFirst,
    ])
    return found!
  }

  async figures(question: FiguresQuestion, plan: ReadingPlan): Promise<Figures> {
    const { text, values } = figuresStatement(question, plan)
    const [found] = await runLonger<Figures & object>(this.dataSource, mayTakeMs, { text }, values)
    return found!
  }

  /** The number of visitors on each day of UTC. */
  async visitors(
    workspaceId: string,
    link: string | null,
    { start, end }: TimeRange,
    keptFrom: Date | null,
  ): Promise<Map<number, number>> {
    const values = [workspaceId, link ?? workspaceId, new Date(start), new Date(end), link]
    const days = await runLonger<DayOfVisitors & object>(this.dataSource, mayTakeMs, findVisitors, values)
    const counted = new Map<number, number>()
    for (const { day, visitors, isLate } of days) {
      const time = new Date(day).getTime()
      const isKept = time >= (keptFrom?.getTime() ?? -Infinity)
      counted.set(time, isLate && isKept ? await this.countVisitors(workspaceId, link, time) : visitors)
    }
    return counted
  }

  /** The number of clicks on each day: of the links, or else of all workspaces, because their clicks lie together. */
  async clicksByDay(
    links: readonly string[] | null,
    { start, end }: TimeRange,
  ): Promise<Map<number, number>> {
    const rows: { day: Date; clicks: string }[] = await this.dataSource.query(
      `SELECT at AS day, sum(total) AS clicks FROM breakdowns
       WHERE subject = ANY(coalesce($1::uuid[], ARRAY(SELECT id FROM workspaces)))
         AND part = ${timePart} AND grain = ${grains.day} AND at > $2::timestamptz - interval '1 day' AND at < $3
       GROUP BY at`,
      [links, new Date(start), new Date(end)],
    )
    return new Map(rows.map(({ day, clicks }) => [day.getTime(), Number(clicks)]))
  }

  async labels(ids: readonly string[]): Promise<Map<string, string>> {
    const rows: LinkLabel[] = await this.dataSource.query(
      'SELECT id, slug FROM links WHERE id = ANY($1::uuid[])',
      [ids],
    )
    return new Map(rows.map(({ id, slug }) => [id, slug]))
  }

  private async countVisitors(workspaceId: string, link: string | null, day: number): Promise<number> {
    const [from, to] = [new Date(day), new Date(day + dayMs)]
    const text = `
      SELECT count(DISTINCT visitor)::int AS visitors FROM clicks
      WHERE workspace_id = $1 AND ($2::uuid IS NULL OR link_id = $2) AND NOT bot
        AND occurred_at >= $3 AND occurred_at < $4 AND (id >= $5 AND id < $6 OR ahead)`
    const values = [workspaceId, link, from, to, lowestIdAt(from), lowestIdAt(to)]
    const [row] = await runLonger<{ visitors: number }>(this.dataSource, mayTakeMs, { text }, values)
    return row!.visitors
  }
}

/** Reads the data of a response. One transaction reads everything in the same snapshot. */
import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource, type EntityManager } from 'typeorm'

import type { Caller } from '../../auth/caller.js'
import { lowestIdAt } from '../../platform/database/ids.js'
import { allowLongerStatements } from '../../platform/database/pg-client.js'
import { runStatement } from '../../platform/database/statements.js'
import { dayMs } from '../../platform/util/clock.js'
import { createFiguresStatement } from './figures-statement.js'
import type { FiguresRequest } from './figures-statement.js'
import type { TimeRange } from './range.js'
import type { ReadingPlan } from './reading-plan.js'

/** Timeout of statements that read clicks. */
const timeoutMs = 15_000

export interface ClickCount {
  clicks: number
  human: number
}

export interface Figures {
  totals: ClickCount
  /** Whether some values were not counted separately. */
  isTruncated: boolean
  rows: (ClickCount & { bucket: number | null; key: string | null })[]
}

/** The data that is needed to plan the query. */
export interface Context {
  /** The requested links that the workspace has. */
  links: string[]
  /** Retention has dropped individual clicks before this time. Null if it has not dropped any. */
  keptFrom: Date | null
  /** Time of the subject's first click. Null unless requested. */
  firstClick: Date | null
}

interface DayOfVisitors {
  day: Date
  visitors: number
  /** New visitors arrived after the day's hashes were deleted, so the day must be counted from its clicks. */
  isLate: boolean
}

const findContext = {
  name: 'context of analytics',
  text: `
    SELECT
      coalesce(
        -- The analytics of a workspace also count deleted links.
        (SELECT array_agg(id) FROM links WHERE id = ANY($2::uuid[]) AND workspace_id = $1
           AND (deleted_at IS NULL OR $3 = $1) AND ($5::text[] IS NULL OR tags && $5)), '{}'
      ) AS links,
      (SELECT nullif(kept_from, '-infinity') FROM click_retention) AS "keptFrom",
      CASE WHEN $4 AND ($5 IS NULL OR $3 <> $1) THEN least(
        (SELECT day FROM click_days WHERE subject = $3 ORDER BY day LIMIT 1),
        (SELECT min(occurred_at) FROM clicks
         WHERE workspace_id = $1 AND ($3 = $1 OR link_id = $3)
           AND tx >= coalesce((SELECT tx FROM analytics_places WHERE workspace_id = $1), 0))
      ) WHEN $4 THEN (
        SELECT least(
          min((SELECT day FROM click_days WHERE subject = link.id ORDER BY day LIMIT 1)),
          min((SELECT min(occurred_at) FROM clicks
               WHERE link_id = link.id AND tx >= coalesce((SELECT tx FROM analytics_places WHERE workspace_id = $1), 0)))
        )
        FROM links AS link WHERE workspace_id = $1 AND tags && $5 AND deleted_at IS NULL
      ) END AS "firstClick"`,
}

/** $1 is the workspace, $2 the subject, $3 to $4 the range of days, $5 the subject if it is a link, else null. */
const findVisitors = {
  name: 'visitors of days',
  text: `
    WITH newer AS (
      SELECT DISTINCT date_bin('1 day', occurred_at, 'epoch') AS day, visitor FROM clicks
      WHERE workspace_id = $1 AND tx >= coalesce((SELECT tx FROM analytics_places WHERE workspace_id = $1), 0)
        AND NOT bot AND visitor IS NOT NULL
        AND occurred_at >= $3 AND occurred_at < $4 AND ($5::uuid IS NULL OR link_id = $5)
    ), new_visitors AS (
      SELECT day, count(*) AS visitors,
        day < (SELECT visitors_from FROM analytics_places WHERE workspace_id = $1) AS is_late
      FROM newer WHERE NOT EXISTS (
        SELECT FROM counted_visitors AS counted WHERE counted.workspace_id = $1 AND counted.day = newer.day
          AND counted.subject = $2 AND counted.visitor = md5(newer.visitor)::uuid
      )
      GROUP BY day
    )
    SELECT day, sum(visitors)::int AS visitors, coalesce(bool_or(is_late), false) AS "isLate"
    FROM (
      SELECT day, visitors, is_late FROM new_visitors
      UNION ALL
      SELECT day, visitors, false FROM click_days WHERE subject = $2 AND day >= $3 AND day < $4
    ) AS days GROUP BY day`,
}

const findTruncatedDays = `
  SELECT DISTINCT other.at AS day FROM click_counts AS other
  WHERE other.subject = ANY($1::uuid[]) AND other.dimension = $2 AND other.grain = 'day' AND other.key = ''
    AND other.at > $3::timestamptz - interval '24 hours' AND other.at < $4
    AND EXISTS (
      SELECT FROM unnest($5::text[]) AS wanted (key)
      WHERE NOT EXISTS (
        SELECT FROM click_counts AS own
        WHERE own.subject = other.subject AND own.dimension = other.dimension AND own.grain = 'day'
          AND own.at = other.at AND own.key = wanted.key OFFSET 0
      )
    )
  ORDER BY day`

const findLastCounted = {
  name: 'last counted click',
  text: `
    SELECT max(at) + interval '15 minutes' AS until FROM unnest($1::uuid[]) AS wanted (subject)
    CROSS JOIN LATERAL (
      SELECT at FROM click_totals WHERE click_totals.subject = wanted.subject ORDER BY at DESC LIMIT 1
    ) AS last`,
}

@Injectable()
export class AnalyticsRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  inSnapshot<Result>(work: (tx: EntityManager) => Promise<Result>): Promise<Result> {
    return this.dataSource.transaction('REPEATABLE READ', async (tx) => {
      await allowLongerStatements(tx, timeoutMs)
      return work(tx)
    })
  }

  async readContext(
    tx: EntityManager,
    { workspaceId, tags }: Pick<Caller, 'workspaceId' | 'tags'>,
    links: readonly string[],
    subject: string,
    needsFirstClick: boolean,
  ): Promise<Context> {
    const values = [workspaceId, links, subject, needsFirstClick, tags]
    const [context] = await runStatement<Context & object>(tx, findContext, values)
    return context!
  }

  /** Returns the UTC days on which one of the values was not counted separately, because there were too many values. */
  async readTruncatedDays(
    tx: EntityManager,
    { workspaceId, links, range }: FiguresRequest,
    dimension: string,
    values: readonly string[],
  ): Promise<number[]> {
    const rows = await runStatement<{ day: Date }>(tx, { text: findTruncatedDays }, [
      links ?? [workspaceId],
      dimension,
      new Date(range.start),
      new Date(range.end),
      values,
    ])
    return rows.map(({ day }) => day.getTime())
  }

  /** Returns the end of the last quarter hour with a counted click. */
  async readCountedUntil(tx: EntityManager, { workspaceId, links }: FiguresRequest): Promise<number> {
    const [row] = await runStatement<{ until: Date | null }>(tx, findLastCounted, [links ?? [workspaceId]])
    return row!.until?.getTime() ?? 0
  }

  async readFigures(tx: EntityManager, request: FiguresRequest, plan: ReadingPlan): Promise<Figures> {
    const { text, values } = createFiguresStatement(request, plan)
    const [figures] = await runStatement<Figures & object>(tx, { text }, values)
    return figures!
  }

  /** Returns the number of visitors on each UTC day. */
  async readVisitorsByDay(
    tx: EntityManager,
    workspaceId: string,
    link: string | null,
    { start, end }: TimeRange,
    keptFrom: Date | null,
  ): Promise<Map<number, number>> {
    const values = [workspaceId, link ?? workspaceId, new Date(start), new Date(end), link]
    const days = await runStatement<DayOfVisitors & object>(tx, findVisitors, values)
    const visitorsByDay = new Map<number, number>()
    for (const { day, visitors, isLate } of days) {
      const time = day.getTime()
      const hasClicks = time >= (keptFrom?.getTime() ?? -Infinity)
      const count = isLate && hasClicks ? await this.countVisitors(tx, workspaceId, link, time) : visitors
      visitorsByDay.set(time, count)
    }
    return visitorsByDay
  }

  /** Returns the number of clicks of the links or the workspace on each UTC day of a range. */
  async countClicksByDay(
    tx: EntityManager,
    { workspaceId, links }: FiguresRequest,
    { start, end }: TimeRange,
  ): Promise<Map<number, number>> {
    const rows: { day: Date; clicks: string }[] = await tx.query(
      `SELECT date_bin('1 day', at, 'epoch') AS day, sum(clicks) AS clicks FROM click_totals
       WHERE subject = ANY($1::uuid[]) AND at > $2::timestamptz - interval '15 minutes' AND at < $3 GROUP BY 1`,
      [links ?? [workspaceId], new Date(start), new Date(end)],
    )
    return new Map(rows.map(({ day, clicks }) => [day.getTime(), Number(clicks)]))
  }

  /** Returns the slugs of links by ID. */
  async readSlugs(tx: EntityManager, ids: readonly string[]): Promise<Map<string, string>> {
    const rows: { id: string; slug: string }[] = await tx.query(
      'SELECT id, slug FROM links WHERE id = ANY($1::uuid[])',
      [ids],
    )
    return new Map(rows.map(({ id, slug }) => [id, slug]))
  }

  private async countVisitors(
    tx: EntityManager,
    workspaceId: string,
    link: string | null,
    day: number,
  ): Promise<number> {
    const [from, to] = [new Date(day), new Date(day + dayMs)]
    const [row]: { visitors: number }[] = await tx.query(
      `SELECT count(DISTINCT visitor)::int AS visitors FROM clicks
       WHERE workspace_id = $1 AND ($2::uuid IS NULL OR link_id = $2) AND NOT bot
         AND occurred_at >= $3 AND occurred_at < $4 AND (id >= $5 AND id < $6 OR ahead)`,
      [workspaceId, link, from, to, lowestIdAt(from), lowestIdAt(to)],
    )
    return row!.visitors
  }
}

/**
 * The statement that reads the figures of a response: stored counts, and the clicks that are not counted yet, in one
 * snapshot. So each click counts once, whatever the roller does at that moment.
 */
import { lowestIdAt } from '../../platform/database/ids.js'
import { keyOf } from '../dimensions.js'
import type { Dimension } from '../dimensions.js'
import type { TimeRange } from './range.js'
import type { ReadingPlan, Segment } from './reading-plan.js'

/** The wanted values of each dimension. Null stands for unknown. */
type Filters = ReadonlyMap<Dimension, readonly (string | null)[]>

export interface FiguresQuestion {
  workspaceId: string
  /** Links whose clicks are counted; null for all of the workspace. */
  links: readonly string[] | null
  range: TimeRange
  buckets: readonly number[] | null
  group: Dimension | null
  /** Links are grouped by their tags. */
  byTag: boolean
  filters: Filters
  /** Only links with one of these tags. */
  tags: readonly string[] | null
  limit: number
}

export function figuresStatement(question: FiguresQuestion, plan: ReadingPlan) {
  const { workspaceId, links, range, buckets, group } = question
  const [dimension = null, ...others] = dimensionsOf(question)
  const dimensionOfKey = others.length > 0 ? group : dimension
  const key = dimensionOfKey === null ? 'NULL' : keyOf(dimensionOfKey)
  const hasUnknown = isUnknownWanted(question, dimensionOfKey)
  const values: unknown[] = [
    workspaceId,
    links ?? [workspaceId],
    links,
    new Date(range.start),
    new Date(range.end),
    buckets?.map((start) => new Date(start)) ?? ['-infinity'],
    dimensionOfKey,
    JSON.stringify(plan.values.map(withDates)),
    JSON.stringify(hasUnknown ? plan.totals.map(withDates) : []),
  ]
  const value = (item: unknown) => `$${values.push(item)}`
  const filters = filterConditions(question, value)
  const raw = plan.raw.flatMap((part) => within(part, value)).join(' OR ') || 'false'
  const wanted = dimensionOfKey === null ? 'true' : keyCondition(question, dimensionOfKey, value)
  const rows = group === null ? rowsByTime : rowsByKey(question, value)
  const text = `
    WITH place AS (
      SELECT coalesce((SELECT tx FROM analytics_places WHERE workspace_id = $1), 0) AS tx
    ), raw AS (
      SELECT occurred_at, ${key} AS key, bot FROM clicks
      WHERE workspace_id = $1 AND ($3::uuid[] IS NULL OR link_id = ANY($3)) AND tx >= (SELECT tx FROM place)
        AND occurred_at >= $4 AND occurred_at < $5 AND ${filters}
      UNION ALL
      SELECT occurred_at, ${key} AS key, bot FROM clicks
      WHERE workspace_id = $1 AND ($3::uuid[] IS NULL OR link_id = ANY($3)) AND tx < (SELECT tx FROM place)
        AND (${raw}) AND ${filters}
    ), stored AS MATERIALIZED (
      SELECT width_bucket(at, $6::timestamptz[]) AS bucket, key, sum(sign * clicks) AS clicks, sum(sign * human) AS human
      FROM json_to_recordset($8) AS segment (grain click_grain, first timestamptz, until timestamptz, sign int)
      CROSS JOIN LATERAL (
        SELECT at, key, clicks, human FROM click_counts
        WHERE subject = ANY($2::uuid[]) AND dimension = $7::click_dimension AND grain = segment.grain
          AND at >= first AND at < until AND ${hasUnknown ? 'true' : wanted}
      ) AS counted
      GROUP BY 1, 2
    ), totals AS (
      SELECT width_bucket(at, $6::timestamptz[]) AS bucket, sum(clicks) AS clicks, sum(human) AS human
      FROM json_to_recordset($9) AS segment (grain text, first timestamptz, until timestamptz)
      CROSS JOIN LATERAL (
        SELECT at, clicks, human FROM click_totals
        WHERE segment.grain = 'quarter' AND subject = ANY($2::uuid[]) AND at >= first AND at < until
        UNION ALL
        SELECT day, clicks, human FROM click_days
        WHERE segment.grain = 'day' AND subject = ANY($2::uuid[]) AND day >= first AND day < until
      ) AS counted
      GROUP BY 1
    ), figures AS (
      SELECT bucket, key, sum(clicks) AS clicks, sum(human) AS human FROM (
        TABLE stored
        UNION ALL
        -- Clicks without a value have no row, so they are the rest of the total.
        SELECT bucket, NULL, clicks, human FROM totals
        UNION ALL
        SELECT bucket, NULL, -sum(clicks), -sum(human) FROM stored GROUP BY bucket
        UNION ALL
        SELECT width_bucket(occurred_at, $6::timestamptz[]), key, count(*), count(*) FILTER (WHERE NOT bot) FROM raw GROUP BY 1, 2
      ) AS every GROUP BY bucket, key
    ), wanted AS (
      SELECT * FROM figures WHERE ${wanted}
    )
    SELECT
      (SELECT json_build_object('clicks', coalesce(sum(clicks), 0), 'human', coalesce(sum(human), 0)) FROM wanted) AS totals,
      (SELECT coalesce(sum(clicks), 0) > 0 FROM wanted WHERE key = '') AS "isTruncated",
      (SELECT coalesce(json_agg(row), '[]') FROM (${rows}) AS row) AS rows`
  return { text, values }
}

const rowsByTime = `
  SELECT bucket, NULL AS key, sum(clicks) AS clicks, sum(human) AS human FROM wanted GROUP BY bucket`

type AddValue = (value: unknown) => string

function rowsByKey({ byTag, limit }: FiguresQuestion, value: AddValue): string {
  return `
  SELECT NULL AS bucket, key, clicks, human FROM ${byTag ? tagged : 'wanted'}
  WHERE clicks > 0 AND key IS DISTINCT FROM '' ORDER BY clicks DESC, key NULLS LAST LIMIT ${value(limit)}`
}

// LIMIT 1 makes the planner look up only the links that were clicked; the workspace may have a million others.
const tagged = `(
    SELECT tag AS key, sum(clicks) AS clicks, sum(human) AS human FROM wanted
    LEFT JOIN LATERAL (
      SELECT tags FROM links WHERE id = wanted.key::uuid AND workspace_id = $1 AND deleted_at IS NULL LIMIT 1
    ) AS link ON true
    LEFT JOIN LATERAL unnest(link.tags) AS tag ON true
    GROUP BY tag
  ) AS tags`

/** Conditions over the columns of a click. */
function filterConditions({ filters, tags }: FiguresQuestion, value: AddValue): string {
  const conditions = [...filters].map(([dimension, wanted]) =>
    dimension === 'link' ? `link_id = ANY(${value(wanted)}::uuid[])` : isWanted(dimension, wanted, value),
  )
  if (tags) conditions.push(`link_id IN (${linksWithTags(value(tags))})`)
  return conditions.join(' AND ') || 'true'
}

/** The condition over the key of a count, by the filters of its dimension. */
function keyCondition({ filters, tags }: FiguresQuestion, dimension: Dimension, value: AddValue): string {
  const wanted = filters.get(dimension)
  // Filters give cities by their names alone.
  const column = dimension === 'city' ? `split_part(key, E'\\t', 3)` : 'key'
  const conditions = wanted ? [isWanted(column, wanted, value)] : []
  if (dimension === 'link' && tags) conditions.push(`key::uuid IN (${linksWithTags(value(tags))})`)
  return conditions.join(' AND ') || 'true'
}

function isUnknownWanted({ filters, tags }: FiguresQuestion, dimension: Dimension | null): boolean {
  const wanted = dimension && filters.get(dimension)
  return wanted ? wanted.includes(null) : !(dimension === 'link' && tags)
}

function isWanted(column: string, wanted: readonly (string | null)[], value: AddValue): string {
  const isOne = `${column} = ANY(${value(wanted.filter((item) => item !== null))}::text[])`
  return wanted.includes(null) ? `(${isOne} OR ${column} IS NULL)` : isOne
}

function linksWithTags(tags: string): string {
  return `SELECT id FROM links WHERE workspace_id = $1 AND tags && ${tags}::text[] AND deleted_at IS NULL`
}

/** IDs begin with the time, so a range of IDs finds the clicks. Those whose clock ran ahead are found separately. */
function within({ start, end }: TimeRange, value: AddValue): string[] {
  const [low, high] = [value(lowestIdAt(new Date(start))), value(lowestIdAt(new Date(end)))]
  const times = `occurred_at >= ${value(new Date(start))} AND occurred_at < ${value(new Date(end))}`
  return [
    `(id >= ${low} AND id < ${high} AND ${times})`,
    `(ahead AND (id < ${low} OR id >= ${high}) AND ${times})`,
  ]
}

function withDates({ grain, start, end, sign }: Segment) {
  return { grain, first: new Date(start), until: new Date(end), sign }
}

export function dimensionsOf({ filters, tags, group }: FiguresQuestion): Dimension[] {
  return [...new Set([...filters.keys(), ...(tags ? (['link'] as const) : []), ...(group ? [group] : [])])]
}

/**
 * Reads the figures of a response: stored counts, and the clicks that are not counted yet. One statement reads both in
 * the same snapshot, so each click counts once even while the roller runs.
 */
import { lowestIdAt } from '../../platform/database/ids.js'
import { keyExpression } from '../dimensions.js'
import type { Dimension } from '../dimensions.js'
import type { TimeRange } from './range.js'
import type { ReadingPlan, Segment } from './reading-plan.js'

/** The filter values of each dimension. Null stands for unknown. */
type Filters = ReadonlyMap<Dimension, readonly (string | null)[]>

/** The orders of groups. */
export const sorts = ['-clicks', '-human'] as const
export type Sort = (typeof sorts)[number]

export interface FiguresRequest {
  workspaceId: string
  /** The links whose clicks are counted. Null for the whole workspace. */
  links: readonly string[] | null
  range: TimeRange
  buckets: readonly number[] | null
  group: Dimension | null
  /** Whether links are grouped by tag. */
  byTag: boolean
  filters: Filters
  /** Only links with one of the tags of each list. Null for all links. */
  tags: readonly (readonly string[])[] | null
  sort: Sort
  limit: number
  /** Whether the caller must not learn how many clicks other links have. */
  isRestricted: boolean
}

/** `OFFSET 0` keeps the planner from joining whole tables instead of looking up each segment in the primary key. */
export function createFiguresStatement(request: FiguresRequest, plan: ReadingPlan) {
  const { workspaceId, links, range, buckets, group } = request
  const [dimension = null, ...others] = usedDimensions(request)
  const dimensionOfKey = others.length > 0 ? group : dimension
  const key = dimensionOfKey === null ? 'NULL' : keyExpression(dimensionOfKey)
  const hasUnknown = includesUnknown(request, dimensionOfKey)
  const values: unknown[] = [
    workspaceId,
    links ?? [workspaceId],
    links,
    new Date(range.start),
    new Date(range.end),
    buckets?.map((start) => new Date(start)) ?? ['-infinity'],
    dimensionOfKey,
    JSON.stringify(plan.values.map(toDatedSegment)),
    JSON.stringify(hasUnknown ? plan.totals.map(toDatedSegment) : []),
  ]
  const value = (item: unknown) => `$${values.push(item)}`
  const filters = createFilterConditions(request, value)
  const raw = plan.raw.flatMap((part) => createTimeConditions(part, value)).join(' OR ') || 'false'
  const keyFilter = dimensionOfKey === null ? 'true' : createKeyCondition(request, dimensionOfKey, value)
  const rows = group === null ? rowsByTime : rowsByKey(request, value)
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
          AND at >= first AND at < until AND ${hasUnknown ? 'true' : keyFilter}
        OFFSET 0
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
        OFFSET 0
      ) AS counted
      GROUP BY 1
    ), figures AS (
      SELECT bucket, key, sum(clicks) AS clicks, sum(human) AS human FROM (
        TABLE stored
        UNION ALL
        -- Clicks without a value have no row. Their number is the total minus all values.
        SELECT bucket, NULL, clicks, human FROM totals
        UNION ALL
        SELECT bucket, NULL, -sum(clicks), -sum(human) FROM stored GROUP BY bucket
        UNION ALL
        SELECT width_bucket(occurred_at, $6::timestamptz[]), key, count(*), count(*) FILTER (WHERE NOT bot) FROM raw GROUP BY 1, 2
      ) AS every GROUP BY bucket, key
    ), wanted AS (
      SELECT * FROM figures WHERE ${keyFilter}
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

function rowsByKey({ byTag, sort, limit }: FiguresRequest, value: AddValue): string {
  return `
  SELECT NULL AS bucket, key, clicks, human FROM ${byTag ? clicksByTag : 'wanted'}
  WHERE clicks > 0 AND key IS DISTINCT FROM '' ORDER BY ${orders[sort]}, key NULLS LAST LIMIT ${value(limit)}`
}

const orders: Record<Sort, string> = { '-clicks': 'clicks DESC', '-human': 'human DESC, clicks DESC' }

// LIMIT 1 makes the planner look up each clicked link instead of scanning all links of the workspace.
const clicksByTag = `(
    SELECT tag AS key, sum(clicks) AS clicks, sum(human) AS human FROM wanted
    LEFT JOIN LATERAL (
      SELECT tags FROM links WHERE id = wanted.key::uuid AND workspace_id = $1 AND deleted_at IS NULL LIMIT 1
    ) AS link ON true
    LEFT JOIN LATERAL unnest(link.tags) AS tag ON true
    GROUP BY tag
  ) AS tags`

/** Returns the filter conditions over the columns of `clicks`. */
function createFilterConditions({ filters, tags }: FiguresRequest, value: AddValue): string {
  const conditions = [...filters].map(([dimension, keys]) =>
    dimension === 'link' ? `link_id = ANY(${value(keys)}::uuid[])` : matchesKeys(dimension, keys, value),
  )
  for (const anyOf of tags ?? []) conditions.push(`link_id IN (${linksWithTags(value(anyOf))})`)
  return conditions.join(' AND ') || 'true'
}

/** Returns the filter condition over the key of a stored count. */
function createKeyCondition(
  { filters, tags }: FiguresRequest,
  dimension: Dimension,
  value: AddValue,
): string {
  const keys = filters.get(dimension)
  // Filters contain only the name of a city.
  const column = dimension === 'city' ? `split_part(key, E'\\t', 3)` : 'key'
  const conditions = keys ? [matchesKeys(column, keys, value)] : []
  if (dimension === 'link')
    for (const anyOf of tags ?? []) conditions.push(`key::uuid IN (${linksWithTags(value(anyOf))})`)
  return conditions.join(' AND ') || 'true'
}

function includesUnknown({ filters, tags }: FiguresRequest, dimension: Dimension | null): boolean {
  const keys = dimension && filters.get(dimension)
  return keys ? keys.includes(null) : !(dimension === 'link' && tags)
}

function matchesKeys(column: string, keys: readonly (string | null)[], value: AddValue): string {
  const matches = `${column} = ANY(${value(keys.filter((key) => key !== null))}::text[])`
  return keys.includes(null) ? `(${matches} OR ${column} IS NULL)` : matches
}

function linksWithTags(tags: string): string {
  return `SELECT id FROM links WHERE workspace_id = $1 AND tags && ${tags}::text[] AND deleted_at IS NULL`
}

/** Finds clicks by their ID, which starts with the time. Clicks whose clock ran ahead need a second condition. */
function createTimeConditions({ start, end }: TimeRange, value: AddValue): string[] {
  const [low, high] = [value(lowestIdAt(new Date(start))), value(lowestIdAt(new Date(end)))]
  const times = `occurred_at >= ${value(new Date(start))} AND occurred_at < ${value(new Date(end))}`
  return [
    `(id >= ${low} AND id < ${high} AND ${times})`,
    `(ahead AND (id < ${low} OR id >= ${high}) AND ${times})`,
  ]
}

function toDatedSegment({ grain, start, end, sign }: Segment) {
  return { grain, first: new Date(start), until: new Date(end), sign }
}

export function usedDimensions({ filters, tags, group }: FiguresRequest): Dimension[] {
  return [...new Set([...filters.keys(), ...(tags ? (['link'] as const) : []), ...(group ? [group] : [])])]
}

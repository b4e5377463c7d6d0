/**
 * The statement that reads the figures of an answer: breakdowns, and the clicks that are not in them, in one snapshot.
 * So each click is counted once, whether the roller takes it at that moment or not.
 */
import { lowestIdAt } from '../../platform/database/ids.js'
import { dayMs } from '../../platform/util/days.js'
import { grains, idOfKey, keyOf, keyOfLink, letterOf, packedPart, partOf, timePart } from '../dimensions.js'
import type { Dimension } from '../dimensions.js'
import type { TimeRange } from './range.js'
import { isWholeDays } from './reading-plan.js'
import type { ReadingPlan, RunningSum, Segment } from './reading-plan.js'

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

/** The first transaction whose clicks are not in the breakdowns of workspace $1. */
export const placeOf = `coalesce((SELECT tx FROM analytics_places WHERE workspace_id = $1), 0)`

// Only the links that were clicked are read, each by its id: the workspace may have a million others. The planner
// guesses too many, and without the limit it would read them all.
const ofTags = `(
    SELECT tag AS key, sum(clicks) AS clicks, sum(human) AS human FROM wanted
    LEFT JOIN LATERAL (
      SELECT tags FROM links WHERE id = ${idOfKey('wanted.key')} AND workspace_id = $1 AND deleted_at IS NULL LIMIT 1
    ) AS link ON true
    LEFT JOIN LATERAL unnest(link.tags) AS tag ON true
    GROUP BY tag
  ) AS tags`

export function figuresStatement(
  question: FiguresQuestion,
  plan: ReadingPlan,
): { text: string; values: unknown[] } {
  const statement = new FiguresStatement(question, plan)
  return { text: statement.text(), values: statement.values }
}

/** Builds the text of the statement. Each part of it appends the values that it names. */
class FiguresStatement {
  readonly values: unknown[]
  private readonly dimension: Dimension | null

  constructor(
    private readonly question: FiguresQuestion,
    private readonly plan: ReadingPlan,
  ) {
    this.values = [question.workspaceId]
    this.dimension = plan.kind === 'rolled' ? plan.dimension : question.group
  }

  text(): string {
    const { group, buckets, limit, byTag } = this.question
    const rows =
      group === null
        ? buckets === null
          ? `SELECT NULL AS bucket, NULL AS key, 0 AS clicks, 0 AS human WHERE false`
          : `SELECT bucket, NULL AS key, sum(clicks) AS clicks, sum(human) AS human FROM wanted GROUP BY bucket`
        : `SELECT NULL AS bucket, key, clicks, human FROM ${byTag ? ofTags : 'wanted'} WHERE clicks > 0
           ORDER BY clicks DESC, key NULLS LAST LIMIT ${limit}`
    return `
      WITH raw AS MATERIALIZED (${this.raw()}), whole AS (
        SELECT bucket, sum(clicks) AS clicks, sum(human) AS human FROM (
          ${this.rolledWhole()}
          SELECT bucket, count(*), count(*) FILTER (WHERE NOT bot) FROM raw GROUP BY bucket
        ) AS figures (bucket, clicks, human) GROUP BY bucket
      ), ${this.dimension === null ? 'wanted AS (TABLE whole)' : this.byKey()}
      SELECT (SELECT json_build_object('clicks', coalesce(sum(clicks), 0), 'human', coalesce(sum(human), 0)) FROM wanted)
          AS totals,
        (SELECT coalesce(json_agg(answer), '[]') FROM (${rows}) AS answer) AS rows`
  }

  /**
   * The figures by the keys of a dimension: the known keys, and the rest of the whole as unknown. There may be hundreds
   * of thousands of entries, so they are grouped once, while the keys still have their letter.
   */
  private byKey(): string {
    const letter = letterOf(this.dimension!)
    return `known AS (
        SELECT bucket, substr(key, 2) AS key, clicks, human FROM (
          SELECT bucket, key, sum(clicks) AS clicks, sum(human) AS human FROM (
            ${this.rolledKeys()}
            SELECT bucket, '${letter}' || key, 1, CASE WHEN bot THEN 0 ELSE 1 END FROM raw WHERE key IS NOT NULL
          ) AS figures (bucket, key, clicks, human) GROUP BY bucket, key
        ) AS keys
      ), wanted AS (
        SELECT bucket, key, clicks, human FROM (
          TABLE known
          UNION ALL
          SELECT whole.bucket, NULL, whole.clicks - coalesce(sum(known.clicks), 0), whole.human - coalesce(sum(known.human), 0)
          FROM whole LEFT JOIN known ON known.bucket = whole.bucket GROUP BY whole.bucket, whole.clicks, whole.human
        ) AS every WHERE ${this.isRolledFilter ? this.keyCondition(this.dimension!, 'key') : 'true'}
      )`
  }

  private get isRolledFilter(): boolean {
    const { filters, tags } = this.question
    return (
      this.plan.kind === 'rolled' &&
      (filters.has(this.dimension!) || (this.dimension === 'link' && tags !== null))
    )
  }

  /** Clicks that are read one by one: the newest ones, the edges, or the whole range. */
  private raw(): string {
    const { range } = this.question
    const columns = `${this.bucketOf('occurred_at')} AS bucket, ${this.dimension ? keyOf(this.dimension) : 'NULL::text'} AS key, bot`
    const select = (conditions: string[]) =>
      `SELECT ${columns} FROM clicks WHERE ${[...this.clickConditions(), ...conditions].join(' AND ')}`
    if (this.plan.kind === 'clicks') return this.within(range).map(select).join(' UNION ALL ')
    const edges = this.plan.edges.flatMap((edge) => this.within(edge))
    return [
      select([`tx >= ${placeOf}`, ...this.times(range)]),
      ...edges.map((edge) => select([`tx < ${placeOf}`, ...edge])),
    ].join(' UNION ALL ')
  }

  private clickConditions(): string[] {
    const { links, filters, tags } = this.question
    const conditions = ['workspace_id = $1']
    if (links) conditions.push(`link_id = ANY(${this.value(links)}::uuid[])`)
    // Keys of breakdowns are filtered later, once they are added up.
    if (this.plan.kind === 'rolled') return conditions
    for (const dimension of filters.keys()) conditions.push(this.keyCondition(dimension, keyOf(dimension)))
    if (tags) conditions.push(`link_id IN (${this.linksWithTags(tags)})`)
    return conditions
  }

  private keyCondition(dimension: Dimension, key: string): string {
    const { filters, tags } = this.question
    const conditions: string[] = []
    const wanted = filters.get(dimension)
    if (wanted) {
      const known = wanted
        .filter((value) => value !== null)
        .map((value) => (dimension === 'link' ? keyOfLink(value) : value))
      // Cities are asked for by their names alone.
      const asked = dimension === 'city' ? `split_part(${key}, E'\\t', 3)` : key
      const isOne = `${asked} = ANY(${this.value(known)}::text[])`
      conditions.push(wanted.includes(null) ? `(${isOne} OR ${key} IS NULL)` : isOne)
    }
    if (dimension === 'link' && tags)
      conditions.push(
        `${key} IN (SELECT encode(uuid_send(id), 'base64') FROM (${this.linksWithTags(tags)}) AS tagged)`,
      )
    return conditions.join(' AND ')
  }

  private linksWithTags(tags: readonly string[]): string {
    return `SELECT id FROM links WHERE workspace_id = $1 AND tags && ${this.value(tags)}::text[] AND deleted_at IS NULL`
  }

  /** Totals of the inner range, from whole days or from their quarters of an hour. */
  private rolledWhole(): string {
    const { buckets } = this.question
    const inner = this.plan.kind === 'rolled' ? this.plan.inner : null
    if (!inner) return ''
    const [from, to] = [this.time(inner.start), this.time(inner.end)]
    const isDays = inner.start % dayMs === 0 && inner.end % dayMs === 0 && isWholeDays(buckets)
    const rows = `FROM breakdowns WHERE subject = ANY(${this.subjects()}::uuid[]) AND part = ${timePart} AND grain = ${grains.day}`
    if (isDays)
      return `SELECT ${this.bucketOf('at')}, sum(total), sum(human) ${rows} AND at >= ${from} AND at < ${to} GROUP BY 1 UNION ALL`
    const firstDay = this.time(Math.floor(inner.start / dayMs) * dayMs)
    return `SELECT ${this.bucketOf('time')}, sum(clicks), sum(human) FROM (
        SELECT at + substr(key, 2)::int * interval '15 minutes' AS time, clicks, human FROM (
          SELECT at, unnest(keys) AS key, unnest(clicks) AS clicks, unnest(humans) AS human ${rows} AND at >= ${firstDay} AND at < ${to}
        ) AS entries
      ) AS quarters WHERE time >= ${from} AND time < ${to} GROUP BY 1 UNION ALL`
  }

  private rolledKeys(): string {
    if (this.plan.kind !== 'rolled' || this.plan.segments.length + this.plan.sums.length === 0) return ''
    const { segments, sums } = this.plan
    const { links } = this.question
    const dimension = this.dimension!
    const part = links ? packedPart : partOf(dimension)
    const letter = links ? `WHERE key ^@ '${letterOf(dimension)}'` : ''
    // In one list of columns PostgreSQL takes arrays apart together, in a fifth of the time of a join with them.
    const rows = [
      ...segments.map((segment) => this.segment(segment, part)),
      ...([1, -1] as const).flatMap((sign) => this.sums(sums, sign, part)),
    ]
    return `SELECT bucket, key, sign * clicks, sign * human FROM (
        SELECT bucket, sign, unnest(keys) AS key, unnest(counts) AS clicks, unnest(humans) AS human FROM (
          ${rows.join(' UNION ALL ')}
        ) AS rows
      ) AS entries ${letter} UNION ALL`
  }

  private segment({ grain, start, end }: Segment, part: number): string {
    return `SELECT ${this.bucketOf('at')} AS bucket, 1 AS sign, keys, clicks AS counts, humans FROM breakdowns
      WHERE subject = ANY(${this.subjects()}::uuid[]) AND part = ${part} AND grain = ${grains[grain]}
        AND at >= ${this.time(start)} AND at < ${this.time(end)}`
  }

  private sums(sums: readonly RunningSum[], sign: RunningSum['sign'], part: number): string[] {
    const days = sums.filter((sum) => sum.sign === sign).map(({ day }) => new Date(day))
    if (days.length === 0) return []
    return [
      `SELECT 1 AS bucket, ${sign} AS sign, keys, clicks AS counts, humans FROM breakdowns
      WHERE subject = $1 AND part = ${part} AND grain = ${grains.sum} AND at = ANY(${this.value(days)}::timestamptz[])`,
    ]
  }

  private subjects(): string {
    return this.value(this.question.links ?? [this.question.workspaceId])
  }

  /** Which piece of the series a time falls into, from 1 on. */
  private bucketOf(time: string): string {
    const { buckets } = this.question
    if (buckets === null) return '1'
    return `width_bucket(${time}, ${this.value(buckets.map((start) => new Date(start)))}::timestamptz[])`
  }

  /** Ids begin with the time, so a range of ids finds the clicks. Those whose clock ran ahead are looked for apart. */
  private within(range: TimeRange): string[][] {
    const low = this.value(lowestIdAt(new Date(range.start)))
    const high = this.value(lowestIdAt(new Date(range.end)))
    const times = this.times(range)
    return [
      [`id >= ${low}`, `id < ${high}`, ...times],
      ['ahead', `(id < ${low} OR id >= ${high})`, ...times],
    ]
  }

  private times({ start, end }: TimeRange): string[] {
    return [`occurred_at >= ${this.time(start)}`, `occurred_at < ${this.time(end)}`]
  }

  private time(time: number): string {
    return `${this.value(new Date(time))}::timestamptz`
  }

  private value(value: unknown): string {
    return `$${this.values.push(value)}`
  }
}

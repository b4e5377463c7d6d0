/** Counts recorded clicks one by one, and compares the result with an analytics response. */
import type { NewClick } from '../../src/clicks/click.entity.js'
import { encodeId } from '../../src/platform/database/ids.js'
import { dayMs } from './click-world.js'
import type { ClickWorld } from './click-world.js'

type Parameters = [name: string, value: string][]

const columns: Record<string, keyof NewClick> = {
  country: 'country',
  region: 'region',
  city: 'city',
  referrer_host: 'referrerHost',
  browser: 'browser',
  os: 'os',
  device: 'device',
  language: 'language',
  utm_source: 'utmSource',
  utm_medium: 'utmMedium',
  utm_campaign: 'utmCampaign',
  utm_term: 'utmTerm',
  utm_content: 'utmContent',
}
export const dimensions = [...Object.keys(columns), 'source', 'link', 'tag']

/** Returns the values of a click that filters apply to. */
function getFilterValues(world: ClickWorld, click: NewClick, dimension: string): (string | null)[] {
  if (dimension === 'source') return [click.source ?? 'link']
  if (dimension === 'link_id' || dimension === 'link') return [encodeId('lnk', click.linkId)]
  if (dimension === 'tag') return world.getTags(click)
  return [click[columns[dimension]!] as string | null]
}

/** Returns the labels of the rows that count a click. Cities include their country, because names repeat. */
function getRowLabels(world: ClickWorld, click: NewClick, dimension: string): (string | null)[] {
  if (dimension === 'city')
    return [click.city === null ? null : [click.city, click.country ?? '', click.region ?? ''].join('|')]
  const values = getFilterValues(world, click, dimension)
  return values.length === 0 ? [null] : values
}

function getRowLabel(row: any, dimension: string): string | null {
  return dimension === 'city' && row.key !== null
    ? [row.key, row.country ?? '', row.region ?? ''].join('|')
    : (row.key as string | null)
}

function countClicks(clicks: readonly NewClick[]) {
  return { clicks: clicks.length, human: clicks.filter(({ bot }) => !bot).length }
}

/** Counts visitors, once per day (UTC). */
function countVisitors(clicks: readonly NewClick[]): number {
  const humanClicks = clicks.filter(({ bot, visitor }) => !bot && visitor !== null)
  return new Set(
    humanClicks.map(({ occurredAt, visitor }) => `${Math.floor(occurredAt.getTime() / dayMs)} ${visitor}`),
  ).size
}

const within = (clicks: readonly NewClick[], start: number, end: number) =>
  clicks.filter(({ occurredAt }) => occurredAt.getTime() >= start && occurredAt.getTime() < end)

const isWholeDays = (start: number, end: number) => start % dayMs === 0 && end % dayMs === 0

/** Fails with the difference if the response is wrong. */
export function expectSameCount(
  world: ClickWorld,
  link: string | null,
  parameters: Parameters,
  response: any,
): void {
  const { meta, totals, data, other } = response
  const [start, end] = [Date.parse(meta.start), Date.parse(meta.end)]
  const filters = new Map<string, (string | null)[]>()
  for (const [name, value] of parameters)
    if (name === 'link_id' || (dimensions.includes(name) && name !== 'link'))
      filters.set(name, [...(filters.get(name) ?? []), value === '' ? null : value])
  const matching = world.clicks.filter(
    (click) =>
      (link === null || encodeId('lnk', click.linkId) === link) &&
      [...filters].every(([name, values]) =>
        getFilterValues(world, click, name).some((value) => values.includes(value)),
      ),
  )
  const inRange = within(matching, start, end)
  const links = filters.get('link_id')
  const hasVisitors =
    [...filters.keys()].every((name) => name === 'link_id') &&
    (!links || (link === null && new Set(links).size === 1))
  const expectedVisitors = (from: number, to: number) =>
    hasVisitors && isWholeDays(from, to) ? countVisitors(within(matching, from, to)) : null
  expect(totals).toEqual({ ...countClicks(inRange), visitors: expectedVisitors(start, end) })
  if (meta.group_by === 'time') {
    const starts: number[] = data.map((row: any) => Date.parse(row.start))
    const expected = starts.map((from, i) => {
      const [low, high] = [Math.max(from, start), Math.min(starts[i + 1] ?? end, end)]
      return {
        start: new Date(from).toISOString(),
        ...countClicks(within(matching, low, high)),
        visitors: expectedVisitors(low, high),
      }
    })
    expect(data).toEqual(expected)
    expect(starts[0]).toBeLessThanOrEqual(start)
    expect(meta.truncated).toBe(false)
  } else if (meta.truncated) expectPartOfGroups(world, inRange, meta.group_by, data, other)
  else if (meta.group_by) expectGroups(world, inRange, meta.group_by, data, other, parameters)
}

/** On some days, rare values are counted in `other`. */
function expectPartOfGroups(
  world: ClickWorld,
  clicks: readonly NewClick[],
  group: string,
  data: any[],
  other: any,
): void {
  expect(['source', 'link', 'tag']).not.toContain(group)
  for (const row of data) {
    const key = getRowLabel(row, group)
    const most = countClicks(clicks.filter((click) => getRowLabels(world, click, group).includes(key)))
    expect(row.clicks).toBeLessThanOrEqual(most.clicks)
    expect(row.human).toBeLessThanOrEqual(most.human)
    // Clicks without a value are never truncated.
    if (key === null) expect(row).toMatchObject(most)
  }
  expect(sumRows([...data, other])).toEqual(countClicks(clicks))
}

function sumRows(rows: { clicks: number; human: number }[]) {
  return {
    clicks: rows.reduce((sum, { clicks }) => sum + clicks, 0),
    human: rows.reduce((sum, { human }) => sum + human, 0),
  }
}

function expectGroups(
  world: ClickWorld,
  clicks: readonly NewClick[],
  group: string,
  data: any[],
  other: any,
  parameters: Parameters,
): void {
  const groups = new Map<string | null, NewClick[]>()
  for (const click of clicks)
    for (const label of getRowLabels(world, click, group))
      groups.set(label, [...(groups.get(label) ?? []), click])
  const limit = Number(parameters.find(([name]) => name === 'limit')?.[1] ?? 100)
  expect(data).toHaveLength(Math.min(limit, groups.size))
  for (const row of data)
    expect({ key: getRowLabel(row, group), clicks: row.clicks, human: row.human }).toEqual({
      key: getRowLabel(row, group),
      ...countClicks(groups.get(getRowLabel(row, group)) ?? []),
    })
  const shown = data.map(({ clicks: count }) => count as number)
  expect(shown).toEqual(
    [...groups.values()]
      .map(({ length }) => length)
      .sort((a, b) => b - a)
      .slice(0, limit),
  )
  if (group === 'tag') return
  const remaining = clicks.length - shown.reduce((sum, count) => sum + count, 0)
  expect(other?.clicks ?? 0).toBe(remaining)
}

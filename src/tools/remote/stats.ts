/** `link-service stats`: the figures of a workspace or of one link. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { Option } from '@commander-js/extra-typings'
import type { Command } from '@commander-js/extra-typings'
import type { LinkService, QueryOf } from '@link-service/client'

import { plainLine } from '../../platform/util/plain-text.js'
import { withClient, withConnection } from './connection.js'
import { given } from './request-fields.js'
import { printDone } from './remote-output.js'

/** The query for a link also fits the workspace. */
type StatsQuery = QueryOf<'getLinkAnalytics'>

// A screen holds this many rows. Programs get as many as the API gives.
const rowsShown = 20

export function addStatsCommand(program: Command): void {
  withConnection(
    program
      .command('stats')
      .description('Show the clicks of the workspace or of one link')
      .argument('[slug]', 'slug of the link (default: the whole workspace)')
      .option('--last <period>', 'one of 24h, 7d, 30d, 90d, 12mo, all (default: 30d)')
      .option('--by <dimension>', 'time, country, referrer_host, browser and so on (default: time)')
      .option('--timezone <zone>', 'time zone of the days, such as Europe/Berlin (default: UTC)')
      .addOption(new Option('--csv', 'print CSV').conflicts('json')),
    'stats spring --last 7d --by country',
  ).action((slug, options) => {
    const by = options.by ?? 'time'
    const isForPeople = !options.json && !options.csv
    // The service checks these values, and names the wrong ones.
    const query = given({
      interval: options.last ?? '30d',
      group_by: by,
      timezone: options.timezone,
      limit: isForPeople && by !== 'time' ? rowsShown : undefined,
    }) as StatsQuery
    const work = async (client: LinkService) => {
      const figures = await figuresOf(client, slug)
      if (options.csv) return print(await figures.csv(query))
      const found = await figures.get(query)
      printDone(figuresTable(found), found, options)
    }
    return withClient(options, work, { interval: '--last', group_by: '--by' })
  })
}

async function figuresOf({ analytics, links }: LinkService, slug: string | undefined) {
  if (slug === undefined) return analytics
  const { id } = await links.getBySlug(slug)
  return {
    get: (query: StatsQuery) => links.analytics(id, query),
    csv: (query: StatsQuery) => links.analyticsCsv(id, query),
  }
}

function print(stream: ReadableStream<Uint8Array>): Promise<void> {
  return pipeline(Readable.from(stream), process.stdout, { end: false })
}

interface Counts {
  clicks: number
  human: number
  visitors: number | null
}

export interface AnalyticsTable {
  meta: { start: string; end: string; timezone: string; granularity: string | null; group_by?: string | null }
  totals: Counts
  data: (Counts & { start?: string; key?: string | null; slug?: string; country?: string | null })[]
  other: Counts | null
}

const barLength = 40
const longestLabel = 40
const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** The figures for a terminal: a line for each row, with a bar that is as long as its share of the largest. */
export function figuresTable({ meta, totals, data, other }: AnalyticsTable): string {
  const rows = data.map((row) => ({ label: labelOf(row, meta), ...row }))
  if (other) rows.push({ label: '(others)', ...other })
  const most = Math.max(1, ...rows.map(({ clicks }) => clicks))
  const width = Math.max(0, ...rows.map(({ label }) => label.length))
  const digits = number(most).length
  const lines = rows.map(({ label, clicks }) =>
    `  ${label.padEnd(width)}  ${number(clicks).padStart(digits)}  ${bar(clicks / most)}`.trimEnd(),
  )
  // The period ends just before `meta.end`.
  const [first, last] = [Date.parse(meta.start), Date.parse(meta.end) - 1].map((time) =>
    dayIn(meta.timezone, time),
  )
  return [`${first} to ${last}, ${meta.timezone}: ${sumOf(totals)}`, ...lines].join('\n')
}

function sumOf({ clicks, human, visitors }: Counts): string {
  const people = visitors === null ? '' : `, ${number(visitors)} ${visitors === 1 ? 'visitor' : 'visitors'}`
  return `${number(clicks)} ${clicks === 1 ? 'click' : 'clicks'}, ${number(human)} human${people}`
}

function labelOf(
  { start, key, slug, country }: AnalyticsTable['data'][number],
  { timezone, granularity }: AnalyticsTable['meta'],
): string {
  if (start !== undefined) return (granularity === 'hour' ? hourIn : dayIn)(timezone, Date.parse(start))
  const text = slug ?? key ?? '(unknown)'
  return plainLine(country ? `${text}, ${country}` : text, longestLabel)
}

// The Swedish locale writes days and times in the form 2026-01-31 12:00.
function dayIn(timeZone: string, time: number): string {
  return new Intl.DateTimeFormat('sv', { timeZone }).format(time)
}

function hourIn(timeZone: string, time: number): string {
  return new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(time)
}

function number(value: number): string {
  return value.toLocaleString('en')
}

function bar(share: number): string {
  const eighthsLong = Math.round(share * barLength * 8)
  return '█'.repeat(Math.floor(eighthsLong / 8)) + eighths[eighthsLong % 8]!
}

/** `link-service stats`: shows the clicks of a workspace or a link. */
import { Option } from '@commander-js/extra-typings'
import type { Command } from '@commander-js/extra-typings'
import type { LinkService, QueryOf } from '@link-service/client'

import {
  formatOption,
  getOutputFormat,
  jsonOption,
  jsonText,
  outputScreen,
} from '../../platform/command-line/output.js'
import { plainLine } from '../../platform/util/plain-text.js'
import { withConnection } from './connection.js'
import { definedFields } from './request-fields.js'
import type { Output } from './remote-output.js'
import { printOrWatch, withWatch } from './watch.js'

/** The query for a link, which is also valid for the workspace. */
type StatsQuery = QueryOf<'getLinkAnalytics'>

// Limit for terminals. JSON and CSV output has as many rows as the response.
const maxRows = 20

export function addStatsCommand(program: Command): void {
  withWatch(
    withConnection(
      program
        .command('stats')
        .description('Show the human clicks of the workspace or of one link')
        .argument('[slug]', 'slug of the link (default: the whole workspace)')
        .option('--last <period>', 'period: 24h, 7d, 30d, 90d, 12mo or all (default: 30d)')
        .option(
          '--by <dimension>',
          'dimension, such as time, country, referrer_host or browser (default: time)',
        )
        .option('--timezone <zone>', 'time zone of the days, such as Europe/Berlin (default: UTC)')
        .addOption(new Option('--csv', 'the same as --format csv').conflicts(['json', 'format']))
        .addOption(formatOption)
        .addOption(jsonOption),
      'stats spring --last 7d --by country',
    ),
  ).action((slug, options) => {
    const by = options.by ?? 'time'
    const format = options.csv ? 'csv' : getOutputFormat(options)
    // The service validates these values.
    const query = definedFields({
      interval: options.last ?? '30d',
      group_by: by,
      sort: by === 'time' ? undefined : '-human',
      timezone: options.timezone,
      limit: format === 'table' && by !== 'time' ? maxRows : undefined,
    }) as StatsQuery
    const read = async (client: LinkService): Promise<Output> => {
      const figures = await getAnalyticsCalls(client, slug)
      if (format === 'csv') return { text: await readStreamText(await figures.csv(query)) }
      const found = await figures.get(query)
      return { text: format === 'json' ? jsonText(found) : `${figuresTable(found, outputScreen().width)}\n` }
    }
    return printOrWatch(options, read, { interval: '--last', group_by: '--by' })
  })
}

async function getAnalyticsCalls({ analytics, links }: LinkService, slug: string | undefined) {
  if (slug === undefined) return analytics
  const { id } = await links.getBySlug(slug)
  return {
    get: (query: StatsQuery) => links.analytics(id, query),
    csv: (query: StatsQuery) => links.analyticsCsv(id, query),
  }
}

function readStreamText(stream: ReadableStream<Uint8Array>): Promise<string> {
  return new Response(stream).text()
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

const maxBarLength = 40
const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/**
 * Formats figures: the human clicks of each row, with a bar relative to the largest row. Labels are never shortened.
 * The bars are shorter in a narrow terminal.
 */
export function figuresTable(
  { meta, totals, data, other }: AnalyticsTable,
  screenWidth: number | null,
): string {
  const rows = data.map((row) => ({ label: formatRowLabel(row, meta), ...row }))
  if (other) rows.push({ label: '(others)', ...other })
  const most = Math.max(1, ...rows.map(({ human }) => human))
  const width = Math.max(0, ...rows.map(({ label }) => label.length))
  const digits = number(most).length
  const available = screenWidth === null ? maxBarLength : screenWidth - width - digits - '      '.length
  const barLength = Math.max(0, Math.min(maxBarLength, available))
  const lines = rows.map(({ label, human }) =>
    `  ${label.padEnd(width)}  ${number(human).padStart(digits)}  ${bar(human / most, barLength)}`.trimEnd(),
  )
  // `meta.end` is exclusive.
  const [first, last] = [Date.parse(meta.start), Date.parse(meta.end) - 1].map((time) =>
    dayIn(meta.timezone, time),
  )
  return [`${first} to ${last}, ${meta.timezone}: ${formatTotals(totals)}`, ...lines].join('\n')
}

function formatTotals({ clicks, human, visitors }: Counts): string {
  return [
    ...(visitors === null ? [] : [counted(visitors, 'visitor')]),
    counted(human, 'human click'),
    counted(clicks - human, 'bot'),
  ].join(', ')
}

function counted(count: number, noun: string): string {
  return `${number(count)} ${noun}${count === 1 ? '' : 's'}`
}

function formatRowLabel(
  { start, key, slug, country }: AnalyticsTable['data'][number],
  { timezone, granularity }: AnalyticsTable['meta'],
): string {
  if (start !== undefined) return (granularity === 'hour' ? hourIn : dayIn)(timezone, Date.parse(start))
  const text = slug ?? key ?? '(unknown)'
  return plainLine(country ? `${text}, ${country}` : text, Infinity)
}

// The Swedish locale formats times as 2026-01-31 12:00.
function dayIn(timeZone: string, time: number): string {
  return new Intl.DateTimeFormat('sv', { timeZone }).format(time)
}

function hourIn(timeZone: string, time: number): string {
  return new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(time)
}

function number(value: number): string {
  return value.toLocaleString('en')
}

function bar(share: number, fullLength: number): string {
  const length = Math.round(share * fullLength * 8)
  return '█'.repeat(Math.floor(length / 8)) + eighths[length % 8]!
}

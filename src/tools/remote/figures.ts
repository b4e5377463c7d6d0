/** Figures for a terminal: a line for each row, with a bar that is as long as its share of the largest. */
import { plainLine } from '../../platform/outbound/safe-text.js'

interface Counts {
  clicks: number
  human: number
  visitors: number | null
}

export interface Figures {
  meta: { start: string; end: string; timezone: string; granularity: string | null; group_by?: string | null }
  totals: Counts
  data: (Counts & { start?: string; key?: string | null; slug?: string; country?: string | null })[]
  other: Counts | null
  before: Counts | null
}

const barLength = 40
const longestLabel = 40
const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

export function figuresTable({ meta, totals, data, other, before }: Figures): string {
  const rows = data.map((row) => ({ label: labelOf(row, meta.granularity), ...row }))
  if (other) rows.push({ label: '(others)', ...other })
  if (before) rows.push({ label: '(from before)', ...before })
  const most = Math.max(1, ...rows.map(({ clicks }) => clicks))
  const width = Math.max(0, ...rows.map(({ label }) => label.length))
  const digits = number(most).length
  const lines = rows.map(({ label, clicks }) =>
    `  ${label.padEnd(width)}  ${number(clicks).padStart(digits)}  ${bar(clicks / most)}`.trimEnd(),
  )
  return [`${day(meta.start)} to ${day(meta.end)}, ${meta.timezone}: ${sumOf(totals)}`, ...lines].join('\n')
}

function sumOf({ clicks, human, visitors }: Counts): string {
  const people = visitors === null ? '' : `, ${number(visitors)} visitors`
  return `${number(clicks)} ${clicks === 1 ? 'click' : 'clicks'}, ${number(human)} human${people}`
}

function labelOf({ start, key, slug, country }: Figures['data'][number], unit: string | null): string {
  if (start !== undefined) return unit === 'hour' ? start.slice(0, 16).replace('T', ' ') : day(start)
  const text = slug ?? key ?? '(unknown)'
  return plainLine(country ? `${text}, ${country}` : text, longestLabel)
}

function day(time: string): string {
  return time.slice(0, 10)
}

function number(value: number): string {
  return value.toLocaleString('en')
}

function bar(share: number): string {
  const eighthsLong = Math.round(share * barLength * 8)
  return '█'.repeat(Math.floor(eighthsLong / 8)) + eighths[eighthsLong % 8]!
}

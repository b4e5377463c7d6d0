/** The same answer as a table; the first column says what a row is. */
import type { AnalyticsDto, CountsDto } from './analytics.dto.js'

type Cell = string | number | null | undefined

const columns = ['clicks', 'human', 'visitors'] as const

export function csvOf({ meta, totals, previous, data, other, before }: AnalyticsDto): string {
  const labels = labelColumns(meta.group_by)
  const line = (kind: string, counts: CountsDto, label: readonly Cell[] = []) =>
    [kind, ...labels.map((_, index) => label[index]), ...columns.map((column) => counts[column])]
      .map(cell)
      .join(',')
  const rows = [
    ['row', ...labels.map(({ name }) => name), ...columns].join(','),
    ...data.map((row) =>
      line(
        'data',
        row,
        labels.map(({ of }) => row[of]),
      ),
    ),
    ...(other ? [line('other', other)] : []),
    ...(before ? [line('before', before)] : []),
    line('total', totals),
    ...(previous ? [line('previous', previous)] : []),
  ]
  return `${rows.join('\r\n')}\r\n`
}

function labelColumns(group: string | null) {
  if (group === null) return []
  if (group === 'time') return [{ name: 'start', of: 'start' }] as const
  const key = { name: group, of: 'key' } as const
  if (group === 'city')
    return [key, { name: 'country', of: 'country' }, { name: 'region', of: 'region' }] as const
  if (group === 'link')
    return [key, { name: 'slug', of: 'slug' }, { name: 'short_url', of: 'short_url' }] as const
  return [key]
}

/** A cell that begins like a formula would be one in a spreadsheet, and what visitors send may begin so. */
function cell(value: Cell): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

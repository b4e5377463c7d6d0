import { figuresTable } from './stats.js'
import type { AnalyticsTable } from './stats.js'

const counts = (human: number) => ({ clicks: human + 7, human, visitors: null })
const figures: AnalyticsTable = {
  meta: {
    start: '2026-01-01T00:00:00.000Z',
    end: '2026-01-31T00:00:00.000Z',
    timezone: 'UTC',
    granularity: null,
    group_by: 'country',
  },
  totals: { clicks: 1_250, human: 1_000, visitors: 800 },
  data: [
    { key: 'DE', ...counts(1_000) },
    { key: null, ...counts(200) },
  ],
  other: counts(50),
}

it('shows the human clicks of each row, with proportional bars', () => {
  expect(figuresTable(figures, null).split('\n')).toEqual([
    '2026-01-01 to 2026-01-30, UTC: 800 visitors, 1,000 human clicks, 250 bots',
    `  DE         1,000  ${'█'.repeat(40)}`,
    `  (unknown)    200  ${'█'.repeat(8)}`,
    `  (others)      50  ${'█'.repeat(2)}`,
  ])
})

it('shows days and hours in the time zone', () => {
  const meta = { ...figures.meta, start: '2025-12-31T23:00:00.000Z', end: '2026-01-01T23:00:00.000Z' }
  const berlin = { ...figures, other: null, meta: { ...meta, timezone: 'Europe/Berlin', granularity: 'day' } }
  const data = [{ start: meta.start, ...counts(1) }]
  expect(figuresTable({ ...berlin, data }, null)).toMatch(/^2026-01-01 to 2026-01-01, .*\n {2}2026-01-01 /)
  const hourly = { ...berlin, meta: { ...berlin.meta, granularity: 'hour' }, data }
  expect(figuresTable(hourly, null)).toMatch(/\n {2}2026-01-01 00:00 /)
})

it('uses the singular for one visitor, one human click and one bot', () => {
  const totals = { clicks: 2, human: 1, visitors: 1 }
  expect(figuresTable({ ...figures, totals }, null)).toContain('UTC: 1 visitor, 1 human click, 1 bot\n')
})

it('removes control characters from values that visitors sent', () => {
  const data = [{ key: '\u001b[31mred\u0007', ...counts(1) }]
  // eslint-disable-next-line no-control-regex
  expect(figuresTable({ ...figures, data }, null)).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/)
})

it('shortens the bars in a narrow terminal, but not the labels', () => {
  const lines = figuresTable(
    { ...figures, other: null, data: [{ key: 'a'.repeat(60), ...counts(10) }] },
    80,
  ).split('\n')
  expect(lines[1]).toBe(`  ${'a'.repeat(60)}  10  ${'█'.repeat(12)}`)
})

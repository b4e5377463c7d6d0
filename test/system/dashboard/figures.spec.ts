/** Pure functions behind the figures of the dashboard. */
import { formatWhen } from '../../../dashboard/src/app/format.js'
import { ticksUpTo } from '../../../dashboard/src/components/ticks.js'
import { createChartData } from '../../../dashboard/src/clicks/chart-data.js'
import { LiveFeed } from '../../../dashboard/src/pages/link/live-feed.js'
import {
  createBucketPeriod,
  getPreviousPeriodQuery,
  getUtcDays,
  periodFrom,
} from '../../../dashboard/src/api/periods.js'

const minuteMs = 60_000
const counts = (human: number, bots: number) => ({ human, clicks: human + bots, visitors: null })

describe('formatWhen', () => {
  it.each([
    [59.9 * minuteMs, '59m ago'],
    [60 * minuteMs, '1h ago'],
    [59.9 * 1_000, '59s ago'],
    [23.99 * 60 * minuteMs, '23h ago'],
  ])('truncates %d ms to "%s"', (age, text) => {
    const now = Date.UTC(2026, 0, 2, 12)
    expect(formatWhen(new Date(now - age).toISOString(), now)).toBe(text)
  })

  it('shows the year if it differs, and the time of day only for a week', () => {
    const now = new Date(2026, 10, 26, 12).getTime()
    const when = (...date: [number, number, number, number]) =>
      formatWhen(new Date(...date).toISOString(), now)
    expect(when(2027, 1, 24, 5)).toBe('24 Feb 2027')
    expect(when(2026, 10, 28, 5)).toBe('28 Nov, 05:00')
    expect(when(2026, 11, 24, 5)).toBe('24 Dec')
  })
})

describe('createChartData', () => {
  const days = ['01', '02', '03', '04'].map((day) => `2026-01-${day}T00:00:00.000Z`)
  const meta = { start: days[1]!, end: '2026-01-05T00:00:00.000Z', as_of: '2026-01-03T12:00:00.000Z' }
  const data = days.slice(1).map((start, index) => ({ start, ...counts(10 * index, 1) }))

  it('ends at the bucket in progress', () => {
    const charted = createChartData({ data, meta, earlier: null, firstDay: null }, 'human')
    expect(charted).toEqual({
      starts: days.slice(1, 3),
      ends: days.slice(2, 4),
      values: [0, 10],
      bots: [1, 1],
      before: null,
      isLastInProgress: true,
    })
  })

  it('has no earlier values before the first day with a click', () => {
    const earlier = ['2025-12-30', '2025-12-31', '2026-01-01'].map((day) => ({
      start: `${day}T00:00:00.000Z`,
      ...counts(5, 2),
    }))
    const series = { data, meta, earlier, firstDay: '2025-12-31T00:00:00.000Z' }
    expect(createChartData(series, 'clicks').before).toEqual([null, 7])
    expect(createChartData({ ...series, firstDay: null }, 'clicks').before).toEqual([null, null])
  })
})

describe('ticksUpTo', () => {
  it.each([
    [0, [0, 1, 2, 3, 4]],
    [5, [0, 1, 2, 3, 4, 5]],
    [103, [0, 50, 100, 150]],
    [340, [0, 100, 200, 300, 400]],
  ])('labels the top of an axis up to %d', (most, ticks) => {
    expect(ticksUpTo(most)).toEqual(ticks)
    expect(ticksUpTo(ticks.at(-1)!)).toEqual(ticks)
  })
})

describe('periods', () => {
  it('accepts two dates or two hours', () => {
    const parse = (query: string) => periodFrom(new URLSearchParams(query))
    expect(parse('from=2026-01-01&to=2026-01-02')).toEqual({ from: '2026-01-01', to: '2026-01-02' })
    expect(parse('from=2026-01-01T08&to=2026-01-01T11')).toEqual({
      from: '2026-01-01T08',
      to: '2026-01-01T11',
    })
    expect(parse('from=2026-01-01&to=2026-01-01T11')).toBe('30d')
    expect(parse('from=2026-01-01T24&to=2026-01-02T03')).toBe('30d')
  })

  it('returns the period of selected buckets', () => {
    const range = { start: new Date(2026, 0, 1, 8), end: new Date(2026, 0, 1, 12) }
    expect(createBucketPeriod(range, 'hour')).toEqual({ from: '2026-01-01T08', to: '2026-01-01T11' })
    const days = { start: new Date(2026, 0, 1), end: new Date(2026, 0, 4) }
    expect(createBucketPeriod(days, 'day')).toEqual({ from: '2026-01-01', to: '2026-01-03' })
  })

  it('compares hours with as many hours before', () => {
    const hours = { from: '2026-01-01T08', to: '2026-01-01T11' }
    expect(getPreviousPeriodQuery(hours, new Date())).toEqual({
      start: new Date(2026, 0, 1, 4).toISOString(),
      end: new Date(2026, 0, 1, 8).toISOString(),
    })
  })

  it('covers UTC days up to today', () => {
    const now = new Date(2026, 0, 10, 12)
    const day = (at: Date) => at.toISOString().slice(0, 10)
    const { start, end } = getUtcDays('7d', now)
    expect(start).toBe(day(new Date(2026, 0, 4)))
    expect(end).toBe(day(new Date(now.getTime() + 24 * 60 * minuteMs)))
  })
})

describe('LiveFeed', () => {
  const click = (id: string, visitor: string | null, at: number, bot = false) =>
    ({ id, visitor, bot, occurred_at: new Date(at).toISOString() }) as never

  it('counts each human visitor of the last five minutes once', () => {
    const feed = new LiveFeed()
    const now = Date.UTC(2026, 0, 1)
    feed.addRecent([click('4', 'a', now - minuteMs), click('3', 'old', now - 6 * minuteMs)])
    feed.addArrived(click('5', 'a', now), 'c5')
    feed.addArrived(click('6', 'b', now), 'c6')
    feed.addArrived(click('7', 'bot', now, true), 'c7')
    feed.addArrived(click('8', null, now), 'c8')
    expect(feed.countCurrentVisitors(now)).toBe(2)
    expect(feed.countCurrentVisitors(now + 5 * minuteMs)).toBe(0)
  })

  it('counts the clicks of the last minute, up to the number of rows', () => {
    const feed = new LiveFeed()
    const now = Date.UTC(2026, 0, 1)
    feed.addRecent([click('1', 'a', now - minuteMs)])
    feed.addArrived(click('2', 'a', now - 1), 'c2')
    expect(feed.describeLastMinute(now)).toBe('1 click')
    feed.addArrived(click('3', 'bot', now, true), 'c3')
    expect(feed.describeLastMinute(now)).toBe('2 clicks')
    for (let id = 4; id <= 110; id++) feed.addArrived(click(String(id), 'a', now), 'c')
    expect(feed.describeLastMinute(now)).toBe('100+ clicks')
  })

  it('shows a click once that is both recent and new', () => {
    const feed = new LiveFeed()
    feed.addRecent([click('1', 'a', 0)])
    feed.addArrived(click('1', 'a', 0), 'c1')
    feed.addArrived(click('2', 'a', 0), 'c2')
    expect(feed.clicks.map(({ id }) => id)).toEqual(['2', '1'])
    expect({ total: feed.total, cursor: feed.cursor }).toEqual({ total: 2, cursor: 'c2' })
  })
})

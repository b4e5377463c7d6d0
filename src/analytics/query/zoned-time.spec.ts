import { hourMs, zonedTime } from './zoned-time.js'
import type { Unit } from './zoned-time.js'

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/Havana',
  'America/Santiago',
  'Africa/Cairo',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Pacific/Apia',
]

/** What the zone's clocks show, as text, so that the code is checked in another way. */
const clocks = new Map(
  zones.map((zone) => [
    zone,
    new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }),
  ]),
)

function shown(zone: string, time: number): { date: string; minute: string } {
  const text = clocks.get(zone)!.format(time)
  return { date: text.slice(0, 10), minute: text.slice(14, 16) }
}

describe.each(zones)('in %s', (name) => {
  const zone = zonedTime(name)!

  it('each day of a year begins with the first minute of its date, and its hours leave no gap', () => {
    const end = Date.parse('2027-01-01T00:00:00Z')
    let next = zone.startOf('day', Date.parse('2026-01-01T00:00:00Z'))
    for (let start = next; start < end; start = next) {
      next = zone.next('day', start)
      expect(shown(name, start).date).not.toBe(shown(name, start - 1000).date)
      expect(shown(name, next - 1000).date).toBe(shown(name, start).date)
      expect(zone.startOf('day', next - 1)).toBe(start)
      if (next - start !== 24 * hourMs) expectHours(start - 24 * hourMs, next)
    }
  })

  function expectHours(from: number, to: number): void {
    for (let start = zone.startOf('hour', from); start < to;) {
      const next = zone.next('hour', start)
      expect(next).toBeGreaterThan(start)
      expect(next - start).toBeLessThanOrEqual(1.5 * hourMs)
      if (next - start === hourMs) expect(shown(name, next).minute).toMatch(/00|30/)
      start = next
    }
  }

  it.each(['week', 'month'] satisfies Unit[])('each %s begins with a day', (unit) => {
    let start = zone.startOf(unit, Date.parse('2025-12-15T12:00:00Z'))
    for (let i = 0; i < 14; i++) {
      expect(zone.startOf('day', start)).toBe(start)
      const day = new Date(`${shown(name, start).date}T00:00:00Z`)
      expect(unit === 'week' ? day.getUTCDay() : day.getUTCDate()).toBe(1)
      start = zone.next(unit, start)
    }
  })
})

it('the day that Samoa left out is not there', () => {
  const zone = zonedTime('Pacific/Apia')!
  const start = zone.startOf('day', Date.parse('2011-12-29T20:00:00Z'))
  expect(shown('Pacific/Apia', start).date).toBe('2011-12-29')
  expect(shown('Pacific/Apia', zone.next('day', start)).date).toBe('2011-12-31')
})

it.each(['', 'Mars/Olympus', '+02:00', 'Europe/Berlin; DROP', 'UTC\n', 'x'.repeat(60)])(
  '%j is no time zone',
  (name) => {
    expect(zonedTime(name)).toBeNull()
  },
)

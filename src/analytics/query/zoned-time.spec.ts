import { hourMs, createZonedTime } from './zoned-time.js'
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

/** Formats local times, as an independent check of the computed times. */
const clocks = new Map(
  zones.map((zone) => [
    zone,
    new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }),
  ]),
)

function localTime(zone: string, time: number): { date: string; minute: string } {
  const text = clocks.get(zone)!.format(time)
  return { date: text.slice(0, 10), minute: text.slice(14, 16) }
}

describe.each(zones)('in %s', (name) => {
  const zone = createZonedTime(name)!

  it('starts each day at the first minute of its date, with hours without gaps', () => {
    const end = Date.parse('2027-01-01T00:00:00Z')
    let next = zone.findStart('day', Date.parse('2026-01-01T00:00:00Z'))
    for (let start = next; start < end; start = next) {
      next = zone.findNextStart('day', start)
      expect(localTime(name, start).date).not.toBe(localTime(name, start - 1000).date)
      expect(localTime(name, next - 1000).date).toBe(localTime(name, start).date)
      expect(zone.findStart('day', next - 1)).toBe(start)
      if (next - start !== 24 * hourMs) expectHours(start - 24 * hourMs, next)
    }
  })

  function expectHours(from: number, to: number): void {
    for (let start = zone.findStart('hour', from); start < to;) {
      const next = zone.findNextStart('hour', start)
      expect(next).toBeGreaterThan(start)
      expect(next - start).toBeLessThanOrEqual(1.5 * hourMs)
      if (next - start === hourMs) expect(localTime(name, next).minute).toMatch(/00|30/)
      start = next
    }
  }

  it.each(['week', 'month'] satisfies Unit[])('starts each %s at the start of a day', (unit) => {
    let start = zone.findStart(unit, Date.parse('2025-12-15T12:00:00Z'))
    for (let i = 0; i < 14; i++) {
      expect(zone.findStart('day', start)).toBe(start)
      const day = new Date(`${localTime(name, start).date}T00:00:00Z`)
      expect(unit === 'week' ? day.getUTCDay() : day.getUTCDate()).toBe(1)
      start = zone.findNextStart(unit, start)
    }
  })
})

it('skips the day that did not exist in Samoa', () => {
  const zone = createZonedTime('Pacific/Apia')!
  const start = zone.findStart('day', Date.parse('2011-12-29T20:00:00Z'))
  expect(localTime('Pacific/Apia', start).date).toBe('2011-12-29')
  expect(localTime('Pacific/Apia', zone.findNextStart('day', start)).date).toBe('2011-12-31')
})

it.each(['', 'Mars/Olympus', '+02:00', 'Europe/Berlin; DROP', 'UTC\n', 'x'.repeat(60)])(
  'returns null for %j, which is not a time zone',
  (name) => {
    expect(createZonedTime(name)).toBeNull()
  },
)

it('keeps the offsets of a zone once, however its name is written', () => {
  expect(createZonedTime('eUrope/berlin')).toBe(createZonedTime('Europe/Berlin'))
  expect(createZonedTime('Etc/UTC')).toBe(createZonedTime('UTC'))
})

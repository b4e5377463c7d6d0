/** Random analytics queries. */
import { dayMs } from './click-world.js'
import type { ClickWorld } from './click-world.js'
import { dimensions, expectSameCount } from './plain-count.js'
import type { Service } from './service.js'

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'America/St_Johns',
]
const intervals = ['24h', '7d', '30d', '90d', '12mo', 'all']
const values: Record<string, string[]> = {
  country: ['DE', 'FR', 'US', ''],
  region: ['DE-BE', 'US-TX', ''],
  city: ['Paris', 'Berlin', 'München', ''],
  referrer_host: ['news.example', 'a.example', ''],
  browser: ['Firefox', 'nobody'],
  device: ['mobile', ''],
  language: ['de-DE', 'en'],
  utm_source: ['a', '"quoted"', 'ä ö', '{x,y}', '\\', ''],
  utm_campaign: ['NULL', "it's", '🌱'],
  source: ['qr', 'link'],
  tag: ['sale', 'mail'],
}

interface RandomQuery {
  link: string | null
  parameters: [string, string][]
}

function randomQuery({ random, links, now, days }: ClickWorld): RandomQuery {
  const link = random.chance(0.4) ? random.pick(links).id : null
  const parameters: [string, string][] = []
  const zone = random.chance(0.4) ? 'UTC' : random.pick(zones)
  if (zone !== 'UTC' || random.chance(0.5)) parameters.push(['timezone', zone])
  const length = addTimeRange()
  const group = random.chance(0.35) ? 'time' : random.chance(0.2) ? null : random.pick(validNames(dimensions))
  if (group) parameters.push(['group_by', group])
  if (group === 'time' && random.chance(0.8))
    parameters.push([
      'granularity',
      random.pick(length > 80 ? ['day', 'week', 'month'] : ['hour', 'day', 'week', 'month']),
    ])
  if (group && group !== 'time' && random.chance(0.4))
    parameters.push(['limit', String(1 + random.nextInteger(5))])
  for (let left = random.pick([0, 0, 0, 1, 1, 2]); left > 0; left--) {
    const name = random.pick(validNames(Object.keys(values)))
    for (let i = random.pick([1, 1, 2]); i > 0; i--) parameters.push([name, random.pick(values[name]!)])
  }
  if (link === null && random.chance(0.2))
    for (let i = random.pick([1, 1, 3]); i > 0; i--) parameters.push(['link_id', random.pick(links).id])
  return { link, parameters }

  function validNames(names: readonly string[]): readonly string[] {
    return link === null ? names : names.filter((name) => name !== 'link' && name !== 'tag')
  }

  /** Adds a range or an interval to the parameters, and returns its length in days. */
  function addTimeRange(): number {
    if (random.chance(0.5)) {
      const interval = random.pick(intervals)
      parameters.push(['interval', interval])
      return { '24h': 1, '7d': 7, '30d': 30, '90d': 90, '12mo': 365, all: days }[interval]!
    }
    const piece = random.pick([dayMs, dayMs / 24, dayMs / 96, 60_000, 1])
    const end = Math.ceil((now + dayMs - random.nextNumber() * days * dayMs) / piece) * piece
    const start = end - Math.ceil((random.nextNumber() ** 2 * days * dayMs) / piece + 1) * piece
    const write = (time: number) =>
      piece === dayMs ? new Date(time).toISOString().slice(0, 10) : new Date(time).toISOString()
    parameters.push(['start', write(start)], ['end', write(end)])
    return (end - start) / dayMs
  }
}

function createPath({ link, parameters }: RandomQuery): string {
  const query = new URLSearchParams(parameters).toString()
  return `/v1/${link === null ? '' : `links/${link}/`}analytics${query && `?${query}`}`
}

/** Sends random queries, and returns how many succeeded. The others need clicks that retention dropped. */
export async function sendRandomQueries(
  service: Service,
  world: ClickWorld,
  seed: number,
  count: number,
): Promise<number> {
  let succeeded = 0
  for (let i = 0; i < count; i++) {
    const query = randomQuery(world)
    const path = createPath(query)
    const { status, body } = await service.call('GET', path)
    try {
      if (status === 422 && body.code === 'range_not_kept') continue
      expect({ status, detail: body.detail }).toEqual({ status: 200, detail: undefined })
      expectSameCount(world, query.link, query.parameters, body)
      succeeded++
    } catch (error) {
      throw new Error(`SEED=${seed} ${path}: ${(error as Error).message}`, { cause: error })
    }
  }
  return succeeded
}

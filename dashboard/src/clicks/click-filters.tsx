/** Analytics filters. They are part of the URL, so a filtered page can be shared. */
import type { AnalyticsQuery } from '../api/click-figures.js'
import { base, place } from '../app/router.js'

export const dimensions = [
  ['country', 'Countries', 'Country'],
  ['referrer_host', 'Referrers', 'Referrer'],
  ['browser', 'Browsers', 'Browser'],
  ['os', 'Operating systems', 'Operating system'],
  ['device', 'Devices', 'Device'],
  ['language', 'Languages', 'Language'],
  ['utm_campaign', 'Campaigns', 'Campaign'],
  ['source', 'Sources', 'Source'],
] as const

export type Dimension = (typeof dimensions)[number][0]

export type ClickFilters = Pick<AnalyticsQuery, Dimension>

/** Reads the filters from the URL query. An empty value means unknown. The service rejects invalid values. */
export function filtersFromUrl(): ClickFilters {
  const { query } = place.value
  return Object.fromEntries(
    dimensions.flatMap(([name]) => (query.has(name) ? [[name, query.getAll(name)]] : [])),
  )
}

/** Returns the URL of the same page with this filter, or without the filters of the dimension if `value` is null. */
export function urlWithFilter(name: Dimension, value: string | null): string {
  const query = new URLSearchParams(place.value.query)
  query.delete(name)
  if (value !== null) query.set(name, value)
  const search = query.toString()
  return base + place.value.path + (search && `?${search}`)
}

export function FilterChips() {
  const filters = filtersFromUrl()
  const active = dimensions.filter(([name]) => filters[name])
  if (active.length === 0) return null
  return (
    <ul class="chips" aria-label="Filters">
      {active.map(([name, , singular]) => (
        <li key={name}>
          <a
            class="chip"
            href={urlWithFilter(name, null)}
            title={`Remove the ${singular.toLowerCase()} filter`}
          >
            {singular}: {filters[name]?.map((value) => labelOf(name, value)).join(' or ')}
            <span aria-hidden="true">×</span>
            <span class="hidden-text">, remove filter</span>
          </a>
        </li>
      ))}
    </ul>
  )
}

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })
const languages = new Intl.DisplayNames('en', { type: 'language', fallback: 'code' })
const countryCode = /^[A-Z]{2}$/
const languageCode = /^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*$/

/** Returns the display name of a value. Values come from visitors, so an invalid code is shown unchanged. */
export function labelOf(dimension: Dimension, key: string | null | undefined): string {
  if (key === null || key === undefined || key === '') return unknown[dimension] ?? 'Unknown'
  if (dimension === 'country' && countryCode.test(key)) return regions.of(key) ?? key
  if (dimension === 'language' && languageCode.test(key)) return nameOfLanguage(key)
  if (dimension === 'source') return { link: 'Link', qr: 'QR code' }[key] ?? key
  return key
}

const unknown: Partial<Record<Dimension, string>> = { referrer_host: 'Direct', utm_campaign: 'None' }

/** A language tag can be well-formed and still invalid. An invalid tag is shown unchanged. */
function nameOfLanguage(tag: string): string {
  try {
    return languages.of(tag) ?? tag
  } catch {
    return tag
  }
}

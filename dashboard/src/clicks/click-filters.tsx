/** The filters of the figures. They are kept in the address, so that it can be sent to others. */
import type { AnalyticsQuery } from '../api/click-figures.js'
import { base, place } from '../app/router.js'

export const dimensions = [
  ['country', 'Countries', 'Country'],
  ['referrer_host', 'Referrers', 'Referrer'],
  ['browser', 'Browsers', 'Browser'],
  ['os', 'Systems', 'System'],
  ['device', 'Devices', 'Device'],
  ['language', 'Languages', 'Language'],
  ['utm_campaign', 'Campaigns', 'Campaign'],
  ['source', 'Link or QR code', 'Source'],
] as const

export type Dimension = (typeof dimensions)[number][0]

export type ClickFilters = Pick<AnalyticsQuery, Dimension>

/** The filters in the address. An empty value stands for unknown. The service refuses values that do not exist. */
export function filtersOfAddress(): ClickFilters {
  const { query } = place.value
  return Object.fromEntries(
    dimensions.flatMap(([name]) => (query.has(name) ? [[name, query.getAll(name)]] : [])),
  )
}

/** The address of the same page with this filter, or without any filter of the dimension. */
export function addressWith(name: Dimension, value: string | null): string {
  const query = new URLSearchParams(place.value.query)
  query.delete(name)
  if (value !== null) query.set(name, value)
  const search = query.toString()
  return base + place.value.path + (search && `?${search}`)
}

export function Chips() {
  const filters = filtersOfAddress()
  const chosen = dimensions.filter(([name]) => filters[name])
  if (chosen.length === 0) return null
  return (
    <ul class="chips" aria-label="Filters">
      {chosen.map(([name, , one]) => (
        <li key={name}>
          <a class="chip" href={addressWith(name, null)} title={`Show every ${one.toLowerCase()} again`}>
            {one}: {filters[name]?.map((value) => labelOf(name, value)).join(' or ')}
            <span aria-hidden="true">×</span>
            <span class="hidden-text">, take this filter away</span>
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

/** The name of a value. Visitors may have sent anything, so a value that is no code is shown as it is. */
export function labelOf(dimension: Dimension, key: string | null | undefined): string {
  if (key === null || key === undefined || key === '') return unknown[dimension] ?? 'unknown'
  if (dimension === 'country' && countryCode.test(key)) return regions.of(key) ?? key
  if (dimension === 'language' && languageCode.test(key)) return nameOfLanguage(key)
  if (dimension === 'source') return { link: 'Link', qr: 'QR code' }[key] ?? key
  return key
}

const unknown: Partial<Record<Dimension, string>> = { referrer_host: 'direct', utm_campaign: 'none' }

/** A tag may have the right form and still be invalid. Then it is shown as it is. */
function nameOfLanguage(tag: string): string {
  try {
    return languages.of(tag) ?? tag
  } catch {
    return tag
  }
}

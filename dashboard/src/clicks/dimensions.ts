/** The dimensions of breakdowns, the cards that show them, and the names of their values. */
import type { AnalyticsQuery, AnalyticsRow } from '../api/click-figures.js'

export const dimensions = [
  ['referrer_host', 'Referrers', 'Referrer'],
  ['utm_campaign', 'Campaigns', 'Campaign'],
  ['utm_source', 'UTM', 'UTM source'],
  ['source', 'Link or QR', 'Source'],
  ['country', 'Countries', 'Country'],
  ['region', 'Regions', 'Region'],
  ['city', 'Cities', 'City'],
  ['browser', 'Browsers', 'Browser'],
  ['os', 'OS', 'Operating system'],
  ['device', 'Devices', 'Device'],
  ['language', 'Languages', 'Language'],
] as const satisfies readonly (readonly [keyof AnalyticsQuery, string, string])[]

export type Dimension = (typeof dimensions)[number][0]

/** Each card has a tab for each dimension. Its name is the URL parameter of the selected tab. */
export const breakdownCards = [
  { name: 'sources', title: 'Sources', shown: ['referrer_host', 'utm_campaign', 'utm_source', 'source'] },
  { name: 'places', title: 'Locations', shown: ['country', 'region', 'city'] },
  { name: 'devices', title: 'Devices', shown: ['browser', 'os', 'device', 'language'] },
] as const satisfies readonly { name: string; title: string; shown: readonly Dimension[] }[]

/** The dimensions that the service records only for visitors, and not for bots. */
export const visitorOnly: ReadonlySet<Dimension> = new Set(['browser', 'os', 'device', 'language'])

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })
const languages = new Intl.DisplayNames('en', {
  type: 'language',
  fallback: 'code',
  languageDisplay: 'standard',
})
const countryCode = /^[A-Z]{2}$/
const regionCode = /^([A-Z]{2})-([A-Z0-9]{1,3})$/
const languageCode = /^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8})*$/
const unknown: Partial<Record<Dimension, string>> = {
  referrer_host: 'Direct',
  utm_campaign: 'None',
  utm_source: 'None',
}

/** Returns the display name of a value. Values come from visitors, so an invalid code is shown unchanged. */
export function getDimensionLabel(dimension: Dimension, key: string | null | undefined): string {
  if (key === null || key === undefined || key === '') return unknown[dimension] ?? 'Unknown'
  if (dimension === 'country') return countryName(key)
  if (dimension === 'region') return formatRegion(key)
  if (dimension === 'language' && languageCode.test(key)) return formatLanguage(key)
  if (dimension === 'source') return { link: 'Link', qr: 'QR code' }[key] ?? key
  return key
}

/** Returns the display name of a row. The row of a city names its country. */
export function getAnalyticsRowLabel(dimension: Dimension, { key, country }: AnalyticsRow): string {
  const label = getDimensionLabel(dimension, key)
  return dimension === 'city' && country ? `${label}, ${countryName(country)}` : label
}

/** Returns the country of a country, region or city. Null for other dimensions. */
export function getRowCountry(dimension: Dimension, { key, country }: AnalyticsRow): string | null {
  if (dimension === 'country') return key ?? null
  if (dimension === 'region') return regionCode.exec(key ?? '')?.[1] ?? null
  return dimension === 'city' ? (country ?? null) : null
}

export function countryName(code: string): string {
  return countryCode.test(code) ? (countries.of(code) ?? code) : code
}

function formatRegion(code: string): string {
  const [, country, region] = regionCode.exec(code) ?? []
  return country === undefined ? code : `${countryName(country)}, ${region}`
}

/** A language tag can be well-formed and still invalid. An invalid tag is shown unchanged. */
function formatLanguage(tag: string): string {
  try {
    return languages.of(tag) ?? tag
  } catch {
    return tag
  }
}

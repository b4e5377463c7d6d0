import { CodeFilter, TextFilter } from '../platform/http/input/text-filter.js'
import { QueryInput } from '../platform/http/input/input.pipe.js'
import type { ClickRow } from './click.entity.js'

const sources: readonly string[] = ['link', 'qr', '']

/** Filters by the fields of a click. Values of one field are joined by OR, fields by AND. */
export class ClickFilters extends QueryInput {
  @CodeFilter(
    'Country code (ISO 3166-1 alpha-2), such as `DE`.',
    /^[A-Z]{2}$/,
    'Must be a two-letter country code in capital letters (ISO 3166), such as DE.',
  )
  country?: string[]

  @TextFilter('Region code (ISO 3166-2), such as `DE-BE`.')
  region?: string[]

  @TextFilter('English name of the city.')
  city?: string[]

  @TextFilter('Host of the referring page.')
  referrer_host?: string[]

  @TextFilter('Name of the browser.')
  browser?: string[]

  @TextFilter('Name of the operating system.')
  os?: string[]

  @TextFilter('Device type: `desktop`, `mobile`, `tablet`, `bot` or `other`.')
  device?: string[]

  @TextFilter('Preferred language (BCP 47), such as `de-CH`.')
  language?: string[]

  @TextFilter('Value of `utm_source`.')
  utm_source?: string[]

  @TextFilter('Value of `utm_medium`.')
  utm_medium?: string[]

  @TextFilter('Value of `utm_campaign`.')
  utm_campaign?: string[]

  @TextFilter('Value of `utm_term`.')
  utm_term?: string[]

  @TextFilter('Value of `utm_content`.')
  utm_content?: string[]

  @TextFilter('Source of the click: the link (`link`) or its QR code (`qr`).', sources)
  source?: string[]
}

const filteredColumns = {
  country: 'country',
  region: 'region',
  city: 'city',
  referrer_host: 'referrerHost',
  browser: 'browser',
  os: 'os',
  device: 'device',
  language: 'language',
  utm_source: 'utmSource',
  utm_medium: 'utmMedium',
  utm_campaign: 'utmCampaign',
  utm_term: 'utmTerm',
  utm_content: 'utmContent',
  source: 'source',
} as const satisfies Record<keyof ClickFilters, keyof ClickRow>

/** Returns a function that tests whether a click matches the filters. An empty value matches unknown values. */
export function clickMatcher(query: ClickFilters, linkId: string | null): (click: ClickRow) => boolean {
  const filters = Object.entries(filteredColumns).flatMap(([name, column]) => {
    const values = query[name as keyof ClickFilters]
    return values ? [{ column, values: new Set(values) }] : []
  })
  return (click) =>
    (linkId === null || click.linkId === linkId) &&
    filters.every(({ column, values }) => values.has(click[column] ?? (column === 'source' ? 'link' : '')))
}

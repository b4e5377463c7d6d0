import { CodeFilter, TextFilter } from '../platform/http/input/text-filter.js'

const sources: readonly string[] = ['link', 'qr', '']

/** Filters by the fields of a click. Values of one field are joined by OR, fields by AND. */
export class ClickFilters {
  @CodeFilter(
    'Only from this country, ISO 3166 with two capital letters.',
    /^[A-Z]{2}$/,
    'Write two capital letters of ISO 3166, such as DE.',
  )
  country?: string[]

  @TextFilter('Only from this region, ISO 3166-2.')
  region?: string[]

  @TextFilter('Only from a city of this name.')
  city?: string[]

  @TextFilter('Only from pages of this host.')
  referrer_host?: string[]

  @TextFilter('Only by this browser.')
  browser?: string[]

  @TextFilter('Only by this operating system.')
  os?: string[]

  @TextFilter('Only by this kind of device: `desktop`, `mobile`, `tablet`, `bot` or `other`.')
  device?: string[]

  @TextFilter('Only with this first language, as BCP 47 writes it, such as `de-CH`.')
  language?: string[]

  @TextFilter('Only with this `utm_source`.')
  utm_source?: string[]

  @TextFilter('Only with this `utm_medium`.')
  utm_medium?: string[]

  @TextFilter('Only with this `utm_campaign`.')
  utm_campaign?: string[]

  @TextFilter('Only with this `utm_term`.')
  utm_term?: string[]

  @TextFilter('Only with this `utm_content`.')
  utm_content?: string[]

  @TextFilter('Only by the link itself (`link`), or by its picture (`qr`).', sources)
  source?: string[]
}

import { TextFilter } from '../platform/http/text-filter.js'

const sources: readonly string[] = ['link', 'qr', '']

/** What clicks are narrowed to by what is known of them: values of one field are joined by or, fields by and. */
export class ClickFilters {
  @TextFilter('Only from this country, ISO 3166 with two letters.', 'DE')
  country?: string[]

  @TextFilter('Only from this region, ISO 3166-2.', 'DE-BE')
  region?: string[]

  @TextFilter('Only from a city of this name.', 'Berlin')
  city?: string[]

  @TextFilter('Only from pages of this host.', 'news.example')
  referrer_host?: string[]

  @TextFilter('Only by this browser.', 'Firefox')
  browser?: string[]

  @TextFilter('Only by this operating system.', 'Linux')
  os?: string[]

  @TextFilter('Only by this kind of device.', 'mobile')
  device?: string[]

  @TextFilter('Only with this first language.', 'de-DE')
  language?: string[]

  @TextFilter('Only with this `utm_source`.', 'newsletter')
  utm_source?: string[]

  @TextFilter('Only with this `utm_medium`.', 'email')
  utm_medium?: string[]

  @TextFilter('Only with this `utm_campaign`.', 'spring')
  utm_campaign?: string[]

  @TextFilter('Only with this `utm_term`.', 'shoes')
  utm_term?: string[]

  @TextFilter('Only with this `utm_content`.', 'banner')
  utm_content?: string[]

  @TextFilter('Only by the link itself (`link`), or by its picture (`qr`).', 'qr', sources)
  source?: string[]
}

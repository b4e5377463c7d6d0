/** Campaign parameters in the query of a destination. */
import { rememberValues } from '../../app/remembered-values.js'

export const campaignParameters = [
  { name: 'utm_source', label: 'Source', example: 'newsletter' },
  { name: 'utm_medium', label: 'Medium', example: 'email' },
  { name: 'utm_campaign', label: 'Campaign', example: 'spring-sale' },
  { name: 'utm_term', label: 'Term', example: 'running shoes' },
  { name: 'utm_content', label: 'Content', example: 'header-link' },
] as const

type CampaignParameter = (typeof campaignParameters)[number]['name']

interface UrlParts {
  path: string
  /** The parameters of the query, as they are encoded in the URL. */
  pairs: string[]
  hash: string
}

/** Splits a URL that may still be incomplete, without changing the encoding of its parts. */
function splitUrl(url: string): UrlParts {
  const [, path = '', query, hash = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(url) ?? []
  return { path, pairs: query ? query.split('&') : [], hash }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

const getParameterName = (pair: string) => decode(pair.split('=', 1)[0] ?? '')

/** Returns the value of a parameter, or '' without it. */
export function campaignValue(url: string, name: CampaignParameter): string {
  const pair = splitUrl(url).pairs.find((each) => getParameterName(each) === name)
  return pair?.includes('=') ? decode(pair.slice(pair.indexOf('=') + 1)) : ''
}

/** Sets a parameter, or removes it if the value is empty. All other parts of the URL stay as they are. */
export function withCampaignValue(url: string, name: CampaignParameter, value: string): string {
  const { path, pairs, hash } = splitUrl(url)
  const at = pairs.findIndex((pair) => getParameterName(pair) === name)
  const before = at === -1 ? pairs : pairs.slice(0, at)
  const after = at === -1 ? [] : pairs.slice(at).filter((pair) => getParameterName(pair) !== name)
  const own = value === '' ? [] : [`${name}=${encodeURIComponent(value)}`]
  const query = [...before, ...own, ...after].join('&')
  return `${path}${query && `?${query}`}${hash}`
}

/** Offers the campaign parameters of a saved destination as suggestions from now on. */
export function rememberCampaign(url: string): void {
  const values = campaignParameters.map(({ name }) => [name, campaignValue(url, name).trim()] as const)
  rememberValues(new Map(values.filter(([, value]) => value !== '')))
}

/** The dimensions by which clicks are counted: the values of the SQL type `click_dimension`. */
export const dimensions = [
  'country',
  'region',
  'city',
  'referrer_host',
  'browser',
  'os',
  'device',
  'language',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'source',
  'link',
] as const

export type Dimension = (typeof dimensions)[number]

/** Separates the country, the region and the name in the key of a city. None of them contains it. */
export const separator = '\t'

/** SQL for the key of a click, over the columns of `clicks`. Null when it is unknown. */
export function keyOf(dimension: Dimension): string {
  if (dimension === 'city')
    return `CASE WHEN city IS NOT NULL THEN concat_ws(E'\\t', coalesce(country, ''), coalesce(region, ''), city) END`
  return dimension === 'link' ? 'link_id::text' : dimension
}

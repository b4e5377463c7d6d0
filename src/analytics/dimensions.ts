/** The dimensions by which clicks are counted. The SQL type `click_dimension` has the same values. */
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

/** Separates country, region and name in the key of a city. */
export const citySeparator = '\t'

/** Returns an SQL expression over the columns of `clicks` for the key of a click. Its value is null if unknown. */
export function keyExpression(dimension: Dimension): string {
  if (dimension === 'city')
    return `CASE WHEN city IS NOT NULL THEN concat_ws(E'\\t', coalesce(country, ''), coalesce(region, ''), city) END`
  return dimension === 'link' ? 'link_id::text' : dimension
}

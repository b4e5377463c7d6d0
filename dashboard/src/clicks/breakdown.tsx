/** Clicks by one dimension. Each row links to the same page, filtered by its value. */
import { getAnalytics } from '../api/click-figures.js'
import type { Analytics, AnalyticsRow } from '../api/click-figures.js'
import { countBots, measureNames } from '../api/click-measures.js'
import type { Measure } from '../api/click-measures.js'
import { getPeriodQuery } from '../api/periods.js'
import type { Period } from '../api/periods.js'
import { useResource } from '../app/resource.js'
import { Bars } from '../components/bars.js'
import type { BarRow } from '../components/bars.js'
import { Empty, Loaded } from '../components/states.js'
import { urlWithFilter } from './click-filters.js'
import type { ClickFilters } from './click-filters.js'
import { getAnalyticsRowLabel, getRowCountry, visitorOnly } from './dimensions.js'
import type { Dimension } from './dimensions.js'
import { getCountryFlag } from './flag.js'
import { preloadWorld, WorldMap } from './world-map.js'

export const maxRows = 8
/** Regions and cities have no map, so their tabs have room for more rows. */
const maxPlaceRows = 18
/** More than the number of countries, so the map is complete. */
const maxCountries = 300
export const refreshMs = 60_000

/** The clicks that a breakdown counts. */
export interface Selection {
  /** Null for the whole workspace. */
  linkId: string | null
  period: Period
  filters: ClickFilters
  measure: Measure
}

/** Returns the part of a query that the measure determines. */
export const getMeasureSort = (measure: Measure) => ({ sort: `-${measure}` }) as const

interface Props {
  selection: Selection
  name: Dimension
  singular: string
}

export function Breakdown({ selection, name, singular }: Props) {
  const { linkId, period, filters, measure } = selection
  const isCountry = name === 'country'
  const shownRows = name === 'region' || name === 'city' ? maxPlaceRows : maxRows
  const showsBots = !visitorOnly.has(name)
  const rows = useResource(
    `clicks by ${name} ${JSON.stringify(selection)}`,
    (signal) => {
      if (isCountry) preloadWorld()
      const query = { ...filters, ...getPeriodQuery(period, new Date()), ...getMeasureSort(measure) }
      const limit = isCountry ? maxCountries : shownRows
      return getAnalytics(linkId, { ...query, group_by: name, limit }, signal)
    },
    { everyMs: refreshMs },
  )
  const toBar = (row: AnalyticsRow): BarRow => {
    const key = row.key ?? ''
    const isFilter = (filters[name] as readonly string[] | undefined)?.includes(key) ?? false
    return {
      key: [key, row.region, row.country].join(),
      label: getAnalyticsRowLabel(name, row),
      icon: getCountryFlag(getRowCountry(name, row)),
      count: row[measure],
      ...(showsBots ? { aside: countBots(row) } : {}),
      isChosen: isFilter,
      href: urlWithFilter(name, isFilter ? null : key),
    }
  }
  return (
    <Loaded from={rows} rows={maxRows}>
      {(analytics) => {
        const shown = analytics.data.filter((row) => row[measure] > 0).slice(0, shownRows)
        if (shown.length === 0) return <Empty title="No clicks in this period" />
        return (
          <>
            {isCountry && (
              <WorldMap counts={countsByCountry(analytics, measure)} unit={measureNames[measure]} />
            )}
            <Bars
              label={singular}
              unit={measureNames[measure]}
              total={analytics.totals[measure]}
              rows={[...shown.map(toBar), ...otherBar(analytics, shown, { measure, showsBots })]}
            />
          </>
        )
      }}
    </Loaded>
  )
}

/** Leaves out clicks from an unknown country. */
function countsByCountry({ data }: Analytics, measure: Measure): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const row of data) if (row.key) counts.set(row.key, row[measure])
  return counts
}

/** Returns the bar of all clicks that are not in a shown row. Empty if there are none. */
function otherBar(
  { totals, meta }: Analytics,
  shown: readonly AnalyticsRow[],
  { measure, showsBots }: { measure: Measure; showsBots: boolean },
): BarRow[] {
  const rest = (count: (row: { clicks: number; human: number }) => number) =>
    shown.reduce((left, row) => left - count(row), count(totals))
  const count = rest((row) => row[measure])
  if (count <= 0) return []
  return [
    {
      key: ' other',
      isOther: true,
      label: meta.truncated ? 'Other, including rare values' : 'Other',
      count,
      ...(showsBots ? { aside: rest(countBots) } : {}),
    },
  ]
}

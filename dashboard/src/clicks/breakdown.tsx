/** Clicks by one dimension. Each row links to the same page, filtered by its value. */
import { getAnalytics } from '../api/click-figures.js'
import type { AnalyticsRow } from '../api/click-figures.js'
import { queryOfPeriod } from '../api/periods.js'
import type { Period } from '../api/periods.js'
import { useResource } from '../app/resource.js'
import { Bars } from '../components/bars.js'
import { Empty, Loaded } from '../components/states.js'
import { labelOf, urlWithFilter } from './click-filters.js'
import type { ClickFilters, Dimension } from './click-filters.js'

const maxRows = 8
export const refreshMs = 60_000

/** Sorts by human clicks, the main column. The service sorts by all clicks. */
const byHumanClicks = (a: AnalyticsRow, b: AnalyticsRow) => b.human - a.human

interface Props {
  /** Null for the whole workspace. */
  linkId: string | null
  period: Period
  filters: ClickFilters
  name: Dimension
  singular: string
}

export function Breakdown({ linkId, period, filters, name, singular }: Props) {
  const rows = useResource(
    `clicks by ${name} ${linkId ?? ''} ${JSON.stringify([period, filters])}`,
    (signal) =>
      getAnalytics(linkId, { ...filters, ...queryOfPeriod(period), group_by: name, limit: maxRows }, signal),
    { everyMs: refreshMs },
  )
  const filterValues: readonly string[] = filters[name] ?? []
  return (
    <Loaded from={rows} rows={maxRows}>
      {({ meta, data, other, totals }) =>
        data.length === 0 ? (
          <Empty title="No clicks yet" />
        ) : (
          <Bars
            label={singular}
            unit="Human"
            total={totals.human}
            rows={[
              ...[...data].sort(byHumanClicks).map(({ key = null, human, clicks }) => ({
                key: key ?? '',
                label: labelOf(name, key),
                count: human,
                aside: clicks - human,
                href: urlWithFilter(name, filterValues.includes(key ?? '') ? null : (key ?? '')),
              })),
              ...(other && other.clicks > 0
                ? [
                    {
                      key: ' other',
                      isOther: true,
                      label: meta.truncated ? 'Other, including rare values' : 'Other',
                      count: other.human,
                      aside: other.clicks - other.human,
                    },
                  ]
                : []),
            ]}
          />
        )
      }
    </Loaded>
  )
}

/** Clicks by one dimension. Each row leads to the same page, narrowed to its value. */
import { getAnalytics } from '../api/click-figures.js'
import type { AnalyticsRow } from '../api/click-figures.js'
import { queryOfPeriod } from '../api/periods.js'
import type { Period } from '../api/periods.js'
import { useResource } from '../app/resource.js'
import { Bars } from '../components/bars.js'
import { Empty, Loaded } from '../components/states.js'
import { addressWith, labelOf } from './click-filters.js'
import type { ClickFilters, Dimension } from './click-filters.js'

const mostRows = 8
export const refreshMs = 60_000

/** Sorts by people, because bots are shown beside them. The service sorts by all clicks. */
const mostPeople = (one: AnalyticsRow, other: AnalyticsRow) => other.human - one.human

interface Props {
  /** Null for the whole workspace. */
  linkId: string | null
  period: Period
  filters: ClickFilters
  name: Dimension
  one: string
}

export function Breakdown({ linkId, period, filters, name, one }: Props) {
  const rows = useResource(
    `clicks by ${name} ${linkId ?? ''} ${JSON.stringify([period, filters])}`,
    (signal) =>
      getAnalytics(linkId, { ...filters, ...queryOfPeriod(period), group_by: name, limit: mostRows }, signal),
    { everyMs: refreshMs },
  )
  const chosen: readonly string[] = filters[name] ?? []
  return (
    <Loaded from={rows} rows={mostRows}>
      {({ meta, data, other, totals }) =>
        data.length === 0 ? (
          <Empty title="Nothing yet" />
        ) : (
          <Bars
            label={one}
            unit="People"
            total={totals.human}
            rows={[
              ...[...data].sort(mostPeople).map(({ key = null, human, clicks }) => ({
                key: key ?? '',
                label: labelOf(name, key),
                count: human,
                aside: clicks - human,
                href: addressWith(name, chosen.includes(key ?? '') ? null : (key ?? '')),
              })),
              ...(other && other.clicks > 0
                ? [
                    {
                      key: ' other',
                      isRest: true,
                      label: meta.truncated ? 'all others, and rare values' : 'all others',
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

/** Clicks of a link over time and by dimension. */
import type { Link } from '@link-service/client'

import { getSeries } from '../../api/click-figures.js'
import { periodFrom } from '../../api/periods.js'
import { useResource } from '../../app/resource.js'
import { place } from '../../app/router.js'
import { Breakdown, refreshMs } from '../../clicks/breakdown.js'
import { dimensions, FilterChips, filtersFromUrl } from '../../clicks/click-filters.js'
import { ClicksChart } from '../../clicks/clicks-chart.js'
import { PeriodPicker } from '../../clicks/period-picker.js'
import { Section } from '../../components/basics.js'
import { Change, Figure } from '../../components/figures.js'
import { ChartPlaceholder, Loaded } from '../../components/states.js'

export function LinkAnalytics({ link }: { link: Link }) {
  const period = periodFrom(place.value.query)
  const filters = filtersFromUrl()
  const series = useResource(
    `link series ${link.id} ${JSON.stringify([period, filters])}`,
    (signal) => getSeries(link.id, period, filters, signal),
    { everyMs: refreshMs },
  )
  const { totals, previous } = series.data ?? {}
  return (
    <>
      <div class="row wrap">
        <PeriodPicker period={period} />
        <FilterChips />
      </div>
      {(series.data !== null || series.error === null) && (
        <div class="figures">
          <Figure
            name="Human clicks"
            value={totals?.human}
            note={totals && <Change now={totals.human} before={previous?.human} />}
          />
          <Figure
            name="Bot clicks"
            value={totals && totals.clicks - totals.human}
            note={
              totals &&
              previous && (
                <Change
                  isNeutral
                  now={totals.clicks - totals.human}
                  before={previous.clicks - previous.human}
                />
              )
            }
          />
          <Figure
            name="All clicks"
            value={totals?.clicks}
            note={totals && <Change now={totals.clicks} before={previous?.clicks} />}
          />
          {typeof totals?.visitors === 'number' && (
            <Figure name="Visitors" value={totals.visitors} note="unique per day" />
          )}
        </div>
      )}
      <Section title="Clicks over time">
        <Loaded from={series} placeholder={<ChartPlaceholder />}>
          {(clicks) => (
            <>
              {clicks.totals.clicks === 0 && (
                <p class="muted">
                  {link.clicks.total === 0
                    ? 'No clicks yet. Share the short URL above.'
                    : 'No clicks in this period. Choose a longer period or remove a filter.'}
                </p>
              )}
              <ClicksChart label="Clicks over time" series={clicks} />
            </>
          )}
        </Loaded>
      </Section>
      {totals?.clicks !== 0 && (
        <div class="columns wide">
          {dimensions.map(([name, title, singular]) => (
            <Section key={name} title={title}>
              <Breakdown linkId={link.id} period={period} filters={filters} name={name} singular={singular} />
            </Section>
          ))}
        </div>
      )}
    </>
  )
}

/** Clicks of a period over time, by link and by dimension. */
import { getSeries } from '../../api/click-figures.js'
import { periodFrom } from '../../api/periods.js'
import { useResource } from '../../app/resource.js'
import { place, queryOf, setQuery } from '../../app/router.js'
import { can } from '../../app/session.js'
import { Breakdown, refreshMs } from '../../clicks/breakdown.js'
import { dimensions, FilterChips, filtersFromUrl } from '../../clicks/click-filters.js'
import { ClicksChart } from '../../clicks/clicks-chart.js'
import { PeriodPicker } from '../../clicks/period-picker.js'
import { A, Section } from '../../components/basics.js'
import { Select } from '../../components/form.js'
import { ChartPlaceholder, Loaded, NotAllowed } from '../../components/states.js'
import { TopLinks } from './top-links.js'

export function PeriodClicks() {
  const period = periodFrom(place.value.query)
  const filters = filtersFromUrl()
  const series = useResource(
    `overview series ${JSON.stringify([period, filters])}`,
    (signal) => getSeries(null, period, filters, signal),
    { everyMs: refreshMs },
  )
  const [name, , singular] = dimensions.find(([each]) => each === queryOf('by')) ?? dimensions[0]
  return (
    <>
      <div class="row wrap">
        <PeriodPicker period={period} />
        <FilterChips />
      </div>
      <Section title="Clicks">
        <Loaded from={series} placeholder={<ChartPlaceholder />}>
          {(clicks) => (
            <>
              {clicks.totals.clicks === 0 && (
                <p class="muted">No clicks in this period. Choose a longer period or share a link.</p>
              )}
              <ClicksChart label="Clicks" series={clicks} />
            </>
          )}
        </Loaded>
      </Section>
      <div class="columns">
        <Section title="Top links" actions={<A to="/links?sort=-clicks">All links</A>}>
          {can('links:read') ? (
            <TopLinks period={period} filters={filters} />
          ) : (
            <NotAllowed scopes={['links:read']} />
          )}
        </Section>
        <Section
          title="Where clicks come from"
          actions={
            <Select
              label="Group by"
              value={name}
              options={dimensions.map(([each, title]) => [each, title] as const)}
              onPick={(value) =>
                setQuery({ by: value === dimensions[0][0] ? null : value }, { replace: true })
              }
            />
          }
        >
          <Breakdown
            key={name}
            linkId={null}
            period={period}
            filters={filters}
            name={name}
            singular={singular}
          />
        </Section>
      </div>
    </>
  )
}

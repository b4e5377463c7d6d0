/** The clicks of a period: over time, by link, and by where they come from. Filters and period live in the address. */
import { getSeries } from '../../api/click-figures.js'
import { periodFrom } from '../../api/periods.js'
import { useResource } from '../../app/resource.js'
import { place, queryOf, setQuery } from '../../app/router.js'
import { can } from '../../app/session.js'
import { Breakdown, refreshMs } from '../../clicks/breakdown.js'
import { Chips, dimensions, filtersOfAddress } from '../../clicks/click-filters.js'
import { ClicksChart } from '../../clicks/clicks-chart.js'
import { PeriodPicker } from '../../clicks/period-picker.js'
import { A, Section } from '../../components/basics.js'
import { Select } from '../../components/form.js'
import { ChartPlace, Loaded, NotAllowed } from '../../components/states.js'
import { TopLinks } from './top-links.js'

export function PeriodClicks() {
  const period = periodFrom(place.value.query)
  const filters = filtersOfAddress()
  const series = useResource(
    `overview series ${JSON.stringify([period, filters])}`,
    (signal) => getSeries(null, period, filters, signal),
    { everyMs: refreshMs },
  )
  const by = dimensions.find(([name]) => name === queryOf('by')) ?? dimensions[0]
  const [name, , one] = by
  return (
    <>
      <div class="row wrap">
        <PeriodPicker period={period} />
        <Chips />
      </div>
      <Section title="Clicks">
        <Loaded from={series} waiting={<ChartPlace />}>
          {(answer) => (
            <>
              {answer.totals.clicks === 0 && (
                <p class="muted">No clicks in this period yet. Share a short link, and they appear here.</p>
              )}
              <ClicksChart label="Clicks" series={answer} />
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
              label="What to tell them apart by"
              value={name}
              options={dimensions.map(([each, title]) => [each, title] as const)}
              onPick={(value) =>
                setQuery({ by: value === dimensions[0][0] ? null : value }, { replace: true })
              }
            />
          }
        >
          <Breakdown key={name} linkId={null} period={period} filters={filters} name={name} one={one} />
        </Section>
      </div>
    </>
  )
}

/** The clicks of a link over time, against the period before, and by what is known of them. */
import type { Link } from '@link-service/client'

import { getSeries, intervalFrom, intervals } from '../../api/analytics.js'
import { useResource } from '../../app/resource.js'
import { queryOf, setQuery } from '../../app/router.js'
import { Section, Tabs } from '../../components/basics.js'
import { ClicksChart } from '../../components/clicks-chart.js'
import { Change, Figure } from '../../components/figures.js'
import { Loaded } from '../../components/states.js'
import { Breakdown, refreshMs } from './breakdown.js'
import { Chips, dimensions, filtersOfAddress } from './click-filters.js'

export function LinkAnalytics({ link }: { link: Link }) {
  const interval = intervalFrom(queryOf('interval'))
  const filters = filtersOfAddress()
  const series = useResource(
    `link series ${link.id} ${interval} ${JSON.stringify(filters)}`,
    (signal) => getSeries(link.id, { ...filters, interval }, signal),
    { everyMs: refreshMs },
  )
  return (
    <>
      <div class="row wrap">
        <Tabs
          label="Period"
          tabs={intervals}
          current={interval}
          onPick={(value) => setQuery({ interval: value }, { replace: true })}
        />
        <Chips />
      </div>
      <Loaded from={series} rows={8}>
        {(answer) => {
          const { totals, previous } = answer
          return (
            <>
              <div class="figures">
                <Figure
                  name="People"
                  value={totals.human}
                  note={<Change now={totals.human} before={previous?.human} />}
                />
                <Figure
                  name="Bots"
                  value={totals.clicks - totals.human}
                  note={
                    previous && (
                      <Change now={totals.clicks - totals.human} before={previous.clicks - previous.human} />
                    )
                  }
                />
                <Figure
                  name="All clicks"
                  value={totals.clicks}
                  note={<Change now={totals.clicks} before={previous?.clicks} />}
                />
                {totals.visitors !== null && (
                  <Figure name="Visitors" value={totals.visitors} note="people, once a day each" />
                )}
              </div>
              <Section title="Clicks over time">
                {totals.clicks === 0 && (
                  <p class="muted">
                    {link.clicks.total === 0
                      ? 'No clicks yet. Share the short address above, and they appear here.'
                      : 'No clicks in this period. Choose a longer one, or take a filter away.'}
                  </p>
                )}
                <ClicksChart label="Clicks over time" series={answer} />
              </Section>
            </>
          )
        }}
      </Loaded>
      <div class="columns">
        {dimensions.map(([name, title, one]) => (
          <Breakdown
            key={name}
            linkId={link.id}
            interval={interval}
            filters={filters}
            name={name}
            title={title}
            one={one}
          />
        ))}
      </div>
    </>
  )
}

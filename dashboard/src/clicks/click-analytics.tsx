/** Clicks of a link or of the workspace in a period: totals, chart and breakdowns. */
import type { ComponentChildren } from 'preact'

import { getSeries } from '../api/click-figures.js'
import { periodFrom } from '../api/periods.js'
import { retryFailed, useResource } from '../app/resource.js'
import { getQueryParameter, place, setQuery } from '../app/router.js'
import { Section } from '../components/basics.js'
import { ChartPlaceholder, Empty, Failure } from '../components/states.js'
import { BreakdownCard } from './breakdown-card.js'
import { refreshMs } from './breakdown.js'
import type { Selection } from './breakdown.js'
import { FilterChips, filtersFromUrl, urlWithoutFilters } from './click-filters.js'
import { ClickTiles } from './click-tiles.js'
import { ClicksChart } from './clicks-chart.js'
import { breakdownCards } from './dimensions.js'
import { includeBots, measureFromUrl } from './measure.js'
import { PeriodPicker } from './period-picker.js'

interface Props {
  /** Null for the whole workspace. */
  linkId: string | null
  /** Shown if there are no clicks in the period. */
  emptyHint: string
  /** A card before the breakdowns. */
  children?: (selection: Selection) => ComponentChildren
}

export function ClickAnalytics({ linkId, emptyHint, children }: Props) {
  const period = periodFrom(place.value.query)
  const [filters, measure] = [filtersFromUrl(), measureFromUrl()]
  const selection = { linkId, period, filters, measure }
  const series = useResource(
    `click series ${JSON.stringify([linkId, period, filters])}`,
    (signal) => getSeries(linkId, period, filters, signal),
    { everyMs: refreshMs },
  )
  const isEmpty = series.data?.totals.clicks === 0
  const card = (name: (typeof breakdownCards)[number]['name']) => (
    <BreakdownCard card={breakdownCards.find((each) => each.name === name)!} selection={selection} />
  )
  return (
    <>
      <div class="row wrap">
        <PeriodPicker period={period} />
        <label class="toggle">
          <input
            type="checkbox"
            role="switch"
            checked={measure === 'clicks'}
            onChange={(event) => includeBots(event.currentTarget.checked)}
          />
          Include bots
        </label>
      </div>
      <FilterChips />
      {series.error !== null && <Failure error={series.error} onRetry={retryFailed} />}
      {(series.data !== null || series.error === null) && (
        <>
          <ClickTiles series={series.data} measure={measure} />
          <Section title="Clicks over time">
            {series.data === null ? (
              <ChartPlaceholder />
            ) : isEmpty ? (
              <NoClicks hint={emptyHint} isFiltered={Object.keys(filters).length > 0} />
            ) : (
              <ClicksChart series={series.data} measure={measure} />
            )}
          </Section>
        </>
      )}
      {!isEmpty && (
        <div class="breakdowns">
          <div class="breakdown-column">
            {children?.(selection)}
            {card('sources')}
            {!children && card('devices')}
          </div>
          <div class="breakdown-column">
            {card('places')}
            {children && card('devices')}
          </div>
        </div>
      )}
    </>
  )
}

/** Instead of an empty chart and empty breakdowns. */
function NoClicks({ hint, isFiltered }: { hint: string; isFiltered: boolean }) {
  return (
    <div class="no-clicks">
      <Empty title="No clicks">{hint}</Empty>
      <div class="row">
        {getQueryParameter('interval') !== '12mo' && (
          <button type="button" onClick={() => setQuery({ interval: '12mo', from: null, to: null })}>
            Show 12 months
          </button>
        )}
        {isFiltered && (
          <a class="button" href={urlWithoutFilters()}>
            Clear filters
          </a>
        )}
      </div>
    </div>
  )
}

/** The totals of a period: clicks, visitors and bots, each with its change. */
import type { ClickSeries } from '../api/click-figures.js'
import { countBots, measureNames } from '../api/click-measures.js'
import type { Measure } from '../api/click-measures.js'
import { formatDays } from '../api/periods.js'
import { formatChange } from '../app/format.js'
import { Change } from '../components/change.js'
import { Figure } from '../components/figures.js'

interface Props {
  /** Null while loading. */
  series: ClickSeries | null
  measure: Measure
}

export function ClickTiles({ series, measure }: Props) {
  const totals = series?.totals
  const previous = series && hasEarlierData(series) ? series.previous : null
  return (
    <div class="figures clicks">
      <Figure
        name={measureNames[measure]}
        value={totals?.[measure]}
        note={totals && <Change now={totals[measure]} before={previous?.[measure] ?? null} />}
      />
      <VisitorsFigure series={series} />
      <Figure
        name="Bots"
        isSmall
        value={totals && countBots(totals)}
        note={
          totals && (
            <>
              <Change isNeutral now={countBots(totals)} before={previous && countBots(previous)} />
              {countBots(totals) > 0 && (
                <span>
                  {measure === 'clicks'
                    ? 'included in all clicks'
                    : `${formatChange(countBots(totals) / totals.clicks)} of all clicks`}
                </span>
              )}
            </>
          )
        }
      />
    </div>
  )
}

function VisitorsFigure({ series }: { series: ClickSeries | null }) {
  if (series === null) return <Figure name="Visitors" value={undefined} />
  if (series.visitors === null)
    return (
      <Figure
        name="Visitors"
        hint="Visitors are counted per UTC day, not per referrer or country."
        value={null}
        note="Not shown with filters"
      />
    )
  const { count, before, days } = series.visitors
  return (
    <Figure
      name="Visitors"
      hint={`Each visitor counts once per UTC day. ${formatDays(days)}.`}
      value={count}
      note={<Change now={count} before={hasEarlierData(series) ? before : null} />}
    />
  )
}

/** Whether there was a click before the period. */
function hasEarlierData({ firstDay, meta }: ClickSeries): boolean {
  return firstDay !== null && firstDay < meta.start
}

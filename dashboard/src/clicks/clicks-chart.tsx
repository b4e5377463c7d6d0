/** Clicks over time, those of the previous period, and bots. */
import { useMemo } from 'preact/hooks'

import type { ClickSeries } from '../api/click-figures.js'
import { measureNames } from '../api/click-measures.js'
import type { Measure } from '../api/click-measures.js'
import { createBucketPeriod } from '../api/periods.js'
import { setQuery } from '../app/router.js'
import { SeriesChart } from '../components/series-chart.js'
import { createChartData } from './chart-data.js'

interface Props {
  series: ClickSeries
  measure: Measure
}

export function ClicksChart({ series, measure }: Props) {
  const { starts, lines, isLastInProgress, zoom } = useMemo(() => {
    const { starts, ends, values, before, bots, isLastInProgress } = createChartData(series, measure)
    const lines = [
      { label: measureNames[measure], values, tone: 'accent' },
      ...(before
        ? [{ label: 'Previous period', values: before, tone: 'muted', isComparison: true } as const]
        : []),
      ...(bots.some((count) => count > 0) ? [{ label: 'Bots', values: bots, tone: 'warn' } as const] : []),
    ] as const
    const zoom = (first: number, last: number) => {
      const [start, end] = [starts[first], ends[last]]
      if (start === undefined || end === undefined || first === last) return
      const range = { start: new Date(start), end: new Date(end) }
      setQuery({ ...createBucketPeriod(range, series.meta.granularity), interval: null })
    }
    return { starts, lines, isLastInProgress, zoom }
  }, [series, measure])
  return (
    <SeriesChart
      label="Clicks over time"
      starts={starts}
      series={lines}
      isLastInProgress={isLastInProgress}
      onSelect={zoom}
    />
  )
}

/** People over time, against the period before, and bots as a line of their own. */
import type { ClickSeries } from '../api/click-figures.js'
import { SeriesChart } from '../components/series-chart.js'

export function ClicksChart({
  label,
  series: { data, peopleBefore },
}: {
  label: string
  series: ClickSeries
}) {
  return (
    <SeriesChart
      label={label}
      starts={data.map(({ start }) => start ?? '')}
      series={[
        { label: 'people', values: data.map(({ human }) => human), tone: 'accent' },
        ...(peopleBefore
          ? [
              {
                label: 'people in the period before',
                values: peopleBefore,
                tone: 'muted',
                isDashed: true,
              } as const,
            ]
          : []),
        { label: 'bots', values: data.map(({ clicks, human }) => clicks - human), tone: 'warn' },
      ]}
    />
  )
}

/** Human clicks over time, those of the previous period, and bot clicks. */
import type { ClickSeries } from '../api/click-figures.js'
import { SeriesChart } from '../components/series-chart.js'

export function ClicksChart({
  label,
  series: { data, humanBefore },
}: {
  label: string
  series: ClickSeries
}) {
  return (
    <SeriesChart
      label={label}
      starts={data.map(({ start }) => start ?? '')}
      series={[
        { label: 'Human clicks', values: data.map(({ human }) => human), tone: 'accent' },
        ...(humanBefore
          ? [
              {
                label: 'Previous period',
                values: humanBefore,
                tone: 'muted',
                isDashed: true,
              } as const,
            ]
          : []),
        { label: 'Bot clicks', values: data.map(({ clicks, human }) => clicks - human), tone: 'warn' },
      ]}
    />
  )
}

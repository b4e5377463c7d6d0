/** The values of a chart at the position of the pointer. */
import type { Signal } from '@preact/signals'

import { formatNumber } from '../app/format.js'
import { Change } from './change.js'
import type { ChartPoint, Series } from './plot.js'

interface Props {
  at: Signal<ChartPoint | null>
  getBucketName: (index: number) => string
  series: readonly Series[]
}

/** Reads the signal itself, so that only the readout is rendered when the pointer moves. */
export function ChartReadout({ at, getBucketName, series }: Props) {
  if (at.value === null) return null
  const { index, left, isInLastHalf } = at.value
  const comparison = series.find(({ isComparison }) => isComparison)
  return (
    <div class={`readout ${isInLastHalf ? 'to-left' : ''}`} style={{ left: `${left}px` }} aria-hidden="true">
      <div class="readout-title">{getBucketName(index)}</div>
      {series.map(({ label, values, tone }) => (
        <div key={label} class="readout-row">
          <i class={`line ${tone}`} />
          <span>{label}</span>
          <b>{values[index] === null ? '–' : formatNumber(values[index] ?? 0)}</b>
        </div>
      ))}
      {comparison && (
        <div class="readout-change">
          <Change now={series[0]?.values[index] ?? 0} before={comparison.values[index] ?? null} isShort />
        </div>
      )}
    </div>
  )
}

/** The values of a chart at the position of the pointer. */
import type { Signal } from '@preact/signals'

import { formatNumber } from '../app/format.js'

export interface ChartPoint {
  index: number
  /** The distance from the left edge of the chart, in pixels. */
  left: number
  isInLastHalf: boolean
}

interface Props {
  at: Signal<ChartPoint | null>
  nameOf: (index: number) => string
  series: readonly {
    label: string
    values: readonly (number | null)[]
    tone: string
    isDashed?: boolean
  }[]
}

/** Reads the signal itself, so that only the readout is rendered when the pointer moves. */
export function ChartReadout({ at, nameOf, series }: Props) {
  if (at.value === null) return null
  const { index, left, isInLastHalf } = at.value
  return (
    <div class={`readout ${isInLastHalf ? 'to-left' : ''}`} style={{ left: `${left}px` }} aria-hidden="true">
      <div class="readout-title">{nameOf(index)}</div>
      {series.map(({ label, values, tone, isDashed = false }) => (
        <div key={label} class="readout-row">
          <i class={`line ${tone} ${isDashed ? 'dashed' : ''}`} />
          <span>{label}</span>
          <b>{formatNumber(values[index] ?? 0)}</b>
        </div>
      ))}
    </div>
  )
}

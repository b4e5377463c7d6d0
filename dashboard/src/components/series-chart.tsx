/** A time series chart on a canvas, with the same values as an accessible table. */
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

import { formatNumber } from '../app/format.js'
import { theme } from '../app/theme.js'
import { bucketName, getCurrentBucketName } from './bucket-names.js'
import { ChartReadout } from './chart-readout.js'
import { drawPlot } from './plot.js'
import type { ChartPoint, Series } from './plot.js'

interface Props {
  label: string
  /** The start of each bucket. */
  starts: readonly string[]
  /** The first series is the main one. */
  series: readonly Series[]
  isLastInProgress: boolean
  /** Called with the first and the last bucket of a selection. */
  onSelect: (first: number, last: number) => void
  height?: number
}

export function SeriesChart({ label, starts, series, isLastInProgress, onSelect, height = 240 }: Props) {
  const holder = useRef<HTMLDivElement>(null)
  const at = useSignal<ChartPoint | null>(null)
  useEffect(() => {
    const element = holder.current
    if (!element) return undefined
    const input = { starts, series, isLastInProgress, height }
    const listeners = { onPoint: (point: ChartPoint | null) => (at.value = point), onSelect }
    let plot = drawPlot(element, input, listeners)
    const resize = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
    resize.observe(element)
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    const redraw = () => {
      plot.destroy()
      plot = drawPlot(element, input, listeners)
    }
    scheme.addEventListener('change', redraw)
    return () => {
      at.value = null
      scheme.removeEventListener('change', redraw)
      resize.disconnect()
      plot.destroy()
    }
    // A chart reads its colors when it is drawn.
  }, [starts, series, isLastInProgress, height, theme.value])

  const getBucketName = (index: number) =>
    bucketName(starts, index) + (isLastInProgress && index === starts.length - 1 ? ', so far' : '')
  return (
    <figure class="chart">
      <ul class="legend" aria-hidden="true">
        {series.map(({ label: name, tone }) => (
          <li key={name}>
            <i class={`line ${tone}`} />
            {name}
          </li>
        ))}
        {isLastInProgress && (
          <li>
            <i class="line dashed" />
            {getCurrentBucketName(starts)}, so far
          </li>
        )}
        <li class="legend-hint">Drag to zoom</li>
      </ul>
      <div class="plot-place">
        <div ref={holder} class="plot" aria-hidden="true" />
        <ChartReadout at={at} getBucketName={getBucketName} series={series} />
      </div>
      <details>
        <summary>Show {label.toLowerCase()} as a table</summary>
        <div class="table-wrap short" role="region" aria-label={`${label} as a table`} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">Start</th>
                {series.map((each) => (
                  <th key={each.label} scope="col" class="num">
                    {each.label}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {starts.map((start, index) => (
                <tr key={start}>
                  <td>{getBucketName(index)}</td>
                  {series.map(({ label: name, values }) => (
                    <td key={name} class="num">
                      {formatOrDash(values[index])}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  )
}

function formatOrDash(value: number | null | undefined): string {
  return typeof value === 'number' ? formatNumber(value) : '–'
}

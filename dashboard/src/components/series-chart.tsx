/** A time series chart on a canvas, with the same values as an accessible table. */
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'

import { formatCompact, formatNumber } from '../app/format.js'
import { ChartReadout } from './chart-readout.js'
import type { ChartPoint } from './chart-readout.js'

interface Series {
  label: string
  values: readonly (number | null)[]
  tone: 'accent' | 'muted' | 'warn'
  isDashed?: boolean
}

interface Props {
  label: string
  /** The start of each bucket. */
  starts: readonly string[]
  series: readonly Series[]
  height?: number
}

export function SeriesChart({ label, starts, series, height = 220 }: Props) {
  const holder = useRef<HTMLDivElement>(null)
  const at = useSignal<ChartPoint | null>(null)
  useEffect(() => {
    const element = holder.current
    if (!element) return undefined
    const show = (point: ChartPoint | null) => (at.value = point)
    let plot = draw(element, starts, series, height, show)
    const resize = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
    resize.observe(element)
    const scheme = matchMedia('(prefers-color-scheme: dark)')
    const redraw = () => {
      plot.destroy()
      plot = draw(element, starts, series, height, show)
    }
    scheme.addEventListener('change', redraw)
    return () => {
      at.value = null
      scheme.removeEventListener('change', redraw)
      resize.disconnect()
      plot.destroy()
    }
  }, [starts, series, height])

  return (
    <figure class="chart">
      <ul class="legend" aria-hidden="true">
        {series.map(({ label: name, tone, isDashed = false }) => (
          <li key={name}>
            <i class={`line ${tone} ${isDashed ? 'dashed' : ''}`} />
            {name}
          </li>
        ))}
      </ul>
      <div class="plot-place">
        <div ref={holder} class="plot" aria-hidden="true" />
        <ChartReadout at={at} nameOf={(index) => bucketName(starts, index)} series={series} />
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
                  <td>{bucketName(starts, index)}</td>
                  {series.map((each) => (
                    <td key={each.label} class="num">
                      {formatNumber(each.values[index] ?? 0)}
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

const weekday = { weekday: 'short', day: 'numeric', month: 'short' } as const
const bucketOfHour = new Intl.DateTimeFormat('en-GB', { ...weekday, hour: '2-digit', minute: '2-digit' })
const bucketOfDay = new Intl.DateTimeFormat('en-GB', weekday)
const bucketOfMonth = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric' })
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const hour = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })

const daySeconds = 86_400

/** Returns the length of the first bucket in days. */
function daysOfBucket([first, second]: readonly string[]): number {
  if (first === undefined || second === undefined) return 0
  return (Date.parse(second) - Date.parse(first)) / (daySeconds * 1_000)
}

function isByDay(starts: readonly string[]): boolean {
  return daysOfBucket(starts) > 0.5
}

/** Returns the date at midnight, otherwise the time. */
function axisName(seconds: number): string {
  const at = new Date(seconds * 1_000)
  return at.getHours() === 0 && at.getMinutes() === 0 ? day.format(at) : hour.format(at)
}

/** Returns an empty name for an index beyond the end, which the readout may still have after the series shrinks. */
function bucketName(starts: readonly string[], index: number): string {
  const start = starts[index]
  if (start === undefined) return ''
  const days = daysOfBucket(starts)
  const format = days > 27 ? bucketOfMonth : days > 0.5 ? bucketOfDay : bucketOfHour
  return format.format(new Date(start))
}

function draw(
  element: HTMLElement,
  starts: readonly string[],
  series: readonly Series[],
  height: number,
  show: (point: ChartPoint | null) => void,
): uPlot {
  const color = (name: string) => colorOf(element, name)
  const tones = { accent: color('--accent'), muted: color('--line-strong'), warn: color('--warn') }
  const [soft, muted, line] = [color('--accent-soft'), color('--muted'), color('--line')]
  const axis = {
    stroke: muted,
    font: '11px system-ui',
    grid: { stroke: line, width: 1 },
    ticks: { show: false },
  }
  // Draw the first series last, on top of the others.
  const drawn = series.toReversed()
  const options: uPlot.Options = {
    width: element.clientWidth,
    height,
    legend: { show: false },
    cursor: { y: false, points: { size: 6 }, drag: { x: false, y: false } },
    scales: { y: { range: (_plot, _least, most) => [0, Math.max(4, most * 1.1)] } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        gap: 6,
        values: (_plot, times) => times.map(axisName),
        // Ticks of a daily chart are at least a day apart.
        ...(isByDay(starts)
          ? { incrs: [1, 2, 3, 7, 14, 30, 60, 90, 180].map((days) => days * daySeconds) }
          : {}),
      },
      {
        ...axis,
        size: 44,
        incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 1e6, 1e7],
        values: (_plot, values) => values.map(formatCompact),
      },
    ],
    series: [
      {},
      ...drawn.map(({ label, tone, isDashed }) => ({
        label,
        stroke: tones[tone],
        width: tone === 'accent' ? 2 : 1.5,
        points: { show: false },
        ...(tone === 'accent' ? { fill: soft } : {}),
        ...(isDashed ? { dash: [4, 4] } : {}),
      })),
    ],
    hooks: { setCursor: [(plot) => show(pointOf(plot))] },
  }
  const times = starts.map((start) => new Date(start).getTime() / 1_000)
  return new uPlot(options, [times, ...drawn.map(({ values }) => [...values])], element)
}

function pointOf({ cursor: { idx: index, left = -1 }, over }: uPlot): ChartPoint | null {
  if (typeof index !== 'number' || left < 0) return null
  return { index, left: over.offsetLeft + left, isInLastHalf: left > over.clientWidth / 2 }
}

/** Returns the current value of a CSS color variable, which a canvas cannot use directly. */
function colorOf(element: HTMLElement, name: string): string {
  element.style.color = `var(${name})`
  const { color } = getComputedStyle(element)
  element.style.color = ''
  return color
}

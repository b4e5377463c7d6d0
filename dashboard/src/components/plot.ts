/** Draws a time series on a canvas. */
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'

import { formatCompact } from '../app/format.js'
import { ticksUpTo } from './ticks.js'
import { axisName, daySeconds, getBucketDays } from './bucket-names.js'

export interface Series {
  label: string
  /** A null is a gap. */
  values: readonly (number | null)[]
  tone: 'accent' | 'muted' | 'warn'
  /** The values to compare the first series with. */
  isComparison?: boolean
}

/** The bucket at the pointer. */
export interface ChartPoint {
  index: number
  /** The distance from the left edge of the chart, in pixels. */
  left: number
  isInLastHalf: boolean
}

interface PlotInput {
  starts: readonly string[]
  series: readonly Series[]
  isLastInProgress: boolean
  height: number
}

interface Listeners {
  onPoint: (point: ChartPoint | null) => void
  /** Called with the first and the last bucket of a selection. */
  onSelect: (first: number, last: number) => void
}

const dash = [4, 4]
/** Up to this number of buckets, each has a point. */
const maxPoints = 14
/** A shorter drag is a click. */
const minDragPixels = 8

export function drawPlot(element: HTMLElement, input: PlotInput, { onPoint, onSelect }: Listeners): uPlot {
  const { starts, height } = input
  const color = (name: string) => resolveColor(element, `var(${name})`)
  const tones = {
    accent: color('--accent'),
    muted: resolveColor(element, 'color-mix(in srgb, var(--line-strong) 85%, transparent)'),
    warn: color('--warn'),
  }
  const [soft, muted] = [color('--accent-soft'), color('--muted')]
  const [line, surface] = [color('--line'), color('--surface')]
  const axis = {
    stroke: muted,
    font: '11px system-ui',
    grid: { stroke: line, width: 1 },
    ticks: { show: false },
  }
  const lines = createPlotLines(input)
  const options: uPlot.Options = {
    width: element.clientWidth,
    height,
    legend: { show: false },
    // The last name of the horizontal axis needs room at the right.
    padding: [8, 22, 0, 0],
    cursor: {
      y: false,
      points: { size: 7 },
      move: snapToBucket,
      drag: { x: true, y: false, setScale: false, dist: minDragPixels },
    },
    scales: { y: { range: (_plot, _least, most) => [0, ticksUpTo(most).at(-1)!] } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        gap: 6,
        values: (_plot, times) => times.map(axisName),
        // Ticks of a daily chart are at least a day apart.
        ...(getBucketDays(starts) > 0.5
          ? { incrs: [1, 2, 3, 7, 14, 30, 60, 90, 180].map((days) => days * daySeconds) }
          : {}),
      },
      {
        ...axis,
        size: 36,
        splits: (_plot, _axis, _least, most) => ticksUpTo(most),
        values: (_plot, values) => values.map(formatCompact),
      },
    ],
    series: [
      {},
      ...lines.map(({ label, tone, isDashed, isComparison = false }) => ({
        label,
        stroke: tones[tone],
        width: tone === 'accent' ? 2 : 1.5,
        // The point of the bucket in progress is hollow.
        points: {
          show: starts.length === 1 || (starts.length <= maxPoints && !isComparison),
          size: 5,
          fill: isDashed ? surface : tones[tone],
          ...(isDashed ? { filter: () => [starts.length - 1] } : {}),
        },
        ...(tone === 'accent' ? { fill: soft } : {}),
        ...(isDashed ? { dash } : {}),
      })),
    ],
    hooks: {
      setCursor: [(plot) => onPoint(getChartPoint(plot))],
      setSelect: [(plot) => reportSelection(plot, onSelect)],
    },
  }
  const times = starts.map((start) => new Date(start).getTime() / 1_000)
  return new uPlot(options, [times, ...lines.map(({ values }) => [...values])], element)
}

interface Line extends Series {
  isDashed: boolean
}

/** Splits off the segment of the bucket in progress, which is dashed. The first series is drawn last, on top. */
function createPlotLines({ series, isLastInProgress, starts }: PlotInput): Line[] {
  const last = starts.length - 1
  return series.toReversed().flatMap((each): Line[] => {
    if (each.isComparison) return [{ ...each, isDashed: false }]
    if (!isLastInProgress || last < 1) return [{ ...each, isDashed: false }]
    const [complete, current] = [each.values.slice(0, last), each.values.slice(-2)]
    return [
      { ...each, values: [...complete, null], isDashed: false },
      { ...each, values: [...complete.slice(0, -1).map(() => null), ...current], isDashed: true },
    ]
  })
}

/** Moves the crosshair to the nearest bucket. */
function snapToBucket(plot: uPlot, left: number, top: number): [number, number] {
  const time = left < 0 ? undefined : plot.data[0][plot.posToIdx(left)]
  return time === undefined ? [left, top] : [plot.valToPos(time, 'x'), top]
}

function getChartPoint({ cursor: { idx: index, left = -1 }, over }: uPlot): ChartPoint | null {
  if (typeof index !== 'number' || left < 0) return null
  return { index, left: over.offsetLeft + left, isInLastHalf: left > over.clientWidth / 2 }
}

function reportSelection(plot: uPlot, onSelect: Listeners['onSelect']): void {
  const { left, width } = plot.select
  if (width <= 0) return
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
  onSelect(plot.posToIdx(left), plot.posToIdx(left + width))
}

/** Returns the current value of a CSS color, whose variables a canvas cannot use directly. */
function resolveColor(element: HTMLElement, css: string): string {
  element.style.color = css
  const { color } = getComputedStyle(element)
  element.style.color = ''
  return color
}

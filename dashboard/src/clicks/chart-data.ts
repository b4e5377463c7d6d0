/** The data of the clicks chart: the buckets up to the current one, and those of the previous period. */
import type { ClickSeries } from '../api/click-figures.js'
import { countBots } from '../api/click-measures.js'
import type { Measure } from '../api/click-measures.js'

interface ChartData {
  /** The start of each bucket. */
  starts: string[]
  /** The end of each bucket, exclusive. */
  ends: string[]
  values: number[]
  bots: number[]
  /** Values of the previous period: null before the first data. Null if the period was too large to compare. */
  before: (number | null)[] | null
  isLastInProgress: boolean
}

type ChartedClicks = Pick<ClickSeries, 'data' | 'earlier' | 'firstDay'> & {
  meta: Pick<ClickSeries['meta'], 'start' | 'end' | 'as_of'>
}

export function createChartData(
  { data, meta, earlier, firstDay }: ChartedClicks,
  measure: Measure,
): ChartData {
  const shown = data.filter(({ start = '' }) => start <= meta.as_of)
  const ends = shown.map((_, index) => data[index + 1]?.start ?? meta.end)
  const hasData = (index: number) =>
    firstDay !== null && (earlier?.[index + 1]?.start ?? meta.start) > firstDay
  return {
    starts: shown.map(({ start = '' }) => start),
    ends,
    values: shown.map((row) => row[measure]),
    bots: shown.map(countBots),
    before: earlier && shown.map((_, index) => (hasData(index) ? (earlier[index]?.[measure] ?? 0) : null)),
    isLastInProgress: (ends.at(-1) ?? '') > meta.as_of,
  }
}

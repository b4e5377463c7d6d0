/** Writes readings in the Prometheus text format. */
import type { LabeledHistogram } from '../../../platform/util/duration-histogram.js'
import { metricPrefix, metrics } from './metric-declarations.js'
import type { MetricDeclaration, MetricName } from './metric-declarations.js'

type Labels = Readonly<Record<string, string>>

interface Sample {
  labels: Labels
  value: number
}

/** A value, labeled values, or histograms. Null if the value is unknown: the metric then has no series. */
type Reading = number | null | readonly Sample[] | Iterable<LabeledHistogram<string>>

export type Readings = Partial<Record<MetricName, Reading>>

export function formatMetrics(readings: Readings): string {
  return Object.entries(readings)
    .map(([name, reading]) => formatMetric(name as MetricName, reading))
    .join('')
}

function formatMetric(shortName: MetricName, reading: Reading): string {
  const { help, type }: MetricDeclaration = metrics[shortName]
  const name = metricPrefix + shortName
  const lines = reading === null ? [] : typeof reading === 'number' ? [sampleLine(name, {}, reading)] : []
  if (reading !== null && typeof reading !== 'number')
    for (const each of reading)
      if ('histogram' in each) lines.push(...histogramLines(name, each))
      else lines.push(sampleLine(name, each.labels, each.value))
  if (lines.length === 0) return ''
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n')
}

function histogramLines(name: string, { labels, histogram }: LabeledHistogram<string>): string[] {
  const { counts, sum } = histogram.read()
  let total = 0
  const lines = counts.map((count, bucket) => {
    total += count
    const le = bucket < histogram.bounds.length ? String(histogram.bounds[bucket]) : '+Inf'
    return sampleLine(`${name}_bucket`, { ...labels, le }, total)
  })
  return [...lines, sampleLine(`${name}_sum`, labels, sum), sampleLine(`${name}_count`, labels, total)]
}

function sampleLine(name: string, labels: Labels, value: number): string {
  const text = Object.entries(labels)
    .map(([label, content]) => `${label}="${escapeLabel(content)}"`)
    .join(',')
  return `${name}${text === '' ? '' : `{${text}}`} ${value}`
}

function escapeLabel(text: string): string {
  return text.replace(/[\\"\n]/g, (char) => (char === '\n' ? '\\n' : `\\${char}`))
}

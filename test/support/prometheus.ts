/** Prometheus and its tool, if they are installed, and readings of metrics in its text format. */
import { spawnSync } from 'node:child_process'

const hasPrometheus = ['promtool', 'prometheus'].every(
  (program) => spawnSync(program, ['--version']).status === 0,
)
if (!hasPrometheus && process.env['REQUIRE_PROMETHEUS'] === 'true')
  throw new Error('REQUIRE_PROMETHEUS is set, but prometheus and promtool are not on the PATH.')
if (!hasPrometheus) process.stderr.write('Skipped: tests that need Prometheus. Install it to run them.\n')

/** `describe`, or `describe.skip` without Prometheus. */
export const describeWithPrometheus = hasPrometheus ? describe : describe.skip

/** Runs promtool. Returns its output, whose lines are findings. */
export function runPromtool(
  args: readonly string[],
  { input, cwd }: { input?: string; cwd?: string } = {},
): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, { input, cwd, encoding: 'utf8' })
  return { status, output: stdout + stderr }
}

export interface Series {
  name: string
  labels: Record<string, string>
  value: number
}

export function parseMetrics(text: string): Series[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line)!
      const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, text]) => [key, text])
      return { name: name!, labels: Object.fromEntries(pairs), value: Number(value) }
    })
}

/** Sums the series with this name, and with these labels at least. Undefined if there is none. */
export function sumOf(
  series: readonly Series[],
  name: string,
  labels: Record<string, string> = {},
): number | undefined {
  const found = series.filter(
    (each) =>
      each.name === name && Object.entries(labels).every(([key, value]) => each.labels[key] === value),
  )
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0)
}

/** Prometheus and its tool, if they are installed, and readings of metrics in its text format. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

import { freePort } from './free-port.js'
import { waitFor } from './wait-for.js'

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
export function sumSeries(
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

export interface TestPrometheus {
  origin: string
  /** Returns the number of series that an expression selects. Throws if Prometheus rejects it. */
  countSeries(expr: string): Promise<number>
  /** Returns the names of the rules by health, such as `ok`. */
  readRules(): Promise<{ name: string; health: string }[]>
  stop(): Promise<void>
}

/** Starts a Prometheus that scrapes these targets every second. */
export async function startPrometheus(
  targets: readonly string[],
  rulesFile: string,
): Promise<TestPrometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'link-service-prometheus-'))
  const port = await freePort()
  const config = {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: [resolve(rulesFile)],
    scrape_configs: [{ job_name: 'link-service', static_configs: [{ targets }] }],
  }
  // JSON is YAML.
  await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(config))
  const child = spawn('prometheus', [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--log.level=warn',
  ])
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const ended = once(child, 'exit')
  const origin = `http://127.0.0.1:${port}`
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await waitFor('Prometheus', async () => {
      if (child.exitCode !== null) throw new Error(`Prometheus exited: ${errors}`)
      return (await fetch(`${origin}/-/ready`).catch(() => null))?.ok
    })
  } catch (error) {
    await stop()
    throw error
  }
  const get = async (path: string): Promise<any> => {
    const { status, data, error }: any = await (await fetch(origin + path)).json()
    if (status !== 'success') throw new Error(`${path}: ${error}`)
    return data
  }
  return {
    origin,
    countSeries: async (expr) => (await get(`/api/v1/query?query=${encodeURIComponent(expr)}`)).result.length,
    readRules: async () => (await get('/api/v1/rules')).groups.flatMap((group: any) => group.rules),
    stop,
  }
}

/**
 * Measures the budgets with short forms of the benchmarks, and prints one table. Run after a build, on an idle machine:
 *
 *     npm run bench
 *     npm run bench -- redirect api
 *
 * The first run fills data that later runs use again.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { runBenchmark } from './lib/run.js'
import { temporaryFolder } from './lib/service.js'

/** The name of a benchmark and its options. */
const all = [
  'redirect --rounds 1 --seconds 4 --short',
  'api --rounds 1 --seconds 1 --short',
  'api --million --samples 5 --short',
  'analytics --clicks 500000 --days 365 --clicks-of-year 0 --samples 3 --short',
  'bulk --rounds 6',
  'import --rounds 1 --lines 50000 --short',
  'deliveries --rounds 2 --queues postgres --short',
  'isolation --seconds 15',
  'start',
  'tests',
].map((text) => text.split(' '))
const names = process.argv.slice(2)
const selected = names.length > 0 ? all.filter(([name]) => names.includes(name)) : all

await runBenchmark({ minutes: 60 }, async (undo) => {
  const startedAt = performance.now()
  const file = join(await temporaryFolder(undo), 'figures')
  await writeFile(file, '')
  const failed = []
  for (const [name, ...options] of selected) {
    const code = await runOne(undo, name, options, file)
    if (code !== 0) failed.push([name, ...options].join(' '))
  }
  const lines = (await readFile(file, 'utf8')).split('\n').filter(Boolean)
  printTable(lines.map((text) => JSON.parse(text)))
  console.log(`\n${description()}, ${minutesSince(startedAt)}`)
  for (const each of failed) console.log(`failed: ${each}`)
  if (failed.length > 0) process.exitCode = 1
})

/** Runs a benchmark, which appends its figures to `file`. Returns its exit code. */
async function runOne(undo, name, options, file) {
  const startedAt = performance.now()
  const program = fileURLToPath(new URL(`${name}/run.js`, import.meta.url))
  const child = spawn(process.execPath, [program, ...options], {
    env: { ...process.env, BENCH_FIGURES: file },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const exited = once(child, 'exit')
  undo(async () => {
    child.kill()
    await exited
  })
  const [code] = await exited
  // Null if the signal ended the process.
  if (code === null || code > 128) throw new Error(`${name} was stopped`)
  console.log(`${[name, ...options].join(' ')}: ${minutesSince(startedAt)}`)
  return code
}

/** Prints a Markdown table with one row per budget, and the worst figure of each. */
function printTable(figures) {
  const rows = [['', 'figure', 'baseline', 'ratio', 'budget', '']]
  for (const budget of new Set(figures.map((figure) => figure.budget))) {
    const ofBudget = figures.filter((figure) => figure.budget === budget)
    const { name, figure, baseline = '', ratio = '', limit, isMet } = ofBudget.reduce(worse)
    const isOneOfMany = new Set(ofBudget.map((each) => each.name)).size > 1
    const title = isOneOfMany ? `${budget}, worst of ${ofBudget.length}: ${name}` : budget
    rows.push([title, figure, baseline, ratio, limit, isMet ? 'met' : 'missed'])
  }
  rows.splice(
    1,
    0,
    rows[0].map(() => '---'),
  )
  const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => row[i].length)))
  console.log('')
  for (const row of rows) console.log(`| ${row.map((cell, i) => cell.padEnd(widths[i])).join(' | ')} |`)
}

/** Returns the figure that uses more of its budget. */
function worse(one, other) {
  if (one.isMet !== other.isMet) return one.isMet ? other : one
  // JSON has null for infinity.
  return (other.used ?? Infinity) > (one.used ?? Infinity) ? other : one
}

function description() {
  const memory = Math.round(totalmem() / 2 ** 30)
  const date = new Date().toISOString().slice(0, 10)
  return `${date}, ${cpus().length} × ${cpus()[0].model.trim()}, ${memory} GiB, Node.js ${process.version}`
}

function minutesSince(startedAt) {
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/**
 * The output of benchmarks: one line per figure with baseline, ratio, goal and verdict. With BENCH_FIGURES, the figures
 * with a budget are also appended to that file, for the table of `npm run bench`.
 */
import { appendFileSync } from 'node:fs'

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

export function quantile(numbers, share) {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}

export const perSecond = (number) => `${Math.round(number).toLocaleString('en')}/s`
export const milliseconds = (number) => `${number.toFixed(2)} ms`
export const microseconds = (number) => `${number.toFixed(1)} µs`
export const megabytes = (number) => `${number.toFixed(0)} MB`

const goals = { met: 0, missed: 0 }

export function heading(text) {
  console.log(`\n${text}`)
  console.log(row('', 'figure', 'baseline', 'ratio', 'goal'))
}

/**
 * Prints a line. The goal, `{ atLeast }` or `{ atMost }`, applies to `judged`, by default the ratio. `budget` is the row of
 * the table of `npm run bench` that the line counts for, and `judgedFigure` its figure there.
 */
export function line(
  name,
  { figure, baseline = '', ratio, judged = ratio, goal, goalText, budget, judgedFigure = figure },
) {
  const ratioText = ratio === undefined ? '' : ratio.toFixed(2)
  const limit = goalText ?? textOf(goal)
  const isMet = goal && ('atLeast' in goal ? judged >= goal.atLeast : judged <= goal.atMost)
  if (goal) goals[isMet ? 'met' : 'missed'] += 1
  console.log(
    row(name, figure, baseline, ratioText, goal ? `${limit.padEnd(10)} ${isMet ? 'ok' : 'MISSED'}` : limit),
  )
  const file = process.env.BENCH_FIGURES
  if (!budget || !file) return
  const used = 'atLeast' in goal ? goal.atLeast / judged : judged / goal.atMost
  // Without a ratio, the baseline column has another meaning.
  const compared = ratio === undefined ? {} : { baseline, ratio: ratioText }
  const cells = { budget, name, figure: judgedFigure, ...compared, limit, isMet, used }
  appendFileSync(file, `${JSON.stringify(cells)}\n`)
}

/** Prints the medians of all rounds, and the median of the ratios within each round. */
export function compare(name, rounds, pick, { write, goal, budget }) {
  const both = rounds.filter((round) => pick(round.ours) !== null && pick(round.bare) !== null)
  if (both.length === 0) return line(name, { figure: 'not available' })
  line(name, {
    figure: write(median(both.map(({ ours }) => pick(ours)))),
    baseline: write(median(both.map(({ bare }) => pick(bare)))),
    ratio: median(both.map(({ ours, bare }) => pick(ours) / pick(bare))),
    goal,
    budget,
  })
}

export function summary() {
  console.log(`\n${goals.met} of ${goals.met + goals.missed} goals met`)
}

function textOf(goal) {
  if (!goal) return ''
  return 'atLeast' in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`
}

function row(name, figure, baseline, ratio, goal) {
  return `${name.padEnd(58)} ${figure.padStart(12)} ${baseline.padStart(12)} ${ratio.padStart(6)}  ${goal}`.trimEnd()
}

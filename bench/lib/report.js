/** The output of benchmarks: one line per figure with baseline, ratio, goal and verdict. */

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

/** Prints a line. The goal, `{ atLeast }` or `{ atMost }`, applies to `judged`, by default the ratio. */
export function line(name, { figure, baseline = '', ratio, judged = ratio, goal, goalText }) {
  console.log(
    row(name, figure, baseline, ratio === undefined ? '' : ratio.toFixed(2), verdict(judged, goal, goalText)),
  )
}

/** Prints the medians of all rounds, and the median of the ratios within each round. */
export function compare(name, rounds, pick, { write, goal }) {
  const both = rounds.filter((round) => pick(round.ours) !== null && pick(round.bare) !== null)
  if (both.length === 0) return line(name, { figure: 'not available' })
  line(name, {
    figure: write(median(both.map(({ ours }) => pick(ours)))),
    baseline: write(median(both.map(({ bare }) => pick(bare)))),
    ratio: median(both.map(({ ours, bare }) => pick(ours) / pick(bare))),
    goal,
  })
}

export function summary() {
  console.log(`\n${goals.met} of ${goals.met + goals.missed} goals met`)
}

function verdict(judged, goal, goalText) {
  if (!goal) return goalText ?? ''
  const isMet = 'atLeast' in goal ? judged >= goal.atLeast : judged <= goal.atMost
  goals[isMet ? 'met' : 'missed'] += 1
  const text = goalText ?? ('atLeast' in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`)
  return `${text.padEnd(10)} ${isMet ? 'ok' : 'MISSED'}`
}

function row(name, figure, baseline, ratio, goal) {
  return `${name.padEnd(58)} ${figure.padStart(12)} ${baseline.padStart(12)} ${ratio.padStart(6)}  ${goal}`.trimEnd()
}

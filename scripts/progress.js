/** Shows progress on standard error: a spinner in a terminal, plain lines elsewhere. */
import { clearInterval, setInterval } from 'node:timers'

const frames = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'
const everyMs = 100
const eraseLine = '\r\u001b[2K'

/** Runs one step and prints how long it took. `doing` and `done` describe the step, without a period. */
export async function step(doing, done, work) {
  const startedAt = performance.now()
  const seconds = () => `${Math.round((performance.now() - startedAt) / 1000)} s`
  const line =
    process.stderr.isTTY && process.env.TERM !== 'dumb' ? spinnerLine(doing, seconds) : textLine(doing)
  try {
    await work()
    line.end(`${line.marks.done}${done} (${seconds()}).`)
  } catch (error) {
    line.end(`${line.marks.failed}${doing}: ${error.signal ? 'stopped' : 'failed'} after ${seconds()}.`)
    throw error
  }
}

function textLine(doing) {
  process.stderr.write(`${doing} …\n`)
  return { marks: { done: '', failed: '' }, end: (text) => process.stderr.write(`${text}\n`) }
}

function spinnerLine(doing, seconds) {
  let drawn = 0
  const draw = () =>
    process.stderr.write(`${eraseLine}${frames[drawn++ % frames.length]} ${doing} (${seconds()})`)
  draw()
  const timer = setInterval(draw, everyMs)
  return {
    marks: { done: '✔ ', failed: '✖ ' },
    end: (text) => {
      clearInterval(timer)
      process.stderr.write(`${eraseLine}${text}\n`)
    },
  }
}

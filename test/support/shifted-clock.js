/**
 * Loaded with `--import`. Shifts the clock of a process and its threads by CLOCK_SHIFT_MS milliseconds, or by the number
 * in the file CLOCK_SHIFT_FILE, which may change.
 */
import { readFileSync } from 'node:fs'

const file = process.env.CLOCK_SHIFT_FILE
let shiftMs = Number(process.env.CLOCK_SHIFT_MS ?? 0)
if (file)
  setInterval(() => {
    try {
      shiftMs = Number(readFileSync(file, 'utf8'))
    } catch {
      shiftMs = 0
    }
  }, 100).unref()
const RealDate = Date
const now = () => RealDate.now() + shiftMs

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, asked) =>
    Reflect.construct(
      target,
      given.length === 0 ? [now()] : given,
      asked === globalThis.Date ? target : asked,
    ),
  apply: () => new RealDate(now()).toString(),
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
})

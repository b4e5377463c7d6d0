/** Loaded with `--import`. Shifts the clock of a process and its threads by CLOCK_SHIFT_MS milliseconds. */
const shiftMs = Number(process.env.CLOCK_SHIFT_MS)
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

const maxTicks = 5

/** Returns axis ticks that start at 0. The last tick is at least `most`, so the labels cover every value. */
export function ticksUpTo(most: number): number[] {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most / maxTicks)))
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each * maxTicks >= most) ?? power
  const count = Math.max(Math.ceil(most / step), step === 1 ? 4 : 1)
  return Array.from({ length: count + 1 }, (_, index) => index * step)
}

/** When a delivery that failed is tried again: the next step, and up to a tenth of it later. */
const spread = 0.1

/** In milliseconds; null when the schedule has ended. `attempts` are those made since the schedule began. */
export function retryDelay(
  stepsInSeconds: readonly number[],
  attempts: number,
  random = Math.random(),
): number | null {
  const step = stepsInSeconds[attempts - 1]
  return step === undefined ? null : Math.ceil(step * 1000 * (1 + spread * random))
}

/** When what failed is tried again: one delivery by its schedule, a webhook by its circuit. */

/**
 * The circuit. After some failures in a row the circuit opens: then one new delivery is tried
 * at growing intervals, so that an outage does not use up the attempts of everything that waits. Deliveries that were
 * tried before keep to their schedule. A success closes it.
 */
const opensAfter = 5
const firstIntervalMs = 2_000
const longestIntervalMs = 300_000

/** How long no new delivery is tried after this many failures in a row; null while the circuit is closed. */
export function probeInterval(failuresInARow: number): number | null {
  if (failuresInARow < opensAfter) return null
  return Math.min(firstIntervalMs * 2 ** Math.min(failuresInARow - opensAfter, 30), longestIntervalMs)
}

/** What is tried again waits up to this part of its step longer, so that retries do not come together. */
const spread = 0.1

/** When a delivery that failed is tried again, in milliseconds; null when the schedule has ended. `attempts` are those made since the schedule began. */
export function retryDelay(
  stepsInSeconds: readonly number[],
  attempts: number,
  random = Math.random(),
): number | null {
  const step = stepsInSeconds[attempts - 1]
  return step === undefined ? null : Math.ceil(step * 1000 * (1 + spread * random))
}

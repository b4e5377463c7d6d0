/** Says when to try again: one delivery by its schedule, a whole webhook by its circuit. */
import { circuitOpensAfter, firstProbeMs, longestProbeMs, retrySpread } from './limits.js'

/**
 * How long no new delivery is tried after this many failures in a row; null while the circuit is closed. After some
 * failures in a row the circuit opens: then one new delivery is tried at growing intervals, so that an outage does not use
 * up the attempts of everything that waits. Deliveries that were tried before keep to their schedule. A success closes it.
 */
export function probeInterval(failuresInARow: number): number | null {
  if (failuresInARow < circuitOpensAfter) return null
  return Math.min(firstProbeMs * 2 ** Math.min(failuresInARow - circuitOpensAfter, 30), longestProbeMs)
}

/**
 * When a delivery that failed is tried again, in milliseconds; null when the schedule has ended. `attempts` are those made
 * since the schedule began.
 */
export function retryDelay(
  stepsInSeconds: readonly number[],
  attempts: number,
  random = Math.random(),
): number | null {
  const step = stepsInSeconds[attempts - 1]
  return step === undefined ? null : Math.ceil(step * 1000 * (1 + retrySpread * random))
}

/** How long a delivery waits for its next attempt, and a lane for its next probe. */
import { circuitOpensAfter, firstProbeMs, longestProbeMs, retrySpread } from './limits.js'

/**
 * The milliseconds until the next attempt of a delivery that failed, or null when the schedule has ended. `attempts` is
 * the number of attempts since the schedule began.
 */
export function retryDelay(
  stepsInSeconds: readonly number[],
  attempts: number,
  random = Math.random(),
): number | null {
  const step = stepsInSeconds[attempts - 1]
  return step === undefined ? null : Math.ceil(step * 1000 * (1 + retrySpread * random))
}

/**
 * How long new deliveries wait after this many failures in a row; null while the circuit is closed. An open circuit
 * tries one new delivery at growing intervals, so that an outage does not use up the attempts of all that wait.
 * Deliveries that were tried before keep to their schedule. A success closes the circuit.
 */
export function probeInterval(failuresInARow: number): number | null {
  if (failuresInARow < circuitOpensAfter) return null
  return Math.min(firstProbeMs * 2 ** Math.min(failuresInARow - circuitOpensAfter, 30), longestProbeMs)
}

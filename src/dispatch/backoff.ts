/** Delays before retries and between circuit probes. */
import {
  circuitOpensAfter,
  deferJitter,
  firstDeferMs,
  firstProbeMs,
  maxDeferMs,
  maxProbeMs,
  retrySpread,
} from './limits.js'

/**
 * Returns the milliseconds until the next attempt of a failed delivery, or null if no retries are left. `attempts` is
 * the number of attempts since the schedule started.
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
 * Returns the milliseconds between probes after this many failures in a row, or null if the circuit is closed. While
 * the circuit is open, one new delivery is sent per interval, so that an outage does not use up the attempts of all
 * pending deliveries. Retries keep their schedule. A success closes the circuit.
 */
export function probeInterval(failuresInARow: number): number | null {
  if (failuresInARow < circuitOpensAfter) return null
  return Math.min(firstProbeMs * 2 ** Math.min(failuresInARow - circuitOpensAfter, 30), maxProbeMs)
}

/** Returns the delay after this number of consecutive faults of the proxy in a lane. */
export function deferDelay(faults: number, random = Math.random()): number {
  const step = Math.min(maxDeferMs, firstDeferMs * 2 ** Math.min(faults - 1, 30))
  return Math.ceil(step * (1 + deferJitter * random))
}

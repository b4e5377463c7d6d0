/**
 * Whether a receiver is worth trying. After some failures in a row the circuit opens: then one new delivery is tried
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

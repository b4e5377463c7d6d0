const firstPauseMs = 5
const longestPauseMs = 50
/** A wait ends at most this part of it too late. */
const lateness = 0.1

/**
 * Waits for a condition, with a bound; fails with what was waited for. A probe costs processor time that other specs
 * want, so it is repeated less often the longer it takes.
 */
export async function waitFor<T>(
  what: string,
  probe: () => T | Promise<T>,
  patienceMs = 30_000,
): Promise<NonNullable<T>> {
  const beganAt = Date.now()
  for (;;) {
    const value = await probe()
    if (value) return value
    const waitedMs = Date.now() - beganAt
    if (waitedMs > patienceMs) throw new Error(`waited ${patienceMs} ms for ${what}`)
    const pauseMs = Math.min(longestPauseMs, Math.max(firstPauseMs, waitedMs * lateness))
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

const firstPauseMs = 5
const longestPauseMs = 50
/** Pauses grow to this share of the time waited so far. */
const lateness = 0.1

/**
 * Waits for a condition up to a limit, and fails with the name of the condition. Fails only after a probe that began
 * after the limit, because a slow probe may have read its state long before it returned. Pauses grow with the wait,
 * because each check takes CPU time from other specs.
 */
export async function waitFor<T>(
  what: string,
  probe: () => T | Promise<T>,
  timeoutMs = 30_000,
): Promise<NonNullable<T>> {
  const beganAt = Date.now()
  for (;;) {
    const waitedMs = Date.now() - beganAt
    const value = await probe()
    if (value) return value
    if (waitedMs > timeoutMs) throw new Error(`waited ${timeoutMs} ms for ${what}`)
    const pauseMs = Math.min(longestPauseMs, Math.max(firstPauseMs, waitedMs * lateness))
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

/** Waits for a condition, with a bound; fails with what was waited for. */
export async function waitFor<T>(
  what: string,
  probe: () => T | Promise<T>,
  patienceMs = 30_000,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + patienceMs
  for (;;) {
    const value = await probe()
    if (value) return value
    if (Date.now() > deadline) throw new Error(`waited ${patienceMs} ms for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
